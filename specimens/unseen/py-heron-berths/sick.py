"""Heron berths: a marina books its berths in a small database and makes the daily list for the harbour master."""
import datetime
import os
import sqlite3
import sys
import tempfile
import zlib

SCHEMA = """
create table boat (id integer primary key, name text not null, length integer not null, home text not null);
create table stay (id integer primary key, boat integer not null references boat (id), berth integer not null,
                   arrival text not null, nights integer not null, paid integer not null);
create index stay_by_arrival on stay (arrival);
create index stay_by_boat on stay (boat);
"""

START = datetime.datetime(2021, 4, 1, 6)


class Marina:
    def __init__(self, path):
        self.base = sqlite3.connect(path)
        self.base.executescript(SCHEMA)

    def fill(self, boats, stays):
        state = 2021
        fleet = []
        for number in range(boats):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            fleet.append((number, f"Boat {number}", 5 + state % 14, ("Kiel", "Husum", "Riga")[state >> 8 & 1]))
        self.base.executemany("insert into boat values (?, ?, ?, ?)", fleet)
        rows = []
        for number in range(stays):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            arrival = START + datetime.timedelta(minutes=(state >> 4) % (60 * 24 * 700))
            rows.append((number, state % boats, state >> 7 & 255, arrival.isoformat(" "), 1 + (state >> 11) % 9, state >> 3 & 1))
        self.base.executemany("insert into stay values (?, ?, ?, ?, ?, ?)", rows)
        self.base.commit()

    def rows(self, statement, *values):
        return self.base.execute(statement, values).fetchall()

    def arrivals(self, day):
        return self.rows(
            "select stay.id, berth, nights, paid, name, length from stay join boat on boat.id = stay.boat"
            " where strftime('%Y-%m-%d', arrival) = ? order by berth, stay.id",
            day.isoformat(),
        )

    def visits(self, boat):
        return self.rows("select count(*), sum(nights) from stay where boat = ?", boat)[0]


def fee(length, nights, paid):
    if paid:
        return 0
    base = 900 + 180 * max(0, length - 6)
    return sum(base * (100 - min(night, 5) * 3) // 100 for night in range(nights))


def sheet(day, rows):
    lines = [f"Arrivals on {day:%d.%m.%Y}"]
    due = 0
    for _, berth, nights, paid, name, length in rows:
        cost = fee(length, nights, paid)
        due += cost
        lines.append(f"{berth:>4} {name:<12} {length:>3} m {nights:>2} nights {cost / 100:>9.2f}")
    lines.append(f"{len(rows)} boats, due {due / 100:.2f}")
    return "\n".join(lines), due


def season(marina, days):
    check = 0
    total = 0
    boats = 0
    for number in range(days):
        day = (START + datetime.timedelta(days=number * 3)).date()
        rows = marina.arrivals(day)
        text, due = sheet(day, rows)
        check = zlib.crc32(text.encode(), check)
        total += due
        boats += len(rows)
    return boats, total, check


def regulars(marina, boats):
    best = max(range(boats), key=lambda boat: (marina.visits(boat)[0], -boat))
    return best, marina.visits(best)[1]


def main():
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        marina = Marina(os.path.join(folder, "marina.db"))
        marina.fill(400, 40000)
        boats, total, check = season(marina, days)
        best, nights = regulars(marina, 400)
        marina.base.close()
    print(f"days {days} boats {boats} due {total} check {check:08x} regular {best} with {nights} nights")


main()
