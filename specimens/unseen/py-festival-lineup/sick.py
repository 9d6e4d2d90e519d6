"""Prints the programme of a festival out of its database."""

import hashlib
import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass, field


@dataclass
class Act:
    ident: int
    title: str
    day: int
    start: int
    venue: str = ""
    performers: list = field(default_factory=list)

    def clock(self):
        return f"{10 + self.start // 60:02d}:{self.start % 60:02d}"


class Repository:
    """A thin layer over the tables."""

    def __init__(self, connection):
        self.connection = connection

    def one(self, sql, *args):
        row = self.connection.execute(sql, args).fetchone()
        return row

    def all(self, sql, *args):
        return self.connection.execute(sql, args).fetchall()

    def acts(self):
        return [(Act(i, t, d, s), v) for i, t, d, s, v in self.all("select id, title, day, start, venue_id from act order by day, start, id")]

    def venue(self, ident):
        return self.one("select name, city from venue where id = ?", ident)

    def performers(self, act):
        idents = self.all("select performer_id from cast_list where act_id = ?", act)
        return sorted(self.one("select name from performer where id = ?", ident)[0] for (ident,) in idents)

    def load_act(self, act, venue_id):
        name, city = self.venue(venue_id)
        act.venue = f"{name}, {city}"
        act.performers = self.performers(act.ident)
        return act

    def lineup(self):
        return [self.load_act(act, venue_id) for act, venue_id in self.acts()]


def fill(connection, count):
    connection.executescript("""
        create table venue (id integer primary key, name text, city text);
        create table performer (id integer primary key, name text);
        create table act (id integer primary key, title text, day integer, start integer, venue_id integer);
        create table cast_list (act_id integer, performer_id integer);
        create index cast_act on cast_list (act_id);
    """)
    connection.executemany("insert into venue values (?, ?, ?)", ((n, f"Stage {n}", f"City {n % 7}") for n in range(40)))
    connection.executemany("insert into performer values (?, ?)", ((n, f"Artist {n * 7919 % 5000:04d}") for n in range(5000)))
    connection.executemany("insert into act values (?, ?, ?, ?, ?)",
                           ((n, f"Act {n}", n % 30, n * 37 % 720, n * 13 % 40) for n in range(count)))
    connection.executemany("insert into cast_list values (?, ?)",
                           ((n, (n * 31 + k * 977) % 5000) for n in range(count) for k in range(1 + n % 4)))
    connection.commit()


def clashes(acts):
    seen, count = {}, 0
    for act in acts:
        key = (act.day, act.venue, act.start // 30)
        count += key in seen
        seen[key] = act.ident
    return count


def programme(acts):
    for act in acts:
        yield f"{act.day:2d} {act.clock()} {act.title:<12} {act.venue:<20} {'; '.join(act.performers)}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        with closing(sqlite3.connect(os.path.join(folder, "festival.db"))) as connection:
            fill(connection, count)
            acts = Repository(connection).lineup()
    digest = hashlib.sha1()
    for line in programme(acts):
        digest.update(line.encode())
    print("acts", len(acts), "clashes", clashes(acts), digest.hexdigest()[:12])


if __name__ == "__main__":
    main()
