"""Serves photographs of lichens through a cache that forgets the plate that came in first."""

import sys
import zlib


class Plates:
    """The store of plates on glass; developing one takes a little work."""

    def __init__(self):
        self.developed = 0

    def develop(self, number):
        self.developed += 1
        tone = number
        for bath in (3, 5, 7):
            tone = (tone * 1103515245 + bath) & 0x7FFFFFFF
        return f"{number}:{tone % 4096}"


class Cache:
    """Keeps at most `room` plates at hand, first in, first out."""

    def __init__(self, plates, room):
        self.plates = plates
        self.room = room
        self.held = {}
        self.hits = 0

    def fetch(self, number):
        plate = self.held.get(number)
        if plate is not None:
            self.hits += 1
            return plate
        plate = self.plates.develop(number)
        if len(self.held) >= self.room:
            self.drop_first()
        self.held[number] = plate
        return plate

    def drop_first(self):
        first = next(iter(self.held))
        del self.held[first]


class Visitors:
    """Visitors walk along the shelves and now and then look back."""

    def __init__(self, seed):
        self.state = seed
        self.shelf = 0

    def wish(self):
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        if self.state >> 28 < 3:
            return max(0, self.shelf - (self.state >> 8) % 60000)
        self.shelf += 1
        return self.shelf


def fingerprint(mark, plate):
    return zlib.crc32(plate.encode(), mark)


def open_day(cache, visitors, wishes):
    mark = 0
    for _ in range(wishes):
        mark = fingerprint(mark, cache.fetch(visitors.wish()))
    return mark


def main():
    wishes = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    plates = Plates()
    cache = Cache(plates, 30000)
    mark = open_day(cache, Visitors(1877), wishes)
    print(f"hits {cache.hits} developed {plates.developed} mark {mark:08x}")


if __name__ == "__main__":
    main()
