"""Marks the answers of pupils, in another process lest one of them takes for ever."""
import sys

from pebble import ProcessPool

WORDS = {f"word{number}": f"Wort{number}" for number in range(40_000)}


def answers(pupil):
    return {f"word{number}": f"Wort{number + (number % 5 == pupil % 5)}" for number in range(pupil % 7, 60)}


def mark(given):
    return sum(WORDS[word] == answer for word, answer in given.items())


def school(count):
    marks = []
    with ProcessPool(max_workers=1) as pool:
        for pupil in range(count):
            marks.append(pool.schedule(mark, args=[answers(pupil)], timeout=5).result())
    return marks


if __name__ == "__main__":
    marks = school(int(sys.argv[1]))
    print(max(marks), sum(marks))
