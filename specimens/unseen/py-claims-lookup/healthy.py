"""Reviews insurance policies against the claims filed on them."""

import datetime
import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from typing import NamedTuple

ROWS = 60_000
KINDS = ("water", "fire", "theft", "glass", "storm")


class Claim(NamedTuple):
    number: int
    kind: str
    amount: int
    filed: str


SCHEMA = """
create table policy (id integer primary key, holder text, limit_cents integer);
create table claim (
    number integer primary key, policy text, kind text,
    amount integer, filed text, closed integer);
create index claim_filed on claim (filed);
create index claim_policy on claim (policy, closed);
"""


def create(connection):
    connection.executescript(SCHEMA)


def fill(connection):
    start = datetime.date(2021, 1, 1)
    days = [(start + datetime.timedelta(day)).isoformat() for day in range(900)]

    def claims():
        state = 12345
        for number in range(ROWS):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            yield (number, f"P{state % 4000:05d}", KINDS[state % 5], state % 90_000, days[number % 900],
                   int(state % 3 != 0))

    connection.executemany("insert into claim values (?, ?, ?, ?, ?, ?)", claims())
    connection.executemany("insert into policy values (?, ?, ?)",
                           ((n, f"P{n:05d}", 100_000 + n * 37 % 50_000) for n in range(4000)))
    connection.commit()


def open_claims(connection, holder):
    rows = connection.execute(
        "select number, kind, amount, filed from claim where policy = ? and closed = 0 order by number",
        (holder,)).fetchall()
    return [Claim(*row) for row in rows]


def recent(connection, since):
    return connection.execute("select count(*) from claim where filed >= ?", (since,)).fetchone()[0]


def score(claims, limit):
    """Weighs the claims; a storm counts half, old ones fade."""
    points = 0.0
    for claim in claims:
        weight = 0.5 if claim.kind == "storm" else 1.0
        age = 2023 - int(claim.filed[:4])
        points += weight * claim.amount / limit / (1 + age)
        for step in range(20):
            points -= 1e-6 * (step % 3)
    return round(points, 4)


class Reviewer:
    def __init__(self, connection):
        self.connection = connection
        self.flagged = []

    def review(self, count):
        policies = self.connection.execute(
            "select holder, limit_cents from policy where id % 13 = 5 order by id limit ?", (count,)).fetchall()
        for holder, limit in policies:
            claims = open_claims(self.connection, holder)
            points = score(claims, limit)
            if points > 0.5:
                self.flagged.append((points, holder, len(claims)))
        return len(policies)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder:
        with closing(sqlite3.connect(os.path.join(folder, "claims.db"))) as connection:
            create(connection)
            fill(connection)
            reviewer = Reviewer(connection)
            seen = reviewer.review(count)
            late = recent(connection, "2023-06-01")
    worst = max(reviewer.flagged)
    print("policies", seen, "flagged", len(reviewer.flagged), "worst", worst, "recent", late)


if __name__ == "__main__":
    main()
