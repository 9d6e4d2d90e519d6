"""The journal of a beekeeper: sorts its lines into weighings, visits and remarks."""

import email.message  # noqa: F401 - the journal is mailed in the real thing
import re
import sys
from collections import Counter
from dataclasses import dataclass, field

WEIGHING = re.compile(r"hive (\d+): (\d+)\.(\d) kg")
VISIT = re.compile(r"visited by (?P<who>[a-z]+) at (?P<hour>\d\d)h")
REMARK = re.compile(r"((?:[a-z]+,? ?)+)\.")
WORDS = "the queen was seen near brood and honey while gorse grew by stone walls".split()


def draws(seed):
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def write_lines(count):
    """A season of made-up lines; some remarks end in a question mark."""
    draw = draws(1851)
    for number in range(count):
        kind = next(draw) % 4
        if kind == 0:
            yield f"hive {next(draw) % 40}: {10 + next(draw) % 50}.{next(draw) % 10} kg"
        elif kind == 1:
            yield f"visited by {WORDS[next(draw) % len(WORDS)]} at {next(draw) % 24:02d}h"
        else:
            words = [WORDS[next(draw) % len(WORDS)] for _ in range(5)]
            end = "?" if number % 11 == 0 else "."
            yield " ".join(words) + end


@dataclass
class Hive:
    number: int
    weights: list = field(default_factory=list)

    @property
    def gain(self):
        return max(self.weights) - min(self.weights)


class Journal:
    def __init__(self):
        self.hives = {}
        self.visits = Counter()
        self.remarks = Counter()
        self.unclear = []

    def weigh(self, match):
        number = int(match.group(1))
        hive = self.hives.setdefault(number, Hive(number))
        hive.weights.append(int(match.group(2)) * 10 + int(match.group(3)))

    def is_remark(self, line):
        return REMARK.fullmatch(line) is not None

    def classify(self, line):
        if match := WEIGHING.fullmatch(line):
            self.weigh(match)
        elif match := VISIT.fullmatch(line):
            self.visits[match["who"], int(match["hour"]) // 6] += 1
        elif self.is_remark(line):
            for word in line.rstrip(".").split():
                self.remarks[word.strip(",")] += 1
        else:
            self.unclear.append(line)

    def read(self, lines):
        for line in lines:
            self.classify(line.strip())

    def report(self):
        gains = sorted(((hive.gain, hive.number) for hive in self.hives.values()), reverse=True)
        yield f"{len(self.hives)} hives, best {gains[0]}"
        yield f"{sum(self.visits.values())} visits, {len(self.visits)} kinds"
        yield f"{sum(self.remarks.values())} words, most {self.remarks.most_common(2)}"
        yield f"{len(self.unclear)} unclear"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    journal = Journal()
    journal.read(write_lines(count))
    for line in journal.report():
        print(line)


if __name__ == "__main__":
    main()
