"""Turns the boundary stones of the parishes from degrees into metres on the national grid and adds the lengths up."""
import math
import sys

from pyproj import Transformer


def stones(parishes):
    for parish in range(parishes):
        east, north = -2.5 + parish % 20 * 0.09, 51.2 + parish // 20 * 0.06
        yield [(east + 0.02 * math.cos(step * 0.9), north + 0.013 * math.sin(step * 0.9)) for step in range(7)]


GRID = Transformer.from_crs("EPSG:4326", "EPSG:27700", always_xy=True)


def on_grid(degrees):
    return GRID.transform(*degrees)


def length(boundary):
    metres = [on_grid(stone) for stone in boundary]
    return sum(math.dist(here, there) for here, there in zip(metres, metres[1:] + metres[:1]))


def main():
    lengths = [length(boundary) for boundary in stones(int(sys.argv[1]))]
    print(len(lengths), "parishes,", round(sum(lengths) / 1000), "km, longest", round(max(lengths)), "m")


main()
