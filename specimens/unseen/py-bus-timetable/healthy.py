"""Prices a day of bus trips from a timetable and a zone table on disk."""

import json
import os
import sys
import tempfile
import threading


def write_zones(path, stops):
    zones = {
        f"stop-{number}": {"zone": number % 7, "hill": number % 3 == 0, "names": [f"Stop {number}", f"Halt {number}"]}
        for number in range(stops)
    }
    with open(path, "w", encoding="utf-8") as out:
        json.dump(zones, out)


def load_zones(path):
    if path not in LOADED:
        with open(path, encoding="utf-8") as table:
            LOADED[path] = json.load(table)
    return LOADED[path]


LOADED = {}


class Timetable:
    def __init__(self, zone_path, stops):
        self.zone_path = zone_path
        self.stops = stops

    def trips(self, count):
        state = 11
        for number in range(count):
            state = (state * 1103515245 + 12345) % 2147483648
            start = (state >> 8) % self.stops
            end = (start + 1 + (state >> 4) % 40) % self.stops
            yield number, f"stop-{start}", f"stop-{end}"

    def fare(self, start, end):
        zones = load_zones(self.zone_path)
        crossed = abs(zones[start]["zone"] - zones[end]["zone"])
        fare = 180 + 40 * crossed
        if zones[end]["hill"]:
            fare += 15
        return fare

    def price_day(self, count):
        takings = {}
        for number, start, end in self.trips(count):
            hour = 5 + number * 18 // count
            takings[hour] = takings.get(hour, 0) + self.fare(start, end)
        return takings


def rota(drivers, days):
    """A fair spread of early and late turns."""
    turns = [0] * drivers
    for day in range(days):
        for seat in range(drivers):
            turns[(seat * 3 + day) % drivers] += (seat + day) % 5
    return max(turns) - min(turns)


def tick(stop, beats):
    while not stop.wait(0.05):
        beats.append(len(beats))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    stop, beats = threading.Event(), []
    clock = threading.Thread(target=tick, args=(stop, beats))
    clock.start()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "zones.json")
        write_zones(path, 1500)
        table = Timetable(path, 1500)
        takings = table.price_day(count)
    spread = rota(40, 1500)
    stop.set()
    clock.join()
    print(f"takings {sum(takings.values())} in {len(takings)} hours, spread {spread}")


if __name__ == "__main__":
    main()
