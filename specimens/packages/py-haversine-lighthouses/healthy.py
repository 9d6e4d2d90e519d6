"""Tells for each ship of a fleet how far it is from the nearest lighthouse."""
import sys

import numpy
from haversine import Unit, haversine_vector


def lighthouses(count):
    return [(35 + number * 7 % 300 / 10, -10 + number * 11 % 400 / 10) for number in range(count)]


def positions(count):
    return [(34 + number * 13 % 3200 / 100, -11 + number * 17 % 4200 / 100) for number in range(count)]


def survey(ships, lights):
    lights = numpy.array(lights)
    miles = []
    for start in range(0, len(ships), 200):
        ranges = haversine_vector(lights, numpy.array(ships[start:start + 200]), unit=Unit.NAUTICAL_MILES, comb=True)
        miles.extend(ranges.min(axis=1))
    return miles


def main():
    lights = lighthouses(400)
    miles = survey(positions(int(sys.argv[1])), lights)
    print(f"{max(miles):.1f} {sum(miles) / len(miles):.2f}")


main()
