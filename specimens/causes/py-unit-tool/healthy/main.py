"""A command-line tool that converts measures: `main.py length 4000`."""

import sys
from fractions import Fraction

import families


def lines(count):
    """What a user would type, one measure in a line."""
    units = ("yard", "inch", "mile", "foot")
    for number in range(count):
        yield f"{number * 37 % 1000}/{1 + number % 7} {units[number % 4]}"


def convert(family, text):
    amount, unit = text.split()
    above, below = amount.split("/")
    return Fraction(int(above), int(below)) * family.FACTORS[unit]


def total(family, count):
    mean, largest = Fraction(0), Fraction(0)
    for text in lines(count):
        value = convert(family, text)
        largest = max(largest, value)
        mean += Fraction(int(value * 100), 100 * count)
    return mean, largest


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "length"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    mean, largest = total(families.find(name), count)
    print(name, "mean", round(float(mean), 6), "largest", largest, "known", len(families.NAMES))


if __name__ == "__main__":
    main()
