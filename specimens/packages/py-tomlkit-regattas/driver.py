"""Reads the programme of a season of regattas, which its clubs keep in one settings file."""
import sys

import tomlkit

CLUBS = ("north", "harbour", "river")


def programme(rounds):
    lines = ['title = "season"']
    for number in range(rounds):
        for club in CLUBS:
            lines += [
                "",
                f"[clubs.{club}.races.r{number}]",
                f'boats = {5 + number % 20}',
                f'start = "{8 + number % 9:02d}:30"',
            ]
    return "\n".join(lines) + "\n"


def boats(season):
    counts = {}
    for club, entry in season["clubs"].items():
        counts[club] = sum(race["boats"] for race in entry["races"].values())
    return counts


def read(text):
    return tomlkit.parse(text).unwrap()


def main():
    season = read(programme(int(sys.argv[1])))
    print(season["title"], boats(season))


main()
