"""Writes the monthly statements of a seed merchant from its order database."""
import hashlib
import os
import sqlite3
import sys
import tempfile
from dataclasses import dataclass, field

SCHEMA = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, town TEXT, discount INTEGER);
CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER, month INTEGER);
CREATE TABLE item (id INTEGER PRIMARY KEY, purchase_id INTEGER, seed TEXT, grams INTEGER, cents INTEGER);
CREATE INDEX item_purchase ON item (purchase_id);
"""
SEEDS = ["clover", "vetch", "rye", "lucerne", "sainfoin", "fescue"]


def fill(path, purchases):
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    customers = purchases // 20 + 1
    db.executemany(
        "INSERT INTO customer VALUES (?, ?, ?, ?)",
        ((n, f"farm {n}", f"town {n % 31}", n % 4 * 5) for n in range(customers)),
    )
    db.executemany(
        "INSERT INTO purchase VALUES (?, ?, ?)",
        ((n, n * 7919 % customers, n % 12) for n in range(purchases)),
    )
    db.executemany(
        "INSERT INTO item VALUES (?, ?, ?, ?, ?)",
        ((n, n // 2, SEEDS[n % 6], 200 + n * 31 % 900, 40 + n * 17 % 700) for n in range(purchases * 2)),
    )
    db.commit()
    db.close()


@dataclass
class Purchase:
    number: int
    month: int
    town: str
    discount: int
    items: list = field(default_factory=list)

    def total(self):
        return sum(grams * cents for _, grams, cents in self.items) * (100 - self.discount) // 100_000


class Store:
    def __init__(self, path):
        self.db = sqlite3.connect(path)

    def close(self):
        self.db.close()

    def customer(self, number):
        return self.db.execute("SELECT town, discount FROM customer WHERE id = ?", (number,)).fetchone()

    def items(self, purchase):
        return self.db.execute(
            "SELECT seed, grams, cents FROM item WHERE purchase_id = ? ORDER BY id", (purchase,)
        ).fetchall()

    def purchases(self):
        rows = self.db.execute("SELECT id, month, customer_id FROM purchase ORDER BY id").fetchall()
        for number, month, customer in rows:
            town, discount = self.customer(customer)
            yield Purchase(number, month, town, discount, self.items(number))


def statement(purchase):
    lines = [f"purchase {purchase.number} of month {purchase.month + 1}, {purchase.town}"]
    for seed, grams, cents in purchase.items:
        lines.append(f"  {seed:<10}{grams:>7} g at {cents}")
    lines.append(f"  due {purchase.total()}")
    return "\n".join(lines)


def month_end(store):
    towns = {}
    seal = hashlib.sha256()
    for purchase in store.purchases():
        towns[purchase.town] = towns.get(purchase.town, 0) + purchase.total()
        seal.update(statement(purchase).encode())
    return towns, seal.hexdigest()


def main():
    purchases = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "orders.db")
        fill(path, purchases)
        store = Store(path)
        towns, seal = month_end(store)
        store.close()
    best = max(towns, key=towns.get)
    print(f"purchases {purchases} towns {len(towns)} best {best} {towns[best]} seal {seal[:16]}")


main()
