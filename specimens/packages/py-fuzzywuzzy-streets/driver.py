"""Matches addresses as people typed them with the streets of a town."""
import random
import sys

from fuzzywuzzy import fuzz, process

NAMES = ["Abbey", "Birch", "Castle", "Dover", "Elm", "Ferry", "Garden", "Harbour", "Island", "Juniper"]
KINDS = ["Street", "Avenue", "Crescent", "Square", "Hill"]


def streets():
    return [f"{first} {second} {kind}" for first in NAMES for second in NAMES[:5] for kind in KINDS]


def typed(street, chance):
    letters = list(street)
    del letters[chance.randrange(len(letters))]
    letters[chance.randrange(len(letters))] = "x"
    return "".join(letters)


def match(count):
    chance = random.Random(7)
    known = streets()
    found = 0
    for _ in range(count):
        street = chance.choice(known)
        best, score = process.extractOne(typed(street, chance), known, scorer=fuzz.ratio)
        found += score > 60 and best in known
    return found


print(match(int(sys.argv[1])))
