"""Willow crates: what each grower delivered this year and what is owed, from a small database."""

import os
import sqlite3
import sys
import tempfile
from contextlib import closing

SCHEMA = """
create table grower (id integer primary key, name text, region integer);
create table crate (id integer primary key, grower integer, grade integer, kilos integer);
create table price (region integer primary key, cents integer);
create index crate_grower on crate (grower);
"""


class Store:
    """All the statements in one place."""

    def __init__(self, connection):
        self.connection = connection
        self.asked = 0

    def fill(self, growers):
        self.connection.executescript(SCHEMA)
        self.connection.executemany(
            "insert into grower values (?, ?, ?)",
            ((number, f"grower {number * 7919 % 10007}", number % 23) for number in range(growers)),
        )
        self.connection.executemany(
            "insert into crate (grower, grade, kilos) values (?, ?, ?)",
            ((number % growers, number % 3, 5 + number * 31 % 40) for number in range(growers * 2)),
        )
        self.connection.executemany(
            "insert into price values (?, ?)", ((region, 90 + region * 7 % 50) for region in range(23))
        )
        self.connection.commit()

    def query(self, text, *values):
        self.asked += 1
        return self.connection.execute(text, values)

    def all_growers(self):
        return self.query("select id, name, region from grower order by id").fetchall()

    def crates_of(self, grower):
        return self.query("select count(*), sum(kilos) from crate where grower = ? and grade < 2", grower).fetchone()

    def price_of(self, region):
        return self.query("select cents from price where region = ?", region).fetchone()[0]


class Line:
    __slots__ = ("name", "crates", "kilos", "cents")

    def __init__(self, name, crates, kilos, cents):
        self.name = name
        self.crates = crates
        self.kilos = kilos or 0
        self.cents = cents

    @property
    def owed(self):
        return self.kilos * self.cents

    def bar(self):
        return "#" * (self.kilos // 10) + "." * (12 - self.kilos // 10)


class Report:
    def __init__(self, store):
        self.store = store

    def growers(self):
        """A line for each grower, in the order of their numbers."""
        for number, name, region in self.store.all_growers():
            crates, kilos = self.store.crates_of(number)
            yield Line(name, crates, kilos, self.store.price_of(region))

    def summary(self):
        owed = kilos = marks = 0
        best = None
        for line in self.growers():
            owed += line.owed
            kilos += line.kilos
            marks += line.bar().count("#")
            if best is None or line.owed > best.owed:
                best = line
        return f"{kilos} kg, owed {owed / 100:.2f}, most to {best.name} ({best.crates} crates), marks {marks}"


def main():
    growers = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(os.path.join(folder, "crates"))) as connection:
        store = Store(connection)
        store.fill(growers)
        print(Report(store).summary())


if __name__ == "__main__":
    main()
