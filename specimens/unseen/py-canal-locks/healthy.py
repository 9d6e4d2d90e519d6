"""Books the passages of boats through the locks of a canal: one book for each lock, one line for each passage."""

import sys
import tempfile
from collections import Counter
from pathlib import Path

LOCKS = ("mill", "abbey", "upper", "lower", "weir", "forge", "chapel", "basin", "summit", "tunnel", "ford", "sea")
KINDS = {"barge": 40, "narrow": 15, "yacht": 12, "punt": 5}


class Water:
    """The level of each chamber; a passage takes some of it, the brook gives it back."""

    def __init__(self):
        self.level = dict.fromkeys(LOCKS, 5000)

    def draw(self, lock, length):
        level = self.level[lock]
        used = 120 + length * 3
        self.level[lock] = min(5000, level - used + 90 + (5000 - level) // 8)
        return used


class Books:
    def __init__(self, folder):
        self.folder = folder
        self.lines = Counter()
        self.open = {}

    def path(self, lock):
        return f"{self.folder}/{lock}.book"

    def enter(self, lock, line):
        if lock not in self.open:
            self.open[lock] = open(self.path(lock), "a", encoding="ascii")
        self.open[lock].write(line)
        self.lines[lock] += 1

    def close(self):
        for book in self.open.values():
            book.close()


def boats(count):
    """Each boat goes through a few locks that follow one another."""
    state = 1793
    kinds = sorted(KINDS)
    for number in range(count):
        state = (state * 69069 + 1) % 4294967296
        first = state // 4096 % len(LOCKS)
        stretch = 3 + state // 65536 % 5
        locks = [LOCKS[(first + step) % len(LOCKS)] for step in range(stretch)]
        yield f"{kinds[state // 64 % len(kinds)]}-{number % 1500:04d}", locks


def toll(kind, water):
    pence = KINDS[kind] * 4
    for _ in range(4):
        pence += (pence + water) // 40
    return pence


def season(count, books, water):
    earned = 0
    for number, (boat, locks) in enumerate(boats(count)):
        kind = boat.partition("-")[0]
        for place, lock in enumerate(locks):
            used = water.draw(lock, KINDS[kind])
            pence = toll(kind, used)
            earned += pence
            minute = number * 7 + place * 25
            books.enter(lock, f"{minute // 1440:03d} {minute // 60 % 24:02d}:{minute % 60:02d} {boat} {used} {pence}\n")
    return earned


def audit(books):
    """Reads the books again: the number of passages and the water."""
    passages = water = 0
    for lock in LOCKS:
        with open(books.path(lock), encoding="ascii") as book:
            for line in book:
                passages += 1
                water += int(line.split()[3])
    return passages, water


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        books = Books(Path(folder))
        earned = season(count, books, Water())
        books.close()
        passages, water = audit(books)
        if passages != books.lines.total():
            raise SystemExit("a line is lost")
    print(f"{passages} passages, {water} water, {earned} pence")


if __name__ == "__main__":
    main()
