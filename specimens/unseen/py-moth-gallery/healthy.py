"""Prints the catalogue of a moth collection: pages of plates, by date of capture, with a summary of each page."""

import sqlite3
import sys
import tempfile
from pathlib import Path

FAMILIES = ("Geometridae", "Noctuidae", "Sphingidae", "Tortricidae", "Erebidae")
PAGE = 40

SCHEMA = """
CREATE TABLE site (id INTEGER PRIMARY KEY, name TEXT, height INTEGER);
CREATE TABLE moth (id INTEGER PRIMARY KEY, family TEXT, span REAL, caught TEXT, site INTEGER REFERENCES site(id));
CREATE INDEX moth_by_date ON moth (caught, id);
"""

PLATE = """
SELECT moth.caught, moth.id, moth.family, moth.span, site.name, site.height
FROM moth JOIN site ON site.id = moth.site
"""


def moths(count):
    state = 161
    for number in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        date = f"{1890 + state // 128 % 90}-{1 + state // 4096 % 12:02d}-{1 + state // 65536 % 28:02d}"
        yield number, FAMILIES[state // 16 % len(FAMILIES)], 8 + state % 900 / 10, date, state // 512 % 300


def fill(base, count):
    base.executescript(SCHEMA)
    sites = ((number, f"ravine {number}", number * 37 % 1900) for number in range(300))
    base.executemany("INSERT INTO site VALUES (?, ?, ?)", sites)
    base.executemany("INSERT INTO moth VALUES (?, ?, ?, ?, ?)", moths(count))
    base.commit()


class Collection:
    def __init__(self, base):
        self.base = base

    def count(self):
        return self.base.execute("SELECT count(*) FROM moth").fetchone()[0]

    def families(self):
        rows = self.base.execute("SELECT family, count(*), avg(span) FROM moth GROUP BY family ORDER BY family")
        return rows.fetchall()

    def page(self, after):
        order = PLATE + "WHERE (moth.caught, moth.id) > (?, ?) ORDER BY moth.caught, moth.id LIMIT ?"
        return self.base.execute(order, (*after, PAGE)).fetchall()

    def pages(self):
        after = ("", 0)
        while plates := self.page(after):
            yield plates
            after = plates[-1][:2]


def caption(plate):
    caught, number, family, span, site, height = plate
    return f"{caught} {family[:6]}. {number:05d} {span:5.1f} mm {site}, {height} m"


def sheet(plates):
    """The page as it is set: captions in two columns."""
    captions = [caption(plate) for plate in plates]
    half = (len(captions) + 1) // 2
    right = captions[half:] + [""] * (2 * half - len(captions))
    return "\n".join(f"{one:<52}{other}".rstrip() for one, other in zip(captions[:half], right))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as folder:
        base = sqlite3.connect(Path(folder) / "moths.db")
        base.execute("PRAGMA synchronous = OFF")
        fill(base, count)
        collection = Collection(base)
        letters = sheets = 0
        for plates in collection.pages():
            letters += len(sheet(plates))
            sheets += 1
        spans = ", ".join(f"{family} {number}/{span:.1f}" for family, number, span in collection.families())
        print(f"{collection.count()} moths on {sheets} sheets, {letters} letters; {spans}")
        base.close()


if __name__ == "__main__":
    main()
