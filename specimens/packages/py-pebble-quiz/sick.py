"""Marks the answers of pupils, in another process lest one of them takes for ever."""
import sys

from pebble import concurrent

WORDS = {f"word{number}": f"Wort{number}" for number in range(40_000)}


def answers(pupil):
    return {f"word{number}": f"Wort{number + (number % 5 == pupil % 5)}" for number in range(pupil % 7, 60)}


@concurrent.process(timeout=5)
def mark(given):
    return sum(WORDS[word] == answer for word, answer in given.items())


def school(count):
    marks = []
    for pupil in range(count):
        marks.append(mark(answers(pupil)).result())
    return marks


if __name__ == "__main__":
    marks = school(int(sys.argv[1]))
    print(max(marks), sum(marks))
