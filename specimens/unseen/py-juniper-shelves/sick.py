"""Plans picking rounds: orders are cut into waves, and each wave is put in the order of the walk through the hall."""

import csv
import hashlib
import io
import sys
import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice

ZONES = ["ambient", "chilled", "frozen", "bulky", "secure"]
STRATEGIES = {}


def strategy(name):
    """Registers a way of putting a wave in order."""
    def register(function):
        STRATEGIES[name] = function
        return function
    return register


@dataclass(frozen=True)
class Line:
    order: int
    sku: str
    bin: str
    zone: str
    quantity: int
    weight: Decimal


@dataclass
class Wave:
    number: int
    lines: list = field(default_factory=list)

    def weight(self):
        return sum((line.weight * line.quantity for line in self.lines), Decimal(0))


class Hall:
    """Aisles of bins, walked up one aisle and down the next."""

    def __init__(self, aisles, bays, levels):
        self.walk = [
            f"{aisle:02d}-{bay:03d}-{level}"
            for aisle in range(aisles)
            for bay in (range(bays) if aisle % 2 == 0 else reversed(range(bays)))
            for level in range(levels)
        ]

    def bin_at(self, number):
        return self.walk[number % len(self.walk)]

    def step(self, bin_code):
        return self.walk.index(bin_code)


class Clerk(threading.Thread):
    """Counts what was finished; sleeps until there is something."""

    def __init__(self):
        super().__init__(daemon=True)
        self.ready = threading.Condition()
        self.waiting = []
        self.seen = Counter()

    def run(self):
        while True:
            with self.ready:
                while not self.waiting:
                    self.ready.wait()
                batch, self.waiting = self.waiting, []
            for item in batch:
                if item is None:
                    return
                self.seen[item] += 1

    def tell(self, item):
        with self.ready:
            self.waiting.append(item)
            self.ready.notify()


def draw(seed):
    while True:
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield seed >> 8


def incoming(hall, count):
    numbers = draw(20)
    for number in range(count):
        for position in islice(numbers, 3):
            grams = position % 4000 + 50
            yield Line(
                order=number,
                sku=f"S{position % 90000:05d}",
                bin=hall.bin_at(position),
                zone=ZONES[position % len(ZONES)],
                quantity=position % 4 + 1,
                weight=Decimal(grams).scaleb(-3),
            )


def waves(lines, size):
    source = iter(lines)
    number = 0
    while chunk := list(islice(source, size)):
        yield Wave(number, chunk)
        number += 1


@strategy("zone")
def by_zone(hall, wave):
    return sorted(wave.lines, key=lambda line: (ZONES.index(line.zone), line.order))


@strategy("walk")
def by_walk(hall, wave):
    return sorted(wave.lines, key=lambda line: (hall.step(line.bin), line.order))


def sheet(wave, lines):
    page = io.StringIO()
    writer = csv.writer(page)
    writer.writerow(["wave", wave.number, "kg", wave.weight()])
    for line in lines:
        writer.writerow([line.bin, line.sku, line.quantity, line.weight])
    return page.getvalue()


class Planner:
    def __init__(self, hall, clerk):
        self.hall = hall
        self.clerk = clerk
        self.pages = hashlib.sha256()
        self.zones = defaultdict(Decimal)

    def plan(self, wave):
        for name in ("zone", "walk"):
            lines = STRATEGIES[name](self.hall, wave)
            self.pages.update(sheet(wave, lines).encode())
        for line in wave.lines:
            self.zones[line.zone] += line.weight
        self.clerk.tell(wave.number % 7)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    hall = Hall(aisles=24, bays=60, levels=5)
    clerk = Clerk()
    clerk.start()
    planner = Planner(hall, clerk)
    for wave in waves(incoming(hall, count), 240):
        planner.plan(wave)
    clerk.tell(None)
    clerk.join()
    heaviest = max(planner.zones, key=planner.zones.get)
    print(planner.pages.hexdigest()[:16], sum(clerk.seen.values()), heaviest, planner.zones[heaviest])


if __name__ == "__main__":
    main()
