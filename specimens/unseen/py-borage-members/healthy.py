"""Posts a day's gate stamps of a swimming club to its members' accounts, kept in a small database."""

import os
import random
import shutil
import sqlite3
import sys
import tempfile
import zlib

SCHEMA = """
create table member (
    id integer primary key,
    email text not null,
    plan integer not null references plan(id),
    balance integer not null default 0
);
create unique index member_email on member(email collate nocase);
create table plan (id integer primary key, label text not null, per_visit integer not null);
create table visit (
    member integer not null references member(id),
    gate integer not null,
    minute integer not null,
    cost integer not null
);
create index visit_gate on visit(gate, minute);
"""

PLANS = [(1, "single", 650), (2, "ten", 520), (3, "family", 480), (4, "season", 0)]
SYLLABLES = ["an", "bel", "cor", "dan", "el", "fre", "gus", "han", "ir", "jo", "kim", "lor", "mar", "nel", "ott", "pia"]


def address(number):
    parts = [SYLLABLES[(number >> shift) % 16] for shift in (0, 4, 8, 12)]
    return f"{parts[0].capitalize()}{parts[1]}.{parts[2].capitalize()}{parts[3]}{number % 89}@Example.org"


class Club:
    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("pragma synchronous=off")
        self.db.executescript(SCHEMA)

    def enrol(self, count):
        draw = random.Random(19)
        self.db.execute("begin")
        self.db.executemany("insert into plan values (?, ?, ?)", PLANS)
        self.db.executemany(
            "insert or ignore into member(email, plan) values (?, ?)",
            ((address(number * 7), draw.randint(1, 4)) for number in range(count)),
        )
        self.db.execute("commit")

    def find(self, email):
        return self.db.execute(
            "select m.id, p.per_visit from member m join plan p on p.id = m.plan where m.email = ? collate nocase",
            (email,),
        ).fetchone()

    def stamp(self, member, gate, minute, cost):
        self.db.execute("insert into visit values (?, ?, ?, ?)", (member, gate, minute, cost))
        self.db.execute("update member set balance = balance - ? where id = ?", (cost, member))

    def busiest(self):
        return self.db.execute(
            "select gate, count(*) as crowd from visit group by gate order by crowd desc, gate limit 3"
        ).fetchall()

    def takings(self):
        return self.db.execute(
            "select p.label, count(*), sum(v.cost) from visit v join member m on m.id = v.member "
            "join plan p on p.id = m.plan group by p.id order by p.id"
        ).fetchall()

    def close(self):
        self.db.close()


class Gates:
    """What the turnstiles have written down: people type their address as they please."""

    def __init__(self, members, stamps):
        self.members = members
        self.stamps = stamps

    def rows(self):
        draw = random.Random(5)
        for number in range(self.stamps):
            email = address(draw.randrange(self.members) * 7)
            typed = (email, email.lower(), email.upper())[number % 3]
            yield f"{number % 6 + 1};{360 + number % 840};{typed}"


def read_stamp(line):
    gate, minute, email = line.split(";")
    return int(gate), int(minute), email.strip()


def off_peak(minute, price):
    return price * 4 // 5 if 600 <= minute < 840 else price


def post(club, gates, batch=500):
    club.db.execute("begin")
    posted = 0
    for line in gates.rows():
        gate, minute, email = read_stamp(line)
        found = club.find(email)
        if found is None:
            continue
        member, price = found
        club.stamp(member, gate, minute, off_peak(minute, price))
        posted += 1
        if posted % batch == 0:
            club.db.execute("commit")
            club.db.execute("begin")
    club.db.execute("commit")
    return posted


def main():
    stamps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    folder = tempfile.mkdtemp(prefix="club")
    try:
        club = Club(os.path.join(folder, "club.db"))
        club.enrol(9000)
        posted = post(club, Gates(9000, stamps))
        summary = repr((club.busiest(), club.takings()))
        club.close()
    finally:
        shutil.rmtree(folder)
    print("stamps", posted, "check", f"{zlib.crc32(summary.encode()):08x}")


if __name__ == "__main__":
    main()
