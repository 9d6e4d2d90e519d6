"""Fires the tiles of a mosaic in a pool of kilns and reports how many came out whole."""

import multiprocessing
import sys
from collections import Counter

GLAZES = ("cobalt", "copper", "iron", "tin", "ash")


class Recipe:
    """How one glaze behaves in the fire."""

    def __init__(self, name):
        self.name = name
        self.curve = [(sum(name.encode()) * step) % 251 for step in range(1, 400)]

    def crack(self, heat):
        return self.curve[heat % len(self.curve)]


RECIPES = {name: Recipe(name) for name in GLAZES}


def fire(tile):
    """One tile through the kiln: heats up, rests, cools down."""
    number, glaze = tile
    recipe = RECIPES[glaze]
    heat = number
    strain = 0
    for step in range(1500):
        heat = (heat * 29 + step) % 1287
        strain += recipe.crack(heat)
    return glaze, strain % 17 != 0, strain % 1000


def tiles(count):
    for number in range(count):
        yield number, GLAZES[number * 3 % len(GLAZES)]


class Workshop:
    def __init__(self, kilns):
        self.kilns = kilns
        self.whole = Counter()
        self.strain = 0

    def take(self, result):
        glaze, whole, strain = result
        if whole:
            self.whole[glaze] += 1
        self.strain = (self.strain * 31 + strain) % 1000003

    def fire_all(self, count):
        with multiprocessing.Pool(self.kilns, maxtasksperchild=1) as pool:
            for result in pool.imap(fire, tiles(count), chunksize=1):
                self.take(result)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    workshop = Workshop(2)
    workshop.fire_all(count)
    print(", ".join(f"{glaze} {workshop.whole[glaze]}" for glaze in sorted(GLAZES)), "strain", workshop.strain)


if __name__ == "__main__":
    main()
