"""Meadow trips: reads the trips of a village's hire bicycles and makes a report by station, hour and rider."""
import array
import collections
import csv
import heapq
import os
import statistics
import sys
import tempfile
import threading
import zlib

Trip = collections.namedtuple("Trip", "bike rider start minutes origin target")

STATIONS = ["mill", "church", "pond", "school", "forge", "halt", "bakery", "meadow", "bridge", "orchard"]


def write_trips(path, count):
    state = 8
    with open(path, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(Trip._fields)
        for number in range(count):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            deal = state >> 5
            rows.writerow((deal % 240, deal % 1777, number // 6 % 1440, 3 + deal % 55, STATIONS[deal % 10], STATIONS[deal // 10 % 10]))


def read_trips(path):
    with open(path, newline="") as source:
        rows = csv.reader(source)
        next(rows)
        for bike, rider, start, minutes, origin, target in rows:
            yield Trip(int(bike), int(rider), int(start), int(minutes), origin, target)


def fare(trip):
    cents = 100 + 12 * max(0, trip.minutes - 10)
    if trip.origin == trip.target:
        cents += 50
    if 420 <= trip.start < 540:
        cents = cents * 9 // 10
    return cents


class Report:
    def __init__(self):
        self.hours = array.array("q", [0]) * 24
        self.pairs = collections.Counter()
        self.riders = collections.defaultdict(int)
        self.lengths = collections.defaultdict(list)
        self.busy = {}
        self.clashes = 0
        self.sum = 0

    def add(self, trip):
        cost = fare(trip)
        self.sum += cost
        self.hours[trip.start // 60] += 1
        self.pairs[trip.origin, trip.target] += 1
        self.riders[trip.rider] += cost
        self.lengths[trip.origin].append(trip.minutes)
        if self.busy.get(trip.bike, -1) > trip.start:
            self.clashes += 1
        self.busy[trip.bike] = trip.start + trip.minutes

    def lines(self):
        yield f"fares {self.sum / 100:.2f}, clashes {self.clashes}"
        for hour, count in enumerate(self.hours):
            yield f"{hour:02}:00 {count:>7}"
        for (origin, target), count in self.pairs.most_common(20):
            yield f"{origin:>8} to {target:<8} {count:>6}"
        for rider, cost in heapq.nlargest(25, self.riders.items(), key=lambda entry: (entry[1], -entry[0])):
            yield f"rider {rider:>5} paid {cost / 100:>9.2f}"
        for origin in sorted(self.lengths):
            lengths = self.lengths[origin]
            yield f"{origin:<8} median {statistics.median(lengths):.1f} longest {max(lengths)}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    done = threading.Event()
    watch = threading.Thread(target=done.wait, args=(60,), daemon=True)
    watch.start()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trips.csv")
        write_trips(path, count)
        report = Report()
        for trip in read_trips(path):
            report.add(trip)
    text = "\n".join(report.lines())
    done.set()
    watch.join()
    print(f"trips {count} lines {text.count(chr(10)) + 1} check {zlib.crc32(text.encode()):08x}")


main()
