"""Closes the month at a self-storage house: books the rents, ends the leases that ran out, prints the sheet."""

import os
import random
import sqlite3
import sys
import tempfile
import zlib

SCHEMA = """
create table tenants (
    id integer primary key,
    name text not null,
    town text not null
);
create table leases (
    id integer primary key,
    tenant integer not null references tenants (id),
    unit text not null,
    cents integer not null,
    ends integer not null
);
create table visits (
    id integer primary key,
    lease integer not null references leases (id) on delete cascade,
    day integer not null,
    minutes integer not null
);
create index leases_by_end on leases (ends);
create index leases_by_tenant on leases (tenant);
create index visits_by_day on visits (day);
"""

TOWNS = ["Alford", "Brigg", "Caistor", "Louth", "Spilsby", "Wragby"]


def open_house(path):
    house = sqlite3.connect(path)
    house.execute("pragma foreign_keys = on")
    house.executescript(SCHEMA)
    return house


def fill(house, leases):
    draw = random.Random(90210)
    tenants = [(n, f"tenant {draw.randrange(10 ** 6):06d}", draw.choice(TOWNS)) for n in range(leases // 3)]
    rows = []
    for number in range(leases):
        unit = f"{draw.choice('ABCDEF')}{draw.randrange(400):03d}"
        rows.append((number, draw.randrange(len(tenants)), unit, 1900 + draw.randrange(90) * 50, draw.randrange(365)))
    visits = [(draw.randrange(leases), draw.randrange(365), 5 + draw.randrange(90)) for _ in range(leases * 12)]
    with house:
        house.executemany("insert into tenants values (?, ?, ?)", tenants)
        house.executemany("insert into leases values (?, ?, ?, ?, ?)", rows)
        house.executemany("insert into visits (lease, day, minutes) values (?, ?, ?)", visits)


def month_rents(house, first, last):
    """The rents by town, of all leases that still ran at the month's first day."""
    return house.execute(
        "select t.town, count(*), sum(l.cents) from leases l join tenants t on t.id = l.tenant"
        " where l.ends >= ? group by t.town order by t.town", (first,)).fetchall()


def busy_days(house, first, last):
    return house.execute(
        "select day, count(*), sum(minutes) from visits where day between ? and ? group by day"
        " order by sum(minutes) desc, day limit 3", (first, last)).fetchall()


def run_out(house, first, last):
    rows = house.execute("select id, unit, cents from leases where ends between ? and ? order by ends, id",
                         (first, last))
    return rows.fetchall()


def farewell(unit, cents):
    deposit = cents * 2 - 500
    return f"{unit}: deposit {deposit / 100:8.2f} goes back, keys at the desk"


def end_leases(house, first, last):
    letters = []
    with house:
        for number, unit, cents in run_out(house, first, last):
            house.execute("delete from leases where id = ?", (number,))
            letters.append(farewell(unit, cents))
    return letters


def left_over(house):
    leases = house.execute("select count(*) from leases").fetchone()[0]
    visits = house.execute("select count(*), sum(minutes) from visits").fetchone()
    return leases, visits[0], visits[1]


def close_month(house, first, last):
    sheet = []
    for town, count, cents in month_rents(house, first, last):
        sheet.append(f"{town:10s} {count:5d} leases {cents / 100:12.2f}")
    for day, count, minutes in busy_days(house, first, last):
        sheet.append(f"day {day:3d}: {count:4d} visits {minutes:6d} minutes")
    sheet.extend(end_leases(house, first, last))
    return sheet


def main():
    leases = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    check, lines = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        house = open_house(os.path.join(folder, "house.db"))
        fill(house, leases)
        for first in (0, 31, 59):
            for line in close_month(house, first, first + 27):
                check = zlib.crc32(line.encode(), check)
                lines += 1
        leases, visits, minutes = left_over(house)
        house.close()
    print("lines", lines, "leases", leases, "visits", visits, minutes, "check", f"{check:08x}")


if __name__ == "__main__":
    main()
