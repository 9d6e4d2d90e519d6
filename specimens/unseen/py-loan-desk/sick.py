"""Month's end at a tool library: who has what, who is late, what is never asked for."""
import contextlib
import sqlite3
import sys
import zlib

SCHEMA = """
create table member (id integer primary key, name text, street text);
create table tool (id integer primary key, label text, shelf text);
create table loan (id integer primary key, member_id int, tool_id int, day int, back int);
"""

LATE = """
select m.street, count(*), max(l.day)
from member m join loan l on l.member_id = m.id
where l.back is null
  and l.day = (select max(o.day) from loan o where o.tool_id = l.tool_id)
group by m.street order by m.street
"""

SHELVES = "select shelf, count(*) from tool group by shelf order by shelf"

BUSY_DAYS = "select day, count(*) n from loan group by day order by n desc, day limit 20"


class Desk:
    def __init__(self, loans):
        self.base = sqlite3.connect(":memory:")
        self.base.executescript(SCHEMA)
        self.stock(loans)

    def stock(self, loans):
        members, tools = loans // 8, loans // 5
        with self.base as base:
            base.executemany(
                "insert into member values (?, ?, ?)",
                ((i, f"member {i}", f"street {i % 23}") for i in range(members)),
            )
            base.executemany(
                "insert into tool values (?, ?, ?)",
                ((i, f"tool {i:05}", f"shelf {i % 31}") for i in range(tools)),
            )
            base.executemany(
                "insert into loan values (?, ?, ?, ?, ?)",
                (
                    (i, i * 7919 % members, i * 104729 % tools, i * 31 % 365, None if i % 6 == 0 else i % 365 + 5)
                    for i in range(loans)
                ),
            )

    def rows(self, statement):
        with contextlib.closing(self.base.execute(statement)) as cursor:
            return cursor.fetchall()


def section(title, rows):
    lines = [title, "-" * len(title)]
    lines += ["  ".join(str(cell).ljust(12) for cell in row) for row in rows]
    return "\n".join(lines)


def labels(desk):
    """Labels for all tools, with a check letter."""
    made = []
    for label, shelf in desk.rows("select label, shelf from tool order by id"):
        text = f"{label} / {shelf}"
        check = 0
        for _ in range(150):
            check = zlib.crc32(text.encode(), check)
        made.append(text + "ABCDEFGHJKLMNPQR"[check & 15])
    return made


def report(desk):
    parts = [section("late", desk.rows(LATE))]
    parts.append(section("shelves", desk.rows(SHELVES)))
    parts.append(section("busy days", desk.rows(BUSY_DAYS)))
    parts.append("\n".join(labels(desk)))
    return "\n\n".join(parts)


def main():
    loans = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    text = report(Desk(loans))
    print(f"report of {len(text)} letters, check {zlib.crc32(text.encode()):08x}")


main()
