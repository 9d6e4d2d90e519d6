"""Grades the apples of an orchard by weight and colour on all cores, and counts the crates of each grade."""
import sys

from tqdm.contrib.concurrent import process_map


def apples(count):
    seed = 11
    for _ in range(count):
        seed = (seed * 16807) % 2147483647
        yield seed % 251, 90 + seed // 256 % 160


def grade(apple):
    red, grams = apple
    score = red / 251 * 0.6 + min(grams, 220) / 220 * 0.4
    if score > 0.8:
        return "extra"
    return "first" if score > 0.55 else "juice"


def sort_all(fruit):
    return process_map(grade, fruit, max_workers=2, chunksize=500, desc="apples", disable=True)


def crates(grades):
    counted = {}
    for name in grades:
        counted[name] = counted.get(name, 0) + 1
    return sorted((name, -(-count // 60)) for name, count in counted.items())


def main():
    fruit = list(apples(int(sys.argv[1])))
    print(crates(sort_all(fruit)))


if __name__ == "__main__":
    main()
