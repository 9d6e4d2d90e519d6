"""Prints the day's loading sheet of a freight yard from its database."""
import os
import shutil
import sqlite3
import sys
import tempfile
import zlib

SCHEMA = """
CREATE TABLE carrier (id INTEGER PRIMARY KEY, name TEXT, rate INTEGER);
CREATE TABLE depot (id INTEGER PRIMARY KEY, town TEXT, zone INTEGER);
CREATE TABLE shipment (id INTEGER PRIMARY KEY, carrier_id INTEGER, depot_id INTEGER, weight INTEGER);
CREATE INDEX shipment_depot ON shipment (depot_id);
"""


def fill(db, count):
    """A yard with a few hundred carriers and many shipments."""
    db.executescript(SCHEMA)
    db.executemany(
        "INSERT INTO carrier VALUES (?, ?, ?)",
        ((n, f"Carrier {n:03d}", 40 + n * 7 % 90) for n in range(400)),
    )
    db.executemany(
        "INSERT INTO depot VALUES (?, ?, ?)",
        ((n, f"Town {n * 31 % 250:03d}", n % 9) for n in range(250)),
    )
    db.executemany(
        "INSERT INTO shipment VALUES (?, ?, ?, ?)",
        ((n, n * 17 % 400, n * 13 % 250, 20 + n * 37 % 900) for n in range(count)),
    )
    db.commit()


class Shipment:
    """One row of the sheet, with what belongs to it."""

    __slots__ = ("db", "number", "carrier_id", "depot_id", "weight")

    def __init__(self, db, row):
        self.db = db
        self.number, self.carrier_id, self.depot_id, self.weight = row

    @property
    def carrier(self):
        """Name and rate of the firm that drives."""
        return self.db.execute("SELECT name, rate FROM carrier WHERE id = ?", (self.carrier_id,)).fetchone()

    @property
    def depot(self):
        """Town and zone of the yard's gate."""
        return self.db.execute("SELECT town, zone FROM depot WHERE id = ?", (self.depot_id,)).fetchone()


class Yard:
    """What the sheet asks the database for."""

    def __init__(self, db):
        self.db = db

    def shipments(self):
        """All shipments of the day, the heaviest first."""
        rows = self.db.execute("SELECT id, carrier_id, depot_id, weight FROM shipment ORDER BY weight DESC, id")
        return [Shipment(self.db, row) for row in rows]

    def busiest(self):
        """The depots with most weight."""
        return self.db.execute(
            "SELECT d.town, SUM(s.weight) AS total FROM shipment s JOIN depot d ON d.id = s.depot_id"
            " GROUP BY d.town ORDER BY total DESC LIMIT 5"
        ).fetchall()


def price(weight, rate, zone):
    """What one shipment costs, in cents."""
    steps = (weight + 49) // 50
    return steps * rate + zone * 120 + (250 if weight > 700 else 0)


def render(yard, out):
    """Writes the sheet line by line and answers the sum."""
    total = 0
    for shipment in yard.shipments():
        name, rate = shipment.carrier
        town, zone = shipment.depot
        cents = price(shipment.weight, rate, zone)
        total += cents
        out.write(f"{shipment.number:7d} {name:<14} {town:<10} {shipment.weight:5d} {cents / 100:9.2f}\n")
    return total


def checksum(path):
    """CRC of a finished sheet."""
    crc = 0
    with open(path, "rb") as sheet:
        while block := sheet.read(65536):
            crc = zlib.crc32(block, crc)
    return crc


def main():
    count = int(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="freight")
    try:
        db = sqlite3.connect(os.path.join(folder, "yard.db"))
        fill(db, count)
        yard = Yard(db)
        path = os.path.join(folder, "sheet.txt")
        with open(path, "w", encoding="utf-8") as out:
            total = render(yard, out)
        top = yard.busiest()
        print(f"{count} shipments, {total} cents, first {top[0][0]}, sheet {checksum(path):08x}")
        db.close()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
