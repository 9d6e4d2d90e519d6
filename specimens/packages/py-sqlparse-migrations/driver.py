"""Takes the notes out of a folder of migration scripts and counts the lines that are left."""
import sys

import sqlparse

NOTE = ["/* Change {number}", "   asked for by: accounting", *[""] * 15, "   reviewed: yes */"]


def scripts(count):
    for number in range(count):
        lines = [f"CREATE TABLE t{number}"]
        lines += [line.format(number=number) for line in NOTE]
        lines += ["  (id INTEGER PRIMARY KEY, name VARCHAR(40), price NUMERIC(10, 2));", ""]
        lines += [f"INSERT INTO t{number} (id, name, price) VALUES ({row}, 'item {row}', {row}.5);" for row in range(4)]
        yield "\r\n".join(lines)


def bare(script):
    return sqlparse.format(script, strip_comments=True)


left = 0
for script in scripts(int(sys.argv[1])):
    left += len(bare(script).split())
print(left)
