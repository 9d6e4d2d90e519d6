"""Answers batches of shortest-way questions on a street network held in memory."""

import gc
import heapq
import random
import sys


class Crossing:
    __slots__ = ("number", "x", "y", "streets")

    def __init__(self, number, x, y):
        self.number = number
        self.x = x
        self.y = y
        self.streets = []


class Street:
    __slots__ = ("begin", "end", "length", "tags")

    def __init__(self, begin, end, length, tags):
        self.begin = begin
        self.end = end
        self.length = length
        self.tags = tags


def network(side):
    draw = random.Random(7)
    crossings = [Crossing(y * side + x, x, y) for y in range(side) for x in range(side)]
    for crossing in crossings:
        for dx, dy in ((1, 0), (0, 1)):
            x, y = crossing.x + dx, crossing.y + dy
            if x < side and y < side:
                other = crossings[y * side + x]
                street = Street(crossing, other, draw.randrange(20, 400), {"lanes": [draw.randrange(1, 4)]})
                crossing.streets.append(street)
                other.streets.append(street)
    return crossings


def way(crossings, start, goal, reach):
    """The length of the shortest way, or None beyond the reach."""
    best = {start: 0}
    border = [(0, start)]
    while border:
        length, number = heapq.heappop(border)
        if number == goal:
            return length
        if length > best[number] or length > reach:
            continue
        for street in crossings[number].streets:
            other = street.end if street.begin.number == number else street.begin
            total = length + street.length
            if total < best.get(other.number, 1 << 60):
                best[other.number] = total
                heapq.heappush(border, (total, other.number))
    return None


class Batch:
    def __init__(self, number):
        self.number = number
        self.answers = []

    def finish(self):
        """Adds up the batch and lets go of what it held."""
        found = [length for length in self.answers if length is not None]
        self.answers = []
        gc.collect()
        return len(found), sum(found)


def questions(draw, side):
    for _ in range(25):
        x, y = draw.randrange(side - 12), draw.randrange(side - 12)
        yield y * side + x, (y + draw.randrange(12)) * side + x + draw.randrange(12)


def serve(crossings, side, batches):
    draw = random.Random(99)
    total = [0, 0]
    for number in range(batches):
        batch = Batch(number)
        for start, goal in questions(draw, side):
            batch.answers.append(way(crossings, start, goal, 2400))
        found, length = batch.finish()
        total[0] += found
        total[1] += length
    return total


def main():
    batches = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    side = 240
    crossings = network(side)
    found, length = serve(crossings, side, batches)
    print("crossings", len(crossings), "found", found, "length", length)


if __name__ == "__main__":
    main()
