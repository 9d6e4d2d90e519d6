"""Works out the day sheets of a clinic from its book of visits."""

import datetime as dt
import hashlib
import os
import sqlite3
import sys
import tempfile

WARDS = ["eyes", "ears", "hands", "feet", "backs"]


def fill(book, visits):
    book.executescript(
        """
        CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT, born INTEGER);
        CREATE TABLE visit (id INTEGER PRIMARY KEY, patient INTEGER, ward TEXT, arrived TEXT, minutes INTEGER);
        CREATE INDEX visit_arrived ON visit (arrived);
        CREATE INDEX visit_patient ON visit (patient);
        """
    )
    book.executemany(
        "INSERT INTO patient VALUES (?, ?, ?)",
        ((number, f"P{number:05d}", 1930 + number * 7 % 85) for number in range(4000)),
    )
    begin = dt.datetime(2021, 1, 1, 7, 0)
    rows = []
    state = 99
    for number in range(visits):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        arrived = begin + dt.timedelta(days=state % 365, minutes=(state >> 9) % 700)
        rows.append((number, (state >> 5) % 4000, WARDS[(state >> 3) % 5], arrived.isoformat(" "), 5 + (state >> 7) % 50))
    book.executemany("INSERT INTO visit VALUES (?, ?, ?, ?, ?)", rows)
    book.commit()


class Sheets:
    """One sheet for each day: who came, how long it took, how old they were."""

    def __init__(self, book):
        self.book = book
        self.seal = hashlib.md5()

    def visits_of(self, day):
        return self.book.execute(
            """
            SELECT v.ward, v.minutes, p.born, p.name
            FROM visit v JOIN patient p ON p.id = v.patient
            WHERE date(v.arrived) = ?
            ORDER BY v.arrived, v.id
            """,
            (day.isoformat(),),
        ).fetchall()

    def sheet(self, day):
        wards = dict.fromkeys(WARDS, 0)
        ages = []
        for ward, minutes, born, name in self.visits_of(day):
            wards[ward] += minutes
            ages.append(day.year - born)
            self.seal.update(name.encode())
        return wards, middle(ages)


def middle(values):
    if not values:
        return 0
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def load(wards, beds=6):
    """How much of a ward's day was used, the fullest first."""
    return sorted(((minutes / (beds * 480.0), ward) for ward, minutes in wards.items()), reverse=True)


def main():
    days = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        book = sqlite3.connect(os.path.join(folder, "clinic.db"))
        fill(book, 36000)
        sheets = Sheets(book)
        fullest = (0.0, "")
        old = 0
        day = dt.date(2021, 1, 1)
        for _ in range(days):
            wards, age = sheets.sheet(day)
            fullest = max(fullest, load(wards)[0])
            old += age
            day += dt.timedelta(days=1)
        book.close()
    print("days", days, "fullest", fullest[1], round(fullest[0], 4), "ages", old, "seal", sheets.seal.hexdigest()[:12])


if __name__ == "__main__":
    main()
