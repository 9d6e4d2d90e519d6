"""Counts the otters of a county: every sighting is booked on the holt it was made at."""

import math
import statistics
import sys
import zlib
from collections import defaultdict

RIVERS = ["Alder", "Brent", "Cale", "Dore", "Esk", "Fal", "Gwash", "Hull", "Isle", "Jed", "Kent", "Lugg"]
BANKS = ("left", "right")


class Holt:
    """A den in the bank of a river; two of them are the same when the river, the bank and the metre agree."""

    __slots__ = ("river", "bank", "metre")

    def __init__(self, river, bank, metre):
        self.river = river
        self.bank = bank
        self.metre = metre

    def __eq__(self, other):
        return self.metre == other.metre and self.bank == other.bank and self.river == other.river

    def __hash__(self):
        return hash((self.river, self.bank))

    def __repr__(self):
        return f"{self.river}/{self.bank}/{self.metre}"


class Noise:
    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        return (self.state >> 33) % limit


def field_notes(count):
    """Lines as the volunteers send them in: river, bank, metre, adults, cubs."""
    noise = Noise(77)
    for _ in range(count):
        river = RIVERS[noise.below(len(RIVERS))]
        bank = BANKS[noise.below(2)]
        metre = noise.below(230) * 50
        yield f"{river};{bank};{metre};{1 + noise.below(3)};{noise.below(4)}"


def read_note(line):
    river, bank, metre, adults, cubs = line.split(";")
    return Holt(river, bank, int(metre)), int(adults), int(cubs)


def weight(adults, cubs, visit):
    """Late visits count a little less; cubs count half."""
    return (adults + 0.5 * cubs) * (1.0 - 0.1 * math.tanh(visit / 40.0))


class Census:
    def __init__(self):
        self.visits = defaultdict(int)
        self.otters = {}

    def book(self, line):
        holt, adults, cubs = read_note(line)
        self.visits[holt] += 1
        value = weight(adults, cubs, self.visits[holt])
        best = self.otters.get(holt, 0.0)
        if value > best:
            self.otters[holt] = value

    def by_river(self):
        totals = defaultdict(float)
        for holt, value in self.otters.items():
            totals[holt.river] += value
        return totals

    def spread(self):
        return statistics.pstdev(self.visits.values())


def main():
    count = int(sys.argv[1])
    census = Census()
    check = 0
    for line in field_notes(count):
        check = zlib.crc32(line.encode(), check)
        census.book(line)
    totals = census.by_river()
    busiest = max(totals, key=totals.get)
    print("holts", len(census.otters), "busiest", busiest, round(totals[busiest], 2),
          "spread", round(census.spread(), 3), "check", check)


if __name__ == "__main__":
    main()
