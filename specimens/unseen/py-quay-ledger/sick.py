"""Enters the crates of ships into the ledger of a quay."""

import hashlib
import os
import sqlite3
import sys
import tempfile

SCHEMA = """
create table ship (id integer primary key, name text not null);
create table crate (id integer primary key, ship integer not null, goods text not null, weight integer, seal text);
"""

GOODS = ("tar", "rope", "salt", "wool", "tin", "slate", "oats")


class Ledger:
    def __init__(self, path):
        self.base = sqlite3.connect(path)
        self.base.executescript(SCHEMA)

    def enter_ship(self, name):
        row = self.base.execute("insert into ship (name) values (?)", (name,))
        return row.lastrowid

    def land(self, ship, goods, weight, mark):
        self.base.execute(
            "insert into crate (ship, goods, weight, seal) values (?, ?, ?, ?)",
            (ship, goods, weight, mark),
        )
        self.base.commit()

    def close_ship(self):
        self.base.commit()

    def totals(self):
        self.base.execute("create index by_goods on crate (goods)")
        rows = self.base.execute("select goods, count(*), sum(weight) from crate group by goods order by goods")
        return rows.fetchall()

    def close(self):
        self.base.close()


def seal(ship, number):
    mark = f"{ship}/{number}".encode()
    for _ in range(60):
        mark = hashlib.sha256(mark).digest()
    return mark.hex()[:16]


def crates(ship, count):
    state = ship * 7 + 1
    for number in range(count):
        state = (state * 48271) % 2147483647
        yield number, GOODS[state % len(GOODS)], 20 + state % 400


def unload(ledger, name, count):
    ship = ledger.enter_ship(name)
    for number, goods, weight in crates(ship, count):
        ledger.land(ship, goods, weight, seal(ship, number))
    ledger.close_ship()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(os.path.join(folder, "quay.db"))
        for name in ("Hope", "Swift"):
            unload(ledger, name, count // 2)
        totals = ledger.totals()
        ledger.close()
    print(", ".join(f"{goods} {number}/{weight}" for goods, number, weight in totals))


if __name__ == "__main__":
    main()
