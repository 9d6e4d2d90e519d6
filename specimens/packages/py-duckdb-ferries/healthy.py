"""Loads the crossings of a ferry line into a table, and asks which harbours are the busiest."""
import csv
import sys
import tempfile

import duckdb

HARBOURS = ["Aalvik", "Bodo", "Drag", "Fosna", "Hella", "Kinsarvik", "Lavik", "Moss", "Stord"]


def crossings(count):
    seed = 29
    for number in range(count):
        seed = (seed * 69621) % 2147483647
        start = seed % len(HARBOURS)
        end = (start + 1 + seed // 16 % (len(HARBOURS) - 1)) % len(HARBOURS)
        yield number, HARBOURS[start], HARBOURS[end], seed // 64 % 180


def make_table(line):
    line.execute("CREATE TABLE crossing (number INTEGER, start VARCHAR, finish VARCHAR, cars INTEGER)")


def load(line, rows):
    with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as sheet:
        csv.writer(sheet).writerows(rows)
        sheet.flush()
        line.execute(f"COPY crossing FROM '{sheet.name}' (FORMAT CSV, HEADER FALSE)")


def busiest(line):
    return line.execute(
        "SELECT finish, sum(cars)::BIGINT AS cars FROM crossing GROUP BY finish ORDER BY cars DESC, finish LIMIT 3"
    ).fetchall()


def main():
    rows = list(crossings(int(sys.argv[1])))
    line = duckdb.connect()
    make_table(line)
    load(line, rows)
    print(busiest(line))
    line.close()


main()
