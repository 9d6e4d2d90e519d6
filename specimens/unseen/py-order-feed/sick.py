"""Nightly feed: writes the shipped orders of a shop as CSV for the warehouse partner."""
import csv
import os
import shutil
import sqlite3
import sys
import tempfile
import zlib

SCHEMA = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE product  (id INTEGER PRIMARY KEY, sku TEXT NOT NULL, weight INTEGER NOT NULL);
CREATE TABLE orders   (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, state TEXT NOT NULL);
CREATE TABLE line     (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, product_id INTEGER NOT NULL,
                       quantity INTEGER NOT NULL);
CREATE INDEX line_order ON line (order_id);
"""
COUNTRIES = ("AT", "BE", "CH", "DE", "DK", "FR", "IT", "NL")


class Dice:
    """Small repeatable generator, so that each night is the same night."""

    def __init__(self, seed):
        self.state = seed

    def roll(self, sides):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % sides


def open_shop(path, orders):
    dice = Dice(20240229)
    shop = sqlite3.connect(path)
    shop.executescript(SCHEMA)
    customers = max(10, orders // 4)
    shop.executemany(
        "INSERT INTO customer VALUES (?, ?, ?)",
        ((i, f"Customer {i:06d}", COUNTRIES[dice.roll(len(COUNTRIES))]) for i in range(customers)),
    )
    shop.executemany(
        "INSERT INTO product VALUES (?, ?, ?)",
        ((i, f"SKU-{i * 7919 % 100000:05d}", 50 + dice.roll(4000)) for i in range(3000)),
    )
    shop.executemany(
        "INSERT INTO orders VALUES (?, ?, ?)",
        ((i, dice.roll(customers), "shipped" if dice.roll(10) else "held") for i in range(orders)),
    )
    shop.executemany(
        "INSERT INTO line (order_id, product_id, quantity) VALUES (?, ?, ?)",
        ((i // 3, dice.roll(3000), 1 + dice.roll(4)) for i in range(orders * 3)),
    )
    shop.commit()
    return shop


class Feed:
    def __init__(self, shop):
        self.shop = shop

    def shipped(self):
        cursor = self.shop.execute("SELECT id, customer_id FROM orders WHERE state = 'shipped' ORDER BY id")
        return cursor.fetchall()

    def address(self, customer_id):
        row = self.shop.execute("SELECT name, country FROM customer WHERE id = ?", (customer_id,))
        return row.fetchone()

    def contents(self, order_id):
        found = []
        lines = self.shop.execute(
            "SELECT product_id, quantity FROM line WHERE order_id = ? ORDER BY id", (order_id,)
        ).fetchall()
        for product_id, quantity in lines:
            sku, weight = self.shop.execute(
                "SELECT sku, weight FROM product WHERE id = ?", (product_id,)
            ).fetchone()
            found.append((sku, weight, quantity))
        return found

    def rows(self):
        for order_id, customer_id in self.shipped():
            name, country = self.address(customer_id)
            for sku, weight, quantity in self.contents(order_id):
                yield order_id, name, country, sku, quantity, weight * quantity


def parcel_class(grams):
    if grams <= 500:
        return "letter"
    if grams <= 2000:
        return "small"
    if grams <= 10000:
        return "parcel"
    return "freight"


def write_feed(feed, path):
    classes = {}
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("order", "name", "country", "sku", "quantity", "grams", "class"))
        for row in feed.rows():
            kind = parcel_class(row[5])
            classes[kind] = classes.get(kind, 0) + 1
            writer.writerow(row + (kind,))
    return classes


def checksum(path):
    crc = 0
    with open(path, "rb") as feed:
        while block := feed.read(1 << 16):
            crc = zlib.crc32(block, crc)
    return crc


def main():
    orders = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    folder = tempfile.mkdtemp(prefix="feed-")
    try:
        shop = open_shop(os.path.join(folder, "shop.db"), orders)
        target = os.path.join(folder, "feed.csv")
        classes = write_feed(Feed(shop), target)
        shop.close()
        summary = " ".join(f"{kind}={classes[kind]}" for kind in sorted(classes))
        print(f"feed {checksum(target):08x} {summary}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
