"""Scales canteen recipes to the orders of the day."""

import sys
import zlib
from fractions import Fraction
from functools import lru_cache

UNITS = {"g": Fraction(1), "kg": Fraction(1000), "oz": Fraction(28349, 1000), "lb": Fraction(453592, 1000)}

RECIPES = {
    "soup": ["400 g carrot", "2 kg stock", "30 g salt", "5 oz cream"],
    "stew": ["3 lb beef", "900 g potato", "1 kg onion", "12 g pepper"],
    "bread": ["5 kg flour", "60 g yeast", "100 g salt", "3 kg water"],
    "salad": ["700 g leaves", "9 oz cheese", "200 g nuts", "80 g oil"],
}


@lru_cache(maxsize=64)
def parse(line):
    amount, unit, name = line.split(" ", 2)
    return Fraction(amount) * UNITS[unit], name


class Scaled:
    """A recipe made larger; keeps its lines for the kitchen printer."""

    def __init__(self, order, dish, lines):
        self.order = order
        self.dish = dish
        self.lines = lines

    def weight(self):
        return sum(grams for grams, _ in self.lines)

    def label(self):
        return "\n".join(f"{grams:>8} g {name}" for grams, name in self.lines)


@lru_cache(maxsize=None)
def scale(dish, guests, order):
    lines = []
    for line in RECIPES[dish]:
        grams, name = parse(line)
        whole = grams.numerator * guests * 100 // (grams.denominator * 40)
        lines.append((whole / 100, f"{name} for order {order:06d}".ljust(600)))
    return Scaled(order, dish, lines)


def orders(count):
    dishes = sorted(RECIPES)
    for number in range(count):
        yield number, dishes[number * 7 % 4], 10 + number * 13 % 190


class Kitchen:
    def __init__(self):
        self.weight = 0
        self.check = 0
        self.printed = 0

    def serve(self, order, dish, guests):
        scaled = scale(dish, guests, order)
        self.weight += scaled.weight()
        if guests > 30:
            self.check = zlib.crc32(scale(dish, guests, order).label().encode(), self.check)
            self.printed += 1


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    kitchen = Kitchen()
    for order in orders(count):
        kitchen.serve(*order)
    print("orders", count, "kg", round(kitchen.weight / 1000), "printed", kitchen.printed, f"{kitchen.check:08x}")


if __name__ == "__main__":
    main()
