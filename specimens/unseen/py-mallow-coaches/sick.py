"""Monthly statements of a coach company: bookings, their legs and their vouchers come out of one database file."""

import os
import shutil
import sqlite3
import sys
import tempfile
from dataclasses import dataclass, field

SCHEMA = """
create table account (id integer primary key, name text not null, tier integer not null);
create table booking (
    id integer primary key, account integer not null references account (id), month integer not null, status text not null
);
create table leg (
    id integer primary key, booking integer not null references booking (id), km integer not null, seats integer not null
);
create index booking_month on booking (month, status);
create index leg_booking on leg (booking);
"""


@dataclass
class Leg:
    km: int
    seats: int

    def fare(self, tier):
        base = 140 + self.km * 9
        return base * self.seats * (100 - tier * 5) // 100


@dataclass
class Booking:
    id: int
    tier: int
    legs: list = field(default_factory=list)

    def total(self):
        return sum(leg.fare(self.tier) for leg in self.legs)


class Store:
    def __init__(self, path):
        self.base = sqlite3.connect(path)
        self.base.executescript(SCHEMA)

    def close(self):
        self.base.close()

    def seed(self, accounts, bookings):
        state = 77713
        booking_rows, leg_rows = [], []
        for number in range(1, bookings + 1):
            state = state * 48271 % 2147483647
            status = "void" if state % 17 == 0 else "open"
            booking_rows.append((number, 1 + state % accounts, 1 + (state >> 5) % 3, status))
            for step in range(1 + (state >> 9) % 3):
                leg_rows.append((number, 20 + (state >> (3 + step)) % 400, 1 + (state >> 11) % 4))
        with self.base:
            self.base.executemany(
                "insert into account values (?, ?, ?)", ((n, f"account {n}", n % 4) for n in range(1, accounts + 1))
            )
            self.base.executemany("insert into booking values (?, ?, ?, ?)", booking_rows)
            self.base.executemany("insert into leg (booking, km, seats) values (?, ?, ?)", leg_rows)

    def tier(self, account):
        return self.base.execute("select tier from account where id = ?", (account,)).fetchone()[0]

    def legs(self, booking):
        rows = self.base.execute("select km, seats from leg where booking = ? order by id", (booking,))
        return [Leg(km, seats) for km, seats in rows]

    def bookings(self, month):
        rows = self.base.execute(
            "select id, account from booking where month = ? and status = 'open' order by id", (month,)
        ).fetchall()
        found = []
        for number, account in rows:
            found.append(Booking(number, self.tier(account), self.legs(number)))
        return found


class Statement:
    def __init__(self, month):
        self.month = month
        self.count = 0
        self.cents = 0
        self.mark = 0

    def add(self, booking):
        cents = booking.total()
        self.count += 1
        self.cents += cents
        self.mark = self.control(self.mark, booking.id, cents)

    @staticmethod
    def control(mark, number, cents):
        """The control number printed at the foot of a statement."""
        for part in (number, cents, number ^ cents):
            mark = (mark * 31 + part) % 99991
        return mark

    def line(self):
        return f"month {self.month}: {self.count} bookings {self.cents} cents mark {self.mark}"


def statements(store):
    lines = []
    for month in (1, 2, 3):
        statement = Statement(month)
        for booking in store.bookings(month):
            statement.add(booking)
        lines.append(statement.line())
    return lines


def main():
    bookings = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    folder = tempfile.mkdtemp(prefix="coaches-")
    try:
        store = Store(os.path.join(folder, "coaches.db"))
        store.seed(400, bookings)
        lines = statements(store)
        store.close()
    finally:
        shutil.rmtree(folder)
    print("; ".join(lines))


if __name__ == "__main__":
    main()
