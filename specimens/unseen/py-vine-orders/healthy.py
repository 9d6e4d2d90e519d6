"""Monthly statement of a wine merchant: what each region bought."""

import sqlite3
import sys
import threading
import zlib
from collections import defaultdict


class Column:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, row, owner=None):
        return self if row is None else row.values[self.name]


class Link:
    """A row of another table, found by its key."""

    def __init__(self, target, key):
        self.target, self.key = target, key

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, row, owner=None):
        if row is None:
            return self
        if self.name not in row.links:
            row.links[self.name] = row.store.by_id(self.target, row.values[self.key])
        return row.links[self.name]


class Row:
    table = ""

    def __init__(self, store, values):
        self.store, self.values, self.links = store, values, {}


class Region(Row):
    table = "region"
    name, rebate = Column(), Column()


class Buyer(Row):
    table = "buyer"
    name = Column()
    region = Link(Region, "region_id")


class Order(Row):
    table = "orders"
    bottles, price = Column(), Column()
    buyer = Link(Buyer, "buyer_id")


class Store:
    def __init__(self, connection):
        self.connection = connection
        connection.row_factory = self.as_dict

    @staticmethod
    def as_dict(cursor, row):
        return dict(zip((column[0] for column in cursor.description), row))

    def by_id(self, kind, key):
        found = self.connection.execute(f"SELECT * FROM {kind.table} WHERE id = ?", (key,)).fetchone()
        return kind(self, found)

    def all(self, kind, month):
        query = f"SELECT * FROM {kind.table} WHERE month = ?"
        return [kind(self, values) for values in self.connection.execute(query, (month,))]

    def load(self, rows, link):
        kind, name = link.target, link.name
        keys = sorted({row.values[link.key] for row in rows})
        found = {}
        for start in range(0, len(keys), 500):
            part = keys[start:start + 500]
            marks = ",".join("?" * len(part))
            for values in self.connection.execute(f"SELECT * FROM {kind.table} WHERE id IN ({marks})", part):
                found[values["id"]] = kind(self, values)
        for row in rows:
            row.links[name] = found[row.values[link.key]]
        return list(found.values())


def fill(connection, orders):
    connection.executescript("""
        CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT, rebate INTEGER);
        CREATE TABLE buyer (id INTEGER PRIMARY KEY, name TEXT, region_id INTEGER);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, month INTEGER, buyer_id INTEGER, bottles INTEGER, price INTEGER);
        CREATE INDEX by_month ON orders (month);""")
    connection.executemany("INSERT INTO region VALUES (?, ?, ?)", ((i, f"region {i}", i % 7) for i in range(40)))
    connection.executemany("INSERT INTO buyer VALUES (?, ?, ?)", ((i, f"buyer {i}", i * 31 % 40) for i in range(3000)))
    connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?)",
                           ((i, i % 3, i * 7919 % 3000, i % 11 + 1, 400 + i % 900) for i in range(orders)))
    connection.commit()


class Heartbeat(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.done = threading.Event()
        self.beats = 0

    def run(self):
        while not self.done.wait(0.05):
            self.beats += zlib.crc32(b"alive" * 2000) & 1


def invoice(order):
    gross = order.bottles * order.price
    return gross - gross * order.buyer.region.rebate // 100


def statement(store, month):
    sums, bottles = defaultdict(int), defaultdict(int)
    orders = store.all(Order, month)
    store.load(store.load(orders, Order.buyer), Buyer.region)
    for order in orders:
        region = order.buyer.region.name
        sums[region] += invoice(order)
        bottles[region] += order.bottles
    return sums, bottles


def show(sums, bottles):
    width = max(map(len, sums))
    lines = [f"{name:<{width}} {bottles[name]:>7} {amount / 100:>12.2f}" for name, amount in sorted(sums.items())]
    return zlib.crc32("\n".join(lines).encode())


def main():
    orders = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    connection = sqlite3.connect(":memory:")
    fill(connection, orders)
    pulse = Heartbeat()
    pulse.start()
    store = Store(connection)
    checks = [show(*statement(store, month)) for month in range(3)]
    pulse.done.set()
    print("statement", *checks)


if __name__ == "__main__":
    main()
