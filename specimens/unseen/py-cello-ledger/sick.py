"""Books the hire of instruments and notes for each entry which part of the shop made it."""

import inspect
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass

INSTRUMENTS = ("cello", "viola", "oboe", "horn", "harp")


@dataclass(frozen=True)
class Entry:
    instrument: str
    pence: int
    by: str


class Trail:
    """Who wrote what into the ledger."""

    def __init__(self):
        self.makers = Counter()

    def maker(self):
        name = inspect.stack()[2].function
        self.makers[name] += 1
        return name


class Ledger:
    def __init__(self):
        self.trail = Trail()
        self.sums = defaultdict(int)
        self.entries = []

    def book(self, instrument, pence):
        entry = Entry(instrument, pence, self.trail.maker())
        self.entries.append(entry)
        self.sums[instrument] += pence


class Shop:
    def __init__(self, ledger):
        self.ledger = ledger
        self.state = 1685

    def chance(self, limit):
        self.state = (self.state * 48271) % 2147483647
        return self.state % limit

    def hire(self, instrument):
        days = 1 + self.chance(30)
        self.ledger.book(instrument, 40 * days)

    def repair(self, instrument):
        cost = 0
        for part in range(1, 60):
            cost += self.chance(9) * part % 13
        self.ledger.book(instrument, -cost)

    def tune(self, instrument):
        pitch = 440.0
        for _ in range(80):
            pitch += (self.chance(21) - 10) / 50
        self.ledger.book(instrument, 15 if pitch > 440 else 10)

    def day(self, guests):
        work = (self.hire, self.repair, self.tune)
        for _ in range(guests):
            instrument = INSTRUMENTS[self.chance(len(INSTRUMENTS))]
            work[self.chance(3)](instrument)


def report(ledger):
    sums = ", ".join(f"{name} {ledger.sums[name]}" for name in INSTRUMENTS)
    makers = ", ".join(f"{name} {count}" for name, count in sorted(ledger.trail.makers.items()))
    return f"{len(ledger.entries)} entries; {sums}; {makers}"


def main():
    guests = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    ledger = Ledger()
    shop = Shop(ledger)
    for _ in range(10):
        shop.day(guests // 10)
    print(report(ledger))


if __name__ == "__main__":
    main()
