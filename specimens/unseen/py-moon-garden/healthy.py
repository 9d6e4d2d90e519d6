"""A board game: gardens on the moon, searched a few moves deep."""

import random
import sys
from dataclasses import dataclass, field

SIZE = 9
CROPS = ("moss", "fern", "reed", "lotus")


@dataclass
class Plot:
    crop: str = ""
    water: int = 0
    age: int = 0
    marks: list = field(default_factory=list)


@dataclass
class Gardener:
    name: str
    seeds: dict
    score: int = 0


@dataclass
class Garden:
    plots: list
    gardeners: list
    turn: int = 0
    log: list = field(default_factory=list)

    @property
    def mover(self):
        return self.gardeners[self.turn % len(self.gardeners)]


def new_garden(seed):
    rng = random.Random(seed)
    plots = [[Plot(water=rng.randrange(4)) for _ in range(SIZE)] for _ in range(SIZE)]
    for _ in range(SIZE * 3):
        plot = plots[rng.randrange(SIZE)][rng.randrange(SIZE)]
        plot.crop, plot.age = rng.choice(CROPS), rng.randrange(5)
    gardeners = [Gardener(name, {crop: 9 for crop in CROPS}) for name in ("Ada", "Ben")]
    return Garden(plots, gardeners)


def near(row, column):
    for down, across in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= row + down < SIZE and 0 <= column + across < SIZE:
            yield row + down, column + across


def worth(garden, row, column, crop):
    """What a crop at this place would bring."""
    plot = garden.plots[row][column]
    points = plot.water * 2 - len(plot.marks)
    for down, across in near(row, column):
        other = garden.plots[down][across]
        if other.crop == crop:
            points += 3 + min(other.age, 4)
        elif other.crop:
            points -= 1
    return points


def moves(garden, width):
    """The most promising places, best first."""
    found = []
    for row in range(SIZE):
        for column in range(SIZE):
            if garden.plots[row][column].crop:
                continue
            for crop in CROPS:
                if garden.mover.seeds[crop]:
                    found.append((worth(garden, row, column, crop), row, column, crop))
    found.sort(reverse=True)
    return found[:width]


def apply(garden, move):
    points, row, column, crop = move
    plot, mover = garden.plots[row][column], garden.mover
    plot.crop = crop
    plot.marks.append(mover.name)
    mover.seeds[crop] -= 1
    mover.score += points
    garden.log.append((mover.name, row, column))
    garden.turn += 1


def take_back(garden, move):
    points, row, column, crop = move
    garden.turn -= 1
    garden.log.pop()
    plot, mover = garden.plots[row][column], garden.mover
    mover.score -= points
    mover.seeds[crop] += 1
    plot.marks.pop()
    plot.crop = ""


def lead(garden):
    one, other = garden.gardeners
    return one.score - other.score


class Player:
    def __init__(self, depth, width):
        self.depth, self.width, self.looked = depth, width, 0

    def value(self, garden, depth):
        self.looked += 1
        if depth == 0:
            return lead(garden)
        values = [self.after(garden, move, depth) for move in moves(garden, self.width)]
        if not values:
            return lead(garden)
        return max(values) if garden.turn % 2 == 0 else min(values)

    def after(self, garden, move, depth):
        apply(garden, move)
        value = self.value(garden, depth - 1)
        take_back(garden, move)
        return value

    def choose(self, garden):
        better = max if garden.turn % 2 == 0 else min
        return better(moves(garden, self.width), key=lambda move: (self.after(garden, move, self.depth), move))


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    garden, player = new_garden(7), Player(depth=2, width=5)
    for _ in range(rounds):
        apply(garden, player.choose(garden))
    print("lead", lead(garden), "looked at", player.looked, "last", garden.log[-1])


if __name__ == "__main__":
    main()
