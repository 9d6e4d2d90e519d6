"""Daily summary of a hospital's admissions, out of a database on disk."""

import datetime
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import zlib
from contextlib import closing, contextmanager
from statistics import median

WARDS = ("cardiology", "surgery", "paediatrics", "maternity", "geriatrics", "neurology")
FIRST = datetime.date(2023, 1, 1)

SCHEMA = """
PRAGMA synchronous = OFF;
CREATE TABLE ward (id INTEGER PRIMARY KEY, name TEXT NOT NULL, beds INTEGER NOT NULL);
CREATE TABLE admission (
    id INTEGER PRIMARY KEY,
    ward_id INTEGER NOT NULL REFERENCES ward(id),
    patient TEXT NOT NULL,
    admitted_at TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    urgency INTEGER NOT NULL
);
"""

INDEXES = """
BEGIN;
CREATE INDEX admission_moment ON admission(admitted_at);
CREATE INDEX admission_ward ON admission(ward_id, urgency);
ANALYZE;
COMMIT;
"""


@contextmanager
def workspace():
    folder = tempfile.mkdtemp(prefix="wards-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


class Database:
    """A thin layer above sqlite3: rows as dictionaries, one place for all statements."""

    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        self.connection.row_factory = sqlite3.Row
        self.statements = 0

    def script(self, text):
        self.connection.executescript(text)

    def load(self, statement, rows):
        with self.connection:
            self.connection.executemany(statement, rows)

    def select(self, statement, **values):
        self.statements += 1
        with closing(self.connection.execute(statement, values)) as cursor:
            return [dict(row) for row in cursor]

    def close(self):
        self.connection.close()


class Admissions:
    def __init__(self, database):
        self.database = database

    def of_day(self, day):
        return self.database.select(
            """SELECT a.id, w.name AS ward, a.minutes, a.urgency
                 FROM admission a JOIN ward w ON w.id = a.ward_id
                WHERE a.admitted_at >= :day AND a.admitted_at < date(:day, '+1 day')
                ORDER BY a.id""",
            day=day.isoformat(),
        )

    def urgent(self, ward, urgency):
        return self.database.select(
            "SELECT count(*) AS number, sum(minutes) AS minutes FROM admission WHERE ward_id = :ward AND urgency = :urgency",
            ward=ward,
            urgency=urgency,
        )[0]


class DaySummary:
    def __init__(self, day, rows):
        self.day = day
        self.stays = {name: [] for name in WARDS}
        self.urgent = 0
        for row in rows:
            self.stays[row["ward"]].append(row["minutes"])
            self.urgent += row["urgency"] >= 4

    def line(self):
        return json.dumps(
            {
                "day": self.day.isoformat(),
                "urgent": self.urgent,
                "median": {name: median(stays) if stays else None for name, stays in self.stays.items()},
            },
            sort_keys=True,
        )


def history(count, days):
    """Admissions as they would come out of the old system, spread over the days."""
    seed = 5
    start = datetime.datetime.combine(FIRST, datetime.time())
    for number in range(count):
        seed = (seed * 69069 + 1) & 0xFFFFFFFF
        moment = start + datetime.timedelta(days=(seed >> 7) % days, seconds=(seed >> 11) % 86400)
        yield (
            seed % len(WARDS) + 1,
            f"P{zlib.crc32(b'%d' % number):08x}",
            moment.isoformat(sep=" "),
            (seed >> 5) % 9000 + 30,
            (seed >> 13) % 5 + 1,
        )


def fill(database, count, days):
    database.script(SCHEMA)
    database.load("INSERT INTO ward(name, beds) VALUES (?, ?)", [(name, 20 + 3 * len(name)) for name in WARDS])
    database.load(
        "INSERT INTO admission(ward_id, patient, admitted_at, minutes, urgency) VALUES (?, ?, ?, ?, ?)",
        history(count, days),
    )
    database.script(INDEXES)


def report(admissions, days):
    check = 0
    urgent = 0
    for number in range(days):
        day = FIRST + datetime.timedelta(days=number)
        summary = DaySummary(day, admissions.of_day(day))
        urgent += summary.urgent
        check = zlib.crc32(summary.line().encode(), check)
    return urgent, check


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    days = 240
    with workspace() as folder:
        database = Database(os.path.join(folder, "wards.db"))
        fill(database, count, days)
        admissions = Admissions(database)
        urgent, check = report(admissions, days)
        worst = [admissions.urgent(ward + 1, 5)["minutes"] or 0 for ward in range(len(WARDS))]
        statements = database.statements
        database.close()
    print(urgent, f"{check:08x}", WARDS[worst.index(max(worst))], statements)


if __name__ == "__main__":
    main()
