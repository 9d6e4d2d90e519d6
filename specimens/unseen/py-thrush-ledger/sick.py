"""Matches the bank's incoming payments with the open invoices of a print shop."""
import csv
import os
import sqlite3
import sys
import tempfile
import zlib

SCHEMA = """
CREATE TABLE invoice (id INTEGER PRIMARY KEY, reference TEXT NOT NULL, cents INTEGER, open INTEGER DEFAULT 1);
CREATE TABLE payment (id INTEGER PRIMARY KEY, reference TEXT NOT NULL, cents INTEGER, day INTEGER);
CREATE UNIQUE INDEX invoice_reference ON invoice (reference);
CREATE INDEX payment_day ON payment (day);
"""


def bank_file(path, count):
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        for n in range(count):
            number = n * 7919 % (count + count // 5)
            reference = f"TH-{number:06d}-{chr(65 + number % 26)}"
            writer.writerow([reference.lower() if n % 3 else reference, 900 + number * 13 % 5000 - n % 7 // 6, n % 30])


def open_books(path, invoices):
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    db.executemany(
        "INSERT INTO invoice (id, reference, cents) VALUES (?, ?, ?)",
        ((n, f"TH-{n:06d}-{chr(65 + n % 26)}", 900 + n * 13 % 5000) for n in range(invoices)),
    )
    db.commit()
    return db


def load_payments(db, path):
    with open(path, newline="") as lines:
        rows = [(reference, int(cents), int(day)) for reference, cents, day in csv.reader(lines)]
    with db:
        db.executemany("INSERT INTO payment (reference, cents, day) VALUES (?, ?, ?)", rows)
    return len(rows)


class Ledger:
    def __init__(self, db):
        self.db = db
        self.exact = 0
        self.short = []

    def rows(self, statement, *values):
        return self.db.execute(statement, values).fetchall()

    def pairs(self):
        return self.rows(
            "SELECT i.id, i.cents, p.cents, p.day FROM payment p"
            " JOIN invoice i ON lower(i.reference) = lower(p.reference)"
            " WHERE i.open = 1 ORDER BY i.id"
        )

    def match(self):
        closed = []
        for number, due, paid, day in self.pairs():
            if paid >= due:
                closed.append((number,))
                self.exact += 1
            else:
                self.short.append((number, due - paid, day))
        with self.db:
            self.db.executemany("UPDATE invoice SET open = 0 WHERE id = ?", closed)

    def by_day(self):
        return self.rows("SELECT day, count(*), sum(cents) FROM payment GROUP BY day ORDER BY day")

    def still_open(self):
        return self.rows("SELECT count(*), sum(cents) FROM invoice WHERE open = 1")[0]


def letters(ledger):
    mark = 0
    for number, missing, day in ledger.short:
        text = f"Invoice {number}: {missing} cents are missing since day {day}.\n" * 40
        mark = zlib.crc32(text.encode(), mark)
    return mark


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as folder:
        bank = os.path.join(folder, "bank.csv")
        bank_file(bank, count)
        db = open_books(os.path.join(folder, "books.db"), count)
        loaded = load_payments(db, bank)
        ledger = Ledger(db)
        ledger.match()
        days, left, mark = ledger.by_day(), ledger.still_open(), letters(ledger)
        db.close()
    print(f"payments {loaded} exact {ledger.exact} short {len(ledger.short)} days {len(days)} open {left} mark {mark:08x}")


main()
