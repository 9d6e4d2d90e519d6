"""Reads the dump of a pressure gauge and lists the valves that need a look."""

import math
import os
import struct
import sys
import tempfile
from typing import BinaryIO, Iterator, NamedTuple


class Reading(NamedTuple):
    valve: int
    second: int
    bar: float


class DumpReader:
    """The dump is a row of fields: valve u16, second u32, pressure f32, and a check byte."""

    def __init__(self, dump: BinaryIO) -> None:
        self._dump = dump

    def _field(self, form: str):
        size = struct.calcsize(form)
        piece = self._dump.read(size)
        if len(piece) < size:
            raise EOFError
        return struct.unpack(form, piece)[0]

    def __iter__(self) -> Iterator[Reading]:
        while True:
            try:
                reading = Reading(self._field("<H"), self._field("<I"), self._field("<f"))
            except EOFError:
                return
            if self._field("<B") != (reading.valve + reading.second) & 0xFF:
                raise ValueError(f"bad check byte for valve {reading.valve}")
            yield reading


class Valve:
    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self.spread = 0.0

    def add(self, bar: float) -> None:
        self.count += 1
        step = bar - self.mean
        self.mean += step / self.count
        self.spread += step * (bar - self.mean)

    @property
    def deviation(self) -> float:
        return math.sqrt(self.spread / self.count)


def write_dump(path: str, count: int) -> None:
    with open(path, "wb") as dump:
        for second in range(count):
            valve = second * 37 % 211
            bar = 6 + math.sin(second / (50 + valve)) + (valve % 19 == 0) * (second % 3)
            dump.write(struct.pack("<HIfB", valve, second, bar, (valve + second) & 0xFF))


def survey(path: str) -> dict[int, Valve]:
    valves: dict[int, Valve] = {}
    with open(path, "rb", buffering=0) as dump:
        for reading in DumpReader(dump):
            valves.setdefault(reading.valve, Valve()).add(reading.bar)
    return valves


def main(count: int) -> None:
    handle, path = tempfile.mkstemp(prefix="gauge")
    os.close(handle)
    try:
        write_dump(path, count)
        valves = survey(path)
    finally:
        os.unlink(path)
    restless = sorted(number for number, valve in valves.items() if valve.deviation > 0.9)
    print("restless", restless, "mean", round(sum(valve.mean for valve in valves.values()) / len(valves), 6))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
