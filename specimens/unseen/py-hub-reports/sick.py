"""Nightly hub reports: how many parcels passed each hub, and how heavy they were."""
import os
import random
import sqlite3
import sys
import tempfile
import zlib
from datetime import date, timedelta

HUBS = ["LEJ", "CGN", "LGG", "EMA", "CDG", "BGY", "VIT", "KTW"]
STATES = ["arrived", "sorted", "loaded", "held", "departed"]
FIRST_DAY = date(2024, 1, 1)
DAYS = 365


def create_schema(db):
    db.executescript(
        """
        CREATE TABLE parcels (id INTEGER PRIMARY KEY, sender TEXT, grams INTEGER);
        CREATE TABLE scans (
            id INTEGER PRIMARY KEY,
            parcel_id INTEGER NOT NULL,
            hub TEXT NOT NULL,
            state TEXT NOT NULL,
            scanned_at TEXT NOT NULL
        );
        CREATE INDEX scans_by_time ON scans (scanned_at);
        """
    )


def parcel_rows(rng, count):
    for number in range(1, count + 1):
        yield number, "S%04d" % rng.randrange(900), 50 + rng.randrange(20000)


def scan_rows(rng, parcels, count):
    for number in range(1, count + 1):
        day = FIRST_DAY + timedelta(days=rng.randrange(DAYS))
        second = rng.randrange(86400)
        moment = "%s %02d:%02d:%02d" % (
            day.isoformat(), second // 3600, second // 60 % 60, second % 60)
        yield (number, rng.randrange(1, parcels + 1), HUBS[number * 7 % len(HUBS)],
               STATES[rng.randrange(len(STATES))], moment)


def load(db, parcels, scans):
    rng = random.Random(4711)
    with db:
        db.executemany("INSERT INTO parcels VALUES (?, ?, ?)", parcel_rows(rng, parcels))
        db.executemany("INSERT INTO scans VALUES (?, ?, ?, ?, ?)", scan_rows(rng, parcels, scans))


def hub_totals(db, day):
    return db.execute(
        """
        SELECT s.hub, s.state, COUNT(*), SUM(p.grams)
        FROM scans s JOIN parcels p ON p.id = s.parcel_id
        WHERE substr(s.scanned_at, 1, 10) = ?
        GROUP BY s.hub, s.state ORDER BY s.hub, s.state
        """,
        (day.isoformat(),),
    ).fetchall()


def render(day, totals):
    lines = ["Report for %s" % day.strftime("%A, %d %B %Y")]
    current = None
    for hub, state, count, grams in totals:
        if hub != current:
            lines.append("  %s" % hub)
            current = hub
        lines.append("    %-10s %6d parcels %12.3f kg" % (state, count, grams / 1000))
    return "\n".join(lines)


def publish(folder, day, text):
    path = os.path.join(folder, day.isoformat() + ".txt")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return zlib.crc32(text.encode("utf-8"))


def main():
    requested = int(sys.argv[1])
    scans = int(sys.argv[2])
    order = random.Random(99)
    with tempfile.TemporaryDirectory() as folder:
        db = sqlite3.connect(os.path.join(folder, "hubs.db"))
        db.execute("PRAGMA synchronous = OFF")
        create_schema(db)
        load(db, 8000, scans)
        seal = 0
        for number in order.sample(range(DAYS), requested):
            day = FIRST_DAY + timedelta(days=number)
            text = render(day, hub_totals(db, day))
            seal = (seal * 31 + publish(folder, day, text)) & 0xFFFFFFFF
        db.close()
    print("reports=%d seal=%08x" % (requested, seal))


if __name__ == "__main__":
    main()
