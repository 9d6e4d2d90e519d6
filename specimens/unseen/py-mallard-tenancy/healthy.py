"""Builds the daily rent round: who is due, what is owed, which letters go out."""
import datetime
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import zlib

FIRST = datetime.datetime(2021, 1, 1, 6, 0, 0)


def build(path, rows):
    base = sqlite3.connect(path)
    base.executescript(
        "create table flat(id integer primary key, street text, rent integer);"
        "create table charge(id integer primary key, flat integer, due text, kind text, cents integer);"
        "create table payment(charge integer primary key, cents integer);"
    )
    dice = random.Random(41)
    base.executemany(
        "insert into flat values(?,?,?)",
        ((i, f"{dice.choice(['Elm', 'Quay', 'Mill', 'Abbey'])} {i % 90}", 60000 + 37 * (i % 500)) for i in range(1500)),
    )
    charges = []
    for i in range(rows):
        moment = FIRST + datetime.timedelta(minutes=dice.randrange(900 * 1440))
        charges.append((i, dice.randrange(1500), moment.isoformat(" "), dice.choice(["rent", "heat", "lift"]), 900 + i % 7000))
    base.executemany("insert into charge values(?,?,?,?,?)", charges)
    base.executemany("insert into payment values(?,?)", ((i, 900) for i in range(0, rows, 3)))
    base.execute("create index charge_due on charge(due)")
    base.commit()
    base.execute("analyze")
    return base


class Round:
    def __init__(self, base):
        self.base = base
        self.letters = 0
        self.seal = 0
        self.streets = {}

    def due_on(self, day):
        return self.base.execute(
            "select c.id, c.flat, c.kind, c.cents from charge c"
            " where c.due >= ? and c.due < ? order by c.id",
            (day.isoformat(), (day + datetime.timedelta(days=1)).isoformat()),
        ).fetchall()

    def paid(self, charge):
        row = self.base.execute("select cents from payment where charge = ?", (charge,)).fetchone()
        return row[0] if row else 0

    def street(self, flat):
        if flat not in self.streets:
            self.streets[flat] = self.base.execute("select street from flat where id = ?", (flat,)).fetchone()[0]
        return self.streets[flat]

    def letter(self, charge, flat, kind, open_cents):
        text = f"{self.street(flat)}: {kind} {charge} open {open_cents / 100:.2f}"
        self.letters += 1
        self.seal = zlib.crc32(text.encode(), self.seal)

    def day(self, day):
        total = 0
        for charge, flat, kind, cents in self.due_on(day):
            rest = cents - self.paid(charge)
            if rest > 0:
                total += rest
                self.letter(charge, flat, kind, rest)
        return total


def main():
    days = int(sys.argv[1])
    folder = tempfile.mkdtemp()
    try:
        base = build(os.path.join(folder, "rents.db"), 60000)
        work = Round(base)
        total = 0
        start = FIRST.date()
        for number in range(days):
            total += work.day(start + datetime.timedelta(days=number))
        print(total, work.letters, f"{work.seal:08x}")
        base.close()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
