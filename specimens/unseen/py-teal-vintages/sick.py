"""Ranks wine lots against a reference cellar, lot by lot, in two worker processes."""
import functools
import math
import multiprocessing
import random
import sys

REGIONS = ["rhone", "mosel", "douro", "etna", "jura", "baden"]


class Bottle:
    __slots__ = ("region", "year", "sugar", "acid", "points")

    def __init__(self, region, year, sugar, acid, points):
        self.region = region
        self.year = year
        self.sugar = sugar
        self.acid = acid
        self.points = points


def cellar(count):
    dice = random.Random(7)
    book = {}
    for i in range(count):
        region = dice.choice(REGIONS)
        bottle = Bottle(region, 1970 + dice.randrange(50), dice.random() * 9, 3 + dice.random() * 5, dice.randrange(60, 100))
        book.setdefault((region, bottle.year), []).append(bottle)
    return book


def lots(count):
    dice = random.Random(11)
    for i in range(count):
        yield {
            "lot": i,
            "region": dice.choice(REGIONS),
            "year": 1972 + dice.randrange(46),
            "sugar": dice.random() * 9,
            "acid": 3 + dice.random() * 5,
        }


def distance(lot, bottle):
    sugar = lot["sugar"] - bottle.sugar
    acid = (lot["acid"] - bottle.acid) * 1.7
    age = (lot["year"] - bottle.year) * 0.4
    return math.sqrt(sugar * sugar + acid * acid + age * age)


def score(book, lot):
    best = []
    for year in range(lot["year"] - 2, lot["year"] + 3):
        for bottle in book.get((lot["region"], year), ()):
            best.append((distance(lot, bottle), bottle.points))
    best.sort()
    near = best[:5]
    if not near:
        return lot["lot"], 0
    return lot["lot"], round(sum(points for _, points in near) / len(near))


def medal(points):
    if points >= 88:
        return "gold"
    if points >= 82:
        return "silver"
    return "none"


def rank(book, wanted):
    medals = {}
    checksum = 0
    with multiprocessing.Pool(2) as pool:
        for number, points in pool.imap(functools.partial(score, book), wanted):
            medals[medal(points)] = medals.get(medal(points), 0) + 1
            checksum = (checksum * 31 + number * points) % 1000003
        pool.close()
        pool.join()
    return medals, checksum


def main():
    book = cellar(9000)
    medals, checksum = rank(book, list(lots(int(sys.argv[1]))))
    print(" ".join(f"{name}={medals[name]}" for name in sorted(medals)), checksum)


if __name__ == "__main__":
    main()
