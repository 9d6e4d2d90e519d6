"""Reads the reports that lighthouses send each hour and makes a summary of wind and pressure for each of them."""
import sys

from parse import parse

REPORT = "{station:w} {day:d} {hour:d}:{minute:d} wind {bearing:d} at {knots:g} kn, pressure {pressure:g} hPa, sea {sea}"


def reports(count):
    names = ("Eddystone", "Skerries", "Bishop", "Longstone", "Muckle", "Sule")
    seas = ("calm", "slight", "moderate", "rough")
    for number in range(count):
        yield (
            f"{names[number % 6]} {1 + number // 144 % 28} {number // 6 % 24}:{number % 60:02d} "
            f"wind {number * 7 % 360} at {number * 13 % 400 / 10} kn, "
            f"pressure {980 + number * 3 % 50}.5 hPa, sea {seas[number * 5 % 4]}"
        )


def read(line):
    found = parse(REPORT, line)
    if found is None:
        raise ValueError(line)
    return found.named


def enter(log, report):
    station = log.setdefault(report["station"], {"reports": 0, "gales": 0, "lowest": 1100.0})
    station["reports"] += 1
    station["gales"] += report["knots"] >= 34
    station["lowest"] = min(station["lowest"], report["pressure"])


def summary(lines):
    log = {}
    for line in lines:
        enter(log, read(line))
    return log


def main():
    log = summary(reports(int(sys.argv[1])))
    print(" ".join(f"{name}:{s['reports']}/{s['gales']}/{s['lowest']}" for name, s in sorted(log.items())))


main()
