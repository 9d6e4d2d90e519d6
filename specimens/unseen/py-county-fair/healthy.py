"""Keeps the prizes of a county fair in a data base and prints the table of the villages."""

import hashlib
import os
import sqlite3
import sys
import tempfile
import zlib

CLASSES = ["apples", "bees", "cider", "dahlias", "eggs", "fleece", "geese", "honey"]
VILLAGES = [f"{first}{last}" for first in ("Ash", "Beck", "Cold", "Down", "Elm") for last in ("ford", "ham", "ley", "wick")]


def entries(count):
    state = 2024
    for number in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        yield (
            number,
            (state >> 4) % 9000,
            CLASSES[(state >> 9) % len(CLASSES)],
            1950 + (state >> 13) % 70,
            (state >> 7) % 100,
        )


def people():
    for number in range(9000):
        yield number, f"person {number}", VILLAGES[number * 13 % len(VILLAGES)]


def fill(book, count):
    book.executescript(
        """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, village TEXT NOT NULL);
        CREATE TABLE entry (id INTEGER PRIMARY KEY, person INTEGER NOT NULL, class TEXT NOT NULL, year INTEGER NOT NULL,
                            mark INTEGER NOT NULL);
        """
    )
    with book:
        book.executemany("INSERT INTO person VALUES (?, ?, ?)", people())
        book.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", entries(count))
        book.execute("CREATE INDEX entry_year ON entry (year, class, mark)")


def winners(book):
    """The best mark of each class in each year: one pass over the index."""
    return book.execute("SELECT year, class, max(mark) FROM entry GROUP BY year, class ORDER BY year, class").fetchall()


def villages(book):
    return book.execute(
        """
        SELECT p.village, count(*), sum(e.mark), max(e.mark)
        FROM entry e JOIN person p ON p.id = e.person
        WHERE e.mark >= 40
        GROUP BY p.village
        ORDER BY 3 DESC, 1
        """
    ).fetchall()


def export(book, path):
    """All entries as text, packed, in the order of their numbers."""
    packer = zlib.compressobj(3)
    size = 0
    with open(path, "wb") as file:
        rows = book.execute("SELECT id, person, class, year, mark FROM entry ORDER BY id")
        while block := rows.fetchmany(4000):
            text = "\n".join(f"{a};{b};{c};{d};{e}" for a, b, c, d, e in block)
            size += len(text)
            file.write(packer.compress(text.encode()))
        file.write(packer.flush())
    return size


def seal(rows):
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()[:12]


def main():
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        book = sqlite3.connect(os.path.join(folder, "fair.db"))
        fill(book, count)
        best = winners(book)
        table = villages(book)
        size = export(book, os.path.join(folder, "fair.z"))
        book.close()
    print("winners", len(best), seal(best), "first", table[0][0], table[0][2], "text", size, "seal", seal(table))


if __name__ == "__main__":
    main()
