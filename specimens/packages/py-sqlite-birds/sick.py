"""Enters the birds that were seen on a walk, and counts the species."""
import os
import shutil
import sys
import tempfile

from sqlite_utils import Database

SPECIES = ["wren", "heron", "rook", "teal", "swift", "owl", "kite"]


def sightings(count):
    for number in range(count):
        yield {"id": number, "species": SPECIES[number * 5 % len(SPECIES)], "metres": number * 37 % 400}


def enter(base, count):
    birds = base["birds"]
    for sighting in sightings(count):
        birds.insert(sighting, pk="id")


def species(base):
    return len(list(base.query("SELECT DISTINCT species FROM birds")))


folder = tempfile.mkdtemp(prefix="birds-")
try:
    walk = Database(os.path.join(folder, "birds.db"))
    enter(walk, int(sys.argv[1]))
    print(walk["birds"].count, species(walk))
finally:
    shutil.rmtree(folder)
