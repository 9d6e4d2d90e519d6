"""Fills word squares (the same words across and down), the first letters shared out over processes."""

import os
import random
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor

SIZE = 5


def lexicon(count):
    chance = random.Random(20)
    letters = "eeeaaoorrssttlinnidcump"
    words = set()
    while len(words) < count:
        words.add("".join(chance.choice(letters) for _ in range(SIZE)))
    return sorted(words)


def prefixes(words):
    found = defaultdict(list)
    for word in words:
        for length in range(SIZE):
            found[word[:length]].append(word)
    return found


def fill(square, starts):
    """The number of ways to finish the square."""
    row = len(square)
    if row == SIZE:
        return 1
    wanted = "".join(word[row] for word in square)
    return sum(fill(square + [word], starts) for word in starts.get(wanted, ()))


_starts = None


def prepare(count):
    global _starts
    _starts = prefixes(lexicon(count))


def squares_from(first):
    return first, fill([first], _starts)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    words = lexicon(count)
    workers = min(2, len(os.sched_getaffinity(0)))
    with ProcessPoolExecutor(workers, initializer=prepare, initargs=(count,)) as pool:
        found = dict(pool.map(squares_from, words, chunksize=8))
    best = max(found, key=lambda word: (found[word], word))
    print(f"{sum(found.values())} squares, most from {best}: {found[best]}")


if __name__ == "__main__":
    main()
