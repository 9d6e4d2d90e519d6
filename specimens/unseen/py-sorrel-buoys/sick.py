"""Daily report on a chain of weather buoys: an average per buoy, hour and quantity, and what stands out."""

import array
import math
import statistics
import struct
import sys
import zlib

QUANTITIES = ("swell", "wind", "water", "air")
SAMPLES = 120


def record_base(length):
    """One long record of a reference buoy; the others lag behind it."""
    state = 5_381
    level = 0.0
    record = array.array("d")
    for step in range(length):
        state = (state * 16_807) % 2_147_483_647
        level = 0.92 * level + (state / 2_147_483_647 - 0.5)
        record.append(level + 1.5 * math.sin(step / 90.0))
    return record


class Buoy:
    def __init__(self, number, record):
        self.number = number
        self.record = record

    def hour(self, quantity, hour):
        """The samples of one hour as they came over the radio: packed, with a check sum."""
        begin = (self.number * 37 + hour * SAMPLES + quantity * 911) % (len(self.record) - SAMPLES)
        packed = self.record[begin : begin + SAMPLES].tobytes()
        return packed, zlib.crc32(packed)


def unpack(packed, check):
    if zlib.crc32(packed) != check:
        raise ValueError("damaged hour")
    return struct.unpack(f"{len(packed) // 8}d", packed)


def centre(samples):
    return statistics.mean(samples)


def spread(samples):
    return max(samples) - min(samples)


class Report:
    def __init__(self):
        self.rows = {}
        self.alarms = []

    def add(self, buoy, hour, quantity, samples):
        middle = centre(samples)
        width = spread(samples)
        self.rows[buoy.number, hour, quantity] = (middle, width)
        if abs(middle) > 1.4 and width > 3.2:
            self.alarms.append((buoy.number, hour, QUANTITIES[quantity]))

    def by_quantity(self, quantity):
        values = sorted(row[0] for key, row in self.rows.items() if key[2] == quantity)
        return values[len(values) // 2]


def collect(buoys, hours):
    report = Report()
    for buoy in buoys:
        for hour in range(hours):
            for quantity in range(len(QUANTITIES)):
                packed, check = buoy.hour(quantity, hour)
                report.add(buoy, hour, quantity, unpack(packed, check))
    return report


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    record = record_base(40_000)
    buoys = [Buoy(number, record) for number in range(count)]
    report = collect(buoys, 24)
    middles = " ".join(f"{name} {report.by_quantity(i):.4f}" for i, name in enumerate(QUANTITIES))
    print(f"{len(report.rows)} hours, {len(report.alarms)} alarms, {middles}")


if __name__ == "__main__":
    main()
