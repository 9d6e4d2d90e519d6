"""Reads the dump of a seismic station and reports the strongest shocks."""

import csv
import io
import math
import sys

HEADER = "station,tick,north,east,up\r\n"


def dump(count):
    """A station dump as it would arrive over the line, in one piece."""
    out = io.StringIO()
    out.write(HEADER)
    for tick in range(count):
        swing = 900 if tick % 5003 < 4 else 12
        out.write(f"ST{tick % 9},{tick},{(tick * 7919) % swing},{(tick * 104729) % swing},{(tick * 1299709) % swing}\r\n")
    return out.getvalue().encode()


class Splitter:
    """Cuts a stream of bytes into text lines; a broken last line waits for the next block."""

    def __init__(self):
        self._rest = b""
        self.count = 0

    def feed(self, block):
        self._rest += block
        yield from self.lines()

    def lines(self):
        while (end := self._rest.find(b"\r\n")) >= 0:
            line = self._rest[:end]
            self._rest = self._rest[end + 2:]
            self.count += 1
            yield line.decode("ascii")
            del line


class Trigger:
    """Short mean over long mean, the classic detector."""

    def __init__(self, short=0.2, long=0.005, ratio=6.0):
        self.short, self.long, self.ratio = short, long, ratio
        self.fast = self.slow = 10.0
        self.shocks = []

    def reading(self, station, tick, north, east, up):
        size = math.sqrt(north * north + east * east + up * up)
        self.fast += self.short * (size - self.fast)
        self.slow += self.long * (size - self.slow)
        if self.fast > self.ratio * self.slow:
            self.shocks.append((tick, station, round(size)))


def read_feed(data, block_size=1 << 20):
    splitter = Splitter()
    for begin in range(0, len(data), block_size):
        yield from splitter.feed(data[begin:begin + block_size])


def analyse(lines):
    trigger = Trigger()
    rows = csv.reader(lines)
    next(rows)
    for station, tick, *axes in rows:
        trigger.reading(station, int(tick), *map(int, axes))
    return trigger


def groups(shocks, gap=50):
    found, last = [], None
    for shock in shocks:
        if last is None or shock[0] - last > gap:
            found.append([])
        found[-1].append(shock)
        last = shock[0]
    return found


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    trigger = analyse(read_feed(dump(count)))
    quakes = groups(trigger.shocks)
    print("quakes", len(quakes), "shocks", len(trigger.shocks), "peak", max(trigger.shocks, key=lambda s: s[2]))


if __name__ == "__main__":
    main()
