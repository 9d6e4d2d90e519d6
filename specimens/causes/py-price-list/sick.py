"""Exports a price list with a fixed column layout and checks what was written."""

import os
import random
import sys
import tempfile
import zlib

WIDTHS = (8, 24, 10, 6)
COLOURS = ("red", "green", "blue", "black", "white", "silver")
THINGS = ("kettle", "lamp", "chair", "desk", "clock", "mirror", "shelf")


class Sheet:
    """A text table; each field is padded to the width of its column."""

    def __init__(self, path, widths):
        self.file = open(path, "wb", buffering=0)
        self.widths = widths
        self.rows = 0

    def field(self, text, width, right):
        padded = text[:width].rjust(width) if right else text[:width].ljust(width)
        self.file.write(padded.encode("latin-1"))
        self.file.write(b"|")

    def row(self, values):
        for value, width in zip(values, self.widths):
            self.field(str(value), width, isinstance(value, (int, float)))
        self.file.write(b"\n")
        self.rows += 1

    def close(self):
        self.file.close()


def articles(count):
    draw = random.Random(55)
    for number in range(count):
        name = f"{draw.choice(COLOURS)} {draw.choice(THINGS)} no. {draw.randrange(500)}"
        yield number, name, draw.randrange(199, 99900), draw.randrange(90)


def discount(cents, stock):
    """Old stock is sold off."""
    if stock > 80:
        return cents * 7 // 10
    if stock > 60:
        return cents * 9 // 10
    return cents


def export(path, count):
    sheet = Sheet(path, WIDTHS)
    sheet.row(("number", "article", "price", "stock"))
    for number, name, cents, stock in articles(count):
        sheet.row((number, name, discount(cents, stock), stock))
    sheet.close()
    return sheet.rows


def proof(path):
    """Reads the list again: the sum of all prices, and a checksum."""
    total, check = 0, 0
    with open(path, "rb") as file:
        next(file)
        for line in file:
            cells = line.split(b"|")
            total += int(cells[2])
            check = zlib.crc32(line, check)
    return total, check


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "prices.txt")
        rows = export(path, count)
        total, check = proof(path)
        size = os.path.getsize(path)
    print("rows", rows, "bytes", size, "sum", total, "check", f"{check:08x}")


if __name__ == "__main__":
    main()
