"""Sums up the appointment book of a group of clinics, day by day."""
import datetime
import hashlib
import os
import shutil
import sqlite3
import sys
import tempfile

OPENING = datetime.datetime(2025, 1, 6, 7, 30)
KINDS = ("visit", "x-ray", "blood", "scan", "talk")

SCHEMA = """
CREATE TABLE clinic (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE appointment (
    id INTEGER PRIMARY KEY, clinic_id INTEGER, starts_at TEXT, kind TEXT, minutes INTEGER, seen INTEGER);
CREATE INDEX appointment_start ON appointment (starts_at, clinic_id);
"""


def moments(count):
    """Start times: a hundred and sixty bookings a day."""
    for number in range(count):
        day, slot = divmod(number, 160)
        yield number, OPENING + datetime.timedelta(days=day, minutes=slot * 4)


def fill(db, count):
    """A book with all the bookings of the season."""
    db.executescript(SCHEMA)
    db.executemany("INSERT INTO clinic VALUES (?, ?)", ((n, f"Clinic {n}") for n in range(12)))
    db.executemany(
        "INSERT INTO appointment VALUES (?, ?, ?, ?, ?, ?)",
        (
            (n, n * 7 % 12, start.isoformat(" "), KINDS[n % 5], 10 + n * 11 % 35, int(n % 13 != 0))
            for n, start in moments(count)
        ),
    )
    db.commit()


def patients_of(db, day):
    """Who came and who did not, per clinic, on one day."""
    return db.execute(
        "SELECT clinic_id, COUNT(*), SUM(minutes), SUM(1 - seen) FROM appointment"
        " WHERE starts_at >= ? AND starts_at < ? GROUP BY clinic_id ORDER BY clinic_id",
        (day.isoformat(), (day + datetime.timedelta(days=1)).isoformat()),
    ).fetchall()


def names(db):
    """The clinics by number."""
    return dict(db.execute("SELECT id, name FROM clinic"))


def busy_minutes(rows):
    """Share of the day's ten hours in use, over all clinics."""
    return sum(row[2] for row in rows) * 1000 // (12 * 600)


def digest_of(lines):
    """A short mark for the finished report."""
    mark = hashlib.sha256()
    for line in lines:
        mark.update(line.encode())
    return mark.hexdigest()[:12]


def report(db, days):
    """One line per clinic and day."""
    clinics = names(db)
    lines = []
    load = 0
    for offset in range(days):
        day = OPENING.date() + datetime.timedelta(days=offset)
        rows = patients_of(db, day)
        load = max(load, busy_minutes(rows))
        for clinic, visits, minutes, missed in rows:
            lines.append(f"{day} {clinics[clinic]:<10} {visits:4d} {minutes:5d} {missed:3d}")
    return lines, load


def main():
    days = int(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="clinics")
    try:
        db = sqlite3.connect(os.path.join(folder, "book.db"))
        fill(db, days * 160)
        lines, load = report(db, days)
        print(f"{len(lines)} lines, busiest {load}, {digest_of(lines)}")
        db.close()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
