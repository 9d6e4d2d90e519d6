"""Reads the labels of thread spools: every maker writes shade, weight and length in a way of its own."""

import hashlib
import itertools
import re
import sys
from dataclasses import dataclass

MAKERS = 640
FIBRES = ["cotton", "linen", "silk", "wool", "rayon"]


@dataclass
class Maker:
    code: str
    fibre: str
    pattern: str


def pattern_of(number, code, fibre):
    mark = "".join(chr(ord("a") + (number * 7 + place) % 26) for place in range(3))
    sort = number % 3
    if sort == 0:
        return rf"^{code}[-/](?P<shade>[A-Z]{{1,2}}\d{{2,4}})\s+(?:{fibre}|{mark})\s+(?P<weight>\d+)\s*g\s+(?P<length>\d+)\s*m$"
    if sort == 1:
        return rf"^(?P<length>\d+)m\s*x\s*(?P<weight>\d+)g\s+(?:{mark}\s+)?{code}\s+shade\s+(?P<shade>[A-Z]{{1,2}}\d{{2,4}})$"
    return rf"^(?:{fibre}|{mark})\s*:\s*(?P<weight>\d+)g,\s*(?P<length>\d+)m,\s*(?P<shade>[A-Z]{{1,2}}\d{{2,4}})\s*\({code}\)$"


def all_makers():
    makers = {}
    for number in range(MAKERS):
        code = f"M{number:03d}"
        fibre = FIBRES[number % len(FIBRES)]
        makers[code] = Maker(code, fibre, pattern_of(number, code, fibre))
    return makers


def write_label(maker, number):
    shade = f"{chr(65 + number % 26)}{100 + number * 13 % 880}"
    weight = 20 + number * 3 % 60
    length = 100 + number * 17 % 800
    sort = int(maker.code[1:]) % 3
    if sort == 0:
        return f"{maker.code}-{shade}  {maker.fibre} {weight} g {length} m"
    if sort == 1:
        return f"{length}m x {weight}g {maker.code} shade {shade}"
    return f"{maker.fibre}: {weight}g, {length}m, {shade} ({maker.code})"


def deliveries(makers, count):
    """The crates come in as the vans go round the makers."""
    turn = itertools.cycle(makers.values())
    for number in range(count):
        maker = next(turn)
        yield maker.code, write_label(maker, number)


class Reader:
    def __init__(self, makers):
        self.makers = makers
        self.unread = 0

    def read(self, code, label):
        found = re.match(self.makers[code].pattern, label)
        if found is None:
            self.unread += 1
            return None
        return found["shade"], int(found["weight"]), int(found["length"])


class Store:
    def __init__(self):
        self.metres = {}
        self.seal = hashlib.sha256()

    def put(self, fibre, shade, weight, length):
        key = (fibre, shade[0])
        self.metres[key] = self.metres.get(key, 0) + length
        self.seal.update(f"{fibre}{shade}{weight}{length}".encode())

    def fineness(self, weight, length):
        tex = weight * 1000.0 / length
        return 590.5 / tex


def main():
    makers = all_makers()
    reader = Reader(makers)
    store = Store()
    finest = 0.0
    for code, label in deliveries(makers, int(sys.argv[1])):
        read = reader.read(code, label)
        if read is None:
            continue
        shade, weight, length = read
        store.put(makers[code].fibre, shade, weight, length)
        finest = max(finest, store.fineness(weight, length))
    print("kinds", len(store.metres), "metres", sum(store.metres.values()), "unread", reader.unread,
          "finest", round(finest, 3), "seal", store.seal.hexdigest()[:12])


if __name__ == "__main__":
    main()
