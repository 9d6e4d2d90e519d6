"""Writes the yearly notices for allotment gardens."""

import os
import sqlite3
import sys
import tempfile
import zlib

SCHEMA = """
create table tenant (id integer primary key, name text, since integer);
create table plot (id integer primary key, tenant integer references tenant (id), area integer, well integer);
"""


class Base:
    def __init__(self, path):
        self.line = sqlite3.connect(path)
        self.line.executescript(SCHEMA)

    def fill(self, plots):
        names = ("Ada", "Ben", "Cleo", "Dov", "Eve", "Finn")
        tenants = ((number, f"{names[number % 6]} {number}", 1960 + number % 60) for number in range(plots // 2))
        self.line.executemany("insert into tenant values (?, ?, ?)", tenants)
        rows = ((number, number * 7 % (plots // 2), 40 + number % 200, number % 3) for number in range(plots))
        self.line.executemany("insert into plot values (?, ?, ?, ?)", rows)
        self.line.commit()

    def one(self, text, *values):
        return self.line.execute(text, values).fetchone()

    def all(self, text, *values):
        return self.line.execute(text, values).fetchall()


class Plot:
    def __init__(self, base, row):
        self.base = base
        self.number, self.tenant_id, self.area, self.well = row

    @property
    def tenant(self):
        return self.base.one("select name, since from tenant where id = ?", self.tenant_id)

    @property
    def rent(self):
        return self.area * 3 + (25 if self.well else 0)


def plots(base):
    for row in base.all("select id, tenant, area, well from plot order by id"):
        yield Plot(base, row)


def notice(plot):
    name, since = plot.tenant
    discount = 10 if since < 1980 else 0
    return f"{name}: plot {plot.number}, {plot.area} square metres, {plot.rent - discount}.00 due in May"


def all_notices(base):
    check = 0
    total = 0
    for plot in plots(base):
        text = notice(plot)
        check = zlib.crc32(text.encode(), check)
        total += plot.rent
    return check, total


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        base = Base(os.path.join(folder, "plots.db"))
        base.fill(count)
        check, total = all_notices(base)
        base.line.close()
    print(f"{count} notices, rent {total}, check {check:08x}")


if __name__ == "__main__":
    main()
