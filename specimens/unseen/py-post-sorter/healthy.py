"""Sorts parcels over a system of belts and writes a log of the shift."""

import logging
import os
import re
import sys
import tempfile

ADDRESS = re.compile(r"^(?P<town>[A-Z][a-z]+) (?P<zone>\d{2})$")
TOWNS = ("Arden", "Brook", "Crewe", "Dover", "Exton")


def open_log(folder):
    handler = logging.FileHandler(os.path.join(folder, "shift.log"), encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s [%(threadName)s] %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    return handler


class Belt:
    log = logging.getLogger("post.belt")

    def __init__(self, number):
        self.number = number
        self.load = 0

    def pass_on(self, parcel, step):
        self.load += parcel["weight"]
        self.log.debug("belt %d step %d parcel %s load %d", self.number, step, parcel["id"], self.load)
        return (self.number * 5 + parcel["zone"] + step) % 8


class Hall:
    log = logging.getLogger("post.hall")

    def __init__(self):
        self.belts = [Belt(number) for number in range(8)]
        self.bins = {}
        self.lost = 0

    def read_address(self, parcel):
        match = ADDRESS.match(parcel["address"])
        if match is None:
            return None
        parcel["zone"] = int(match["zone"])
        return match["town"]

    def sort(self, parcel):
        town = self.read_address(parcel)
        if town is None:
            self.lost += 1
            if self.lost % 500 == 0:
                self.log.warning("%d parcels without a town", self.lost)
            return
        at = parcel["zone"] % 8
        for step in range(8):
            at = self.belts[at].pass_on(parcel, step)
        key = (town, at)
        self.bins[key] = self.bins.get(key, 0) + 1


def parcels(count):
    state = 3
    for number in range(count):
        state = (state * 16807) % 2147483647
        address = f"{TOWNS[state % 5]} {state % 90 + 10}" if state % 19 else "unknown"
        yield {"id": f"p{number:06}", "address": address, "weight": state % 30 + 1, "zone": 0}


def sort_all(hall, count):
    for parcel in parcels(count):
        hall.sort(parcel)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as folder:
        handler = open_log(folder)
        hall = Hall()
        sort_all(hall, count)
        handler.close()
    loads = [belt.load for belt in hall.belts]
    print(f"{len(hall.bins)} bins, lost {hall.lost}, loads {loads}")


if __name__ == "__main__":
    main()
