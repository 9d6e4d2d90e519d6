"""Draws the map of the meadows a beekeeper's colonies reach: a circle round each hive, joined to one area."""
import math
import sys

from shapely.geometry import Point, Polygon


def hives(count):
    for number in range(count):
        angle = number * 2.399963
        away = 60 * math.sqrt(number)
        yield Point(round(away * math.cos(angle), 2), round(away * math.sin(angle), 2)), 30 + number * 17 % 40


def reach(hive, metres):
    return hive.buffer(metres, quad_segs=12)


def flown_over(circles):
    area = Polygon()
    for circle in circles:
        area = area.union(circle)
    return area


def gaps(area):
    parts = getattr(area, "geoms", [area])
    return sum(len(part.interiors) for part in parts)


def main():
    circles = [reach(hive, metres) for hive, metres in hives(int(sys.argv[1]))]
    area = flown_over(circles)
    print(len(circles), round(area.area), gaps(area))


main()
