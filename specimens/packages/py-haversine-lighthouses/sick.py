"""Tells for each ship of a fleet how far it is from the nearest lighthouse."""
import sys

from haversine import Unit, haversine


def lighthouses(count):
    return [(35 + number * 7 % 300 / 10, -10 + number * 11 % 400 / 10) for number in range(count)]


def positions(count):
    return [(34 + number * 13 % 3200 / 100, -11 + number * 17 % 4200 / 100) for number in range(count)]


def nearest(ship, lights):
    return min(haversine(ship, light, unit=Unit.NAUTICAL_MILES) for light in lights)


def survey(ships, lights):
    return [nearest(ship, lights) for ship in ships]


def main():
    lights = lighthouses(400)
    miles = survey(positions(int(sys.argv[1])), lights)
    print(f"{max(miles):.1f} {sum(miles) / len(miles):.2f}")


main()
