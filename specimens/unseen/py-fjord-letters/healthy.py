"""Reads the letter book of a post office on a fjord into a data base and reports on the year."""

import re
import sqlite3
import sys
from collections import Counter
from itertools import islice

LINE = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\w+) to (\w+): (\d+) g(?:, (\d+) ore)?")

SCHEMA = """
create table letter (
    id integer primary key,
    month integer not null,
    day integer not null,
    sender text not null,
    place text not null,
    grams integer not null,
    postage integer not null
);
"""

PLACES = ("bergen", "voss", "odda", "ulvik", "eidfjord", "norheim", "rosendal")


def letter_book(count):
    """The book as the clerk kept it, one line after the other."""
    state = 1814
    for number in range(count):
        state = (state * 48271) % 2147483647
        month, day = 1 + number * 12 // count, 1 + state % 28
        paid = f", {10 + state % 90} ore" if state % 5 else ""
        place = PLACES[state // 7 % len(PLACES)]
        yield f"1905-{month:02}-{day:02} s{state % 4001} to {place}: {5 + state // 11 % 400} g{paid}"


def postage(grams):
    """The tariff: a first step and one for each further 15 g."""
    return 10 + 5 * max(0, (grams - 15 + 14) // 15)


def parse(lines):
    for line in lines:
        found = LINE.fullmatch(line)
        if found:
            _, month, day, sender, place, grams, paid = found.groups()
            grams = int(grams)
            yield int(month), int(day), sender, place, grams, int(paid) if paid else postage(grams)


def batches(rows, size):
    rows = iter(rows)
    while batch := list(islice(rows, size)):
        yield batch


class Office:
    def __init__(self):
        self.base = sqlite3.connect(":memory:")
        self.base.executescript(SCHEMA)
        self.senders = Counter()

    def take(self, rows):
        with self.base:
            for batch in batches(rows, 5000):
                self.base.executemany(
                    "insert into letter (month, day, sender, place, grams, postage) values (?, ?, ?, ?, ?, ?)", batch
                )
                self.senders.update(row[2] for row in batch)
        self.base.execute("create index letter_month on letter (place, month, postage)")
        self.base.execute("create index letter_weight on letter (place, grams)")

    def months(self, place):
        return self.base.execute(
            "select month, count(*), sum(postage) from letter where place = ? group by month order by month", (place,)
        ).fetchall()

    def heaviest(self, place):
        row = self.base.execute(
            "select sender, grams from letter where place = ? order by grams desc, id desc limit 1", (place,)
        ).fetchone()
        return row or ("nobody", 0)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    office = Office()
    office.take(parse(letter_book(count)))
    for place in PLACES:
        months = office.months(place)
        best = max(months, key=lambda row: row[2], default=(0, 0, 0))
        print(place, sum(row[1] for row in months), "best month", best[0], "heaviest", *office.heaviest(place))
    print(office.senders.most_common(1))


if __name__ == "__main__":
    main()
