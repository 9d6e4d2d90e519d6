"""Takes the turnstile records of a concert hall and books them to the patrons' accounts."""

import os
import shutil
import sqlite3
import sys
import tempfile
import zlib

SCHEMA = """
create table patron (
    id integer primary key,
    mail text not null,
    name text not null,
    grade integer not null default 0
);
create unique index patron_mail on patron (mail);
create table visit (
    patron integer not null references patron (id),
    evening integer not null,
    door integer not null
);
create index visit_patron on visit (patron, evening);
"""

GIVEN = ("Ada", "Bela", "Cleo", "Dora", "Egon", "Fritz", "Gwen", "Hans", "Ida", "Jan")
FAMILY = ("Abel", "Brandt", "Costa", "Duval", "Ebner", "Fiala", "Grau", "Holm", "Ivens", "Jung", "Kovac")


class Column:
    """Names a column in a question; comparing it makes a condition."""

    def __init__(self, name, folded=False):
        self.name = name
        self.folded = folded

    def condition(self):
        return f"{self.name} = ?" + (" collate nocase" if self.folded else "")


class Table:
    columns = {}

    def __init__(self, base, name):
        self.base = base
        self.name = name

    def find(self, **wanted):
        terms = [self.columns[key].condition() for key in wanted]
        text = f"select * from {self.name} where {' and '.join(terms)}"
        return self.base.execute(text, tuple(wanted.values())).fetchone()

    def count(self, **wanted):
        terms = [self.columns[key].condition() for key in wanted]
        text = f"select count(*) from {self.name} where {' and '.join(terms)}"
        return self.base.execute(text, tuple(wanted.values())).fetchone()[0]

    def add(self, *values):
        marks = ", ".join("?" * len(values))
        self.base.execute(f"insert into {self.name} values ({marks})", values)

    def change(self, key, **values):
        terms = ", ".join(f"{name} = ?" for name in values)
        self.base.execute(f"update {self.name} set {terms} where id = ?", (*values.values(), key))


class Patrons(Table):
    columns = {"id": Column("id"), "mail": Column("mail", folded=True), "grade": Column("grade")}


class Visits(Table):
    columns = {"patron": Column("patron"), "evening": Column("evening")}


class Hall:
    def __init__(self, base):
        self.base = base
        self.patrons = Patrons(base, "patron")
        self.visits = Visits(base, "visit")
        self.unknown = 0
        self.seal = 0

    def enrol(self, count):
        for number in range(count):
            name = f"{GIVEN[number % 10]} {FAMILY[number % 11]}"
            self.patrons.add(number + 1, mail_of(number), name, 0)
        self.base.commit()

    def admit(self, evening, door, mail):
        patron = self.patrons.find(mail=mail)
        if patron is None:
            self.unknown += 1
            return
        key, _, name, grade = patron
        if self.visits.count(patron=key, evening=evening):
            return
        self.visits.add(key, evening, door)
        reached = min(3, self.visits.count(patron=key) // 2)
        if reached != grade:
            self.patrons.change(key, grade=reached)
        self.seal = zlib.crc32(f"{evening} {door} {name} {reached}".encode(), self.seal)

    def close(self):
        self.base.commit()

    def grades(self):
        return dict(self.base.execute("select grade, count(*) from patron group by grade order by grade"))


def mail_of(number):
    return f"{GIVEN[number % 10]}.{FAMILY[number % 11]}{number}@post{number % 7}.example".lower()


def records(evening, count, patrons):
    """What the doors have read; the cards were printed as the patrons had written their addresses."""
    state = 7_919 * (evening + 1)
    for _ in range(count):
        state = state * 48_271 % 2_147_483_647
        mail = mail_of(state % (patrons + patrons // 20))
        if state % 3 == 0:
            mail = mail.title()
        yield state // 64 % 6, mail


def main():
    evenings = int(sys.argv[1]) if len(sys.argv) > 1 else 22
    patrons = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    folder = tempfile.mkdtemp(prefix="hall-")
    try:
        base = sqlite3.connect(os.path.join(folder, "hall.db"))
        base.executescript("pragma journal_mode = memory; pragma synchronous = off;" + SCHEMA)
        hall = Hall(base)
        hall.enrol(patrons)
        for evening in range(evenings):
            for door, mail in records(evening, 120, patrons):
                hall.admit(evening, door, mail)
            hall.close()
        grades = " ".join(f"{grade}:{count}" for grade, count in hall.grades().items())
        print(f"evenings {evenings} unknown {hall.unknown} grades {grades} seal {hall.seal:08x}")
        base.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
