"""Plans the winter sailings of an island line: for each day and pier the tide windows in which a ship can land."""

import sys
import zlib
from functools import lru_cache

PIERS = 160
SHIPS = (("Petrel", 21), ("Skua", 26), ("Tern", 18), ("Auk", 31))


def chart_text(number):
    """The pier's chart sheet as the survey publishes it."""
    rows = [f"# pier {number:03d} datum {number % 9 - 4:+d}"]
    for step in range(96):
        depth = 12 + (number * 13 + step * 29) % 31
        swell = (number * 7 + step * 5) % 11
        mark = "rock" if (number + step) % 23 == 0 else "sand"
        rows.append(f"{step // 4:02d}:{step % 4 * 15:02d};{depth / 10:.1f};{swell};{mark}")
    return "\n".join(rows)


class Archive:
    """Sheets lie packed in the archive, one for each pier."""

    def __init__(self, piers):
        self.sheets = [zlib.compress(chart_text(number).encode()) for number in range(piers)]

    def sheet(self, number):
        return zlib.decompress(self.sheets[number]).decode()


class Window:
    __slots__ = ("minute", "depth", "swell", "rocky")

    def __init__(self, minute, depth, swell, rocky):
        self.minute = minute
        self.depth = depth
        self.swell = swell
        self.rocky = rocky

    def takes(self, draught, wind):
        reserve = 6 if self.rocky else 3
        return self.depth >= draught + reserve and self.swell + wind < 9


def parse_row(row):
    clock, depth, swell, ground = row.split(";")
    hour, minute = clock.split(":")
    return Window(int(hour) * 60 + int(minute), round(float(depth) * 10), int(swell), ground == "rock")


class Charts:
    def __init__(self, archive):
        self.archive = archive
        self.windows = lru_cache()(self.read)

    def read(self, number):
        head, *rows = self.archive.sheet(number).splitlines()
        datum = int(head.rsplit(" ", 1)[1])
        windows = [parse_row(row) for row in rows]
        for window in windows:
            window.depth += datum
        return tuple(windows)


class Weather:
    def __init__(self, seed):
        self.state = seed

    def wind(self):
        self.state = self.state * 1103515245 + 12345 & 0x7FFFFFFF
        return (self.state >> 12) % 8


class Planner:
    """Walks along the piers in the order of the coast, day by day."""

    def __init__(self, charts, piers):
        self.charts = charts
        self.piers = piers
        self.landings = dict.fromkeys((name for name, _ in SHIPS), 0)
        self.cancelled = 0

    def first_landing(self, pier, draught, wind, earliest):
        for window in self.charts.windows(pier):
            if window.minute >= earliest and window.takes(draught, wind):
                return window.minute
        return None

    def plan_day(self, day, wind):
        sheet = []
        for pier in range(self.piers):
            name, draught = SHIPS[(pier + day) % len(SHIPS)]
            minute = self.first_landing(pier, draught, wind, 900 + pier % 5 * 105)
            if minute is None:
                self.cancelled += 1
            else:
                self.landings[name] += 1
                sheet.append(f"{pier:03d} {name} {minute // 60:02d}:{minute % 60:02d}")
        return "\n".join(sheet)


def main():
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 190
    planner = Planner(Charts(Archive(PIERS)), PIERS)
    weather = Weather(1847)
    seal = 0
    for day in range(days):
        seal = zlib.crc32(planner.plan_day(day, weather.wind()).encode(), seal)
    landings = " ".join(f"{name}={count}" for name, count in planner.landings.items())
    print(f"days {days} {landings} cancelled {planner.cancelled} seal {seal:08x}")


if __name__ == "__main__":
    main()
