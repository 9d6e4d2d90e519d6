"""Writes the archive of a support desk to a file of lines, page by page, for the yearly audit."""

import hashlib
import json
import os
import shutil
import sqlite3
import sys
import tempfile

TEAMS = ("billing", "network", "hardware", "accounts")
WORDS = ("router", "invoice", "screen", "password", "printer", "refund", "cable", "keyboard", "login", "charge")
PAGE = 100


def open_archive(folder):
    db = sqlite3.connect(os.path.join(folder, "desk.sqlite"))
    db.row_factory = sqlite3.Row
    db.executescript(
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = OFF;
        CREATE TABLE tickets (
            id INTEGER PRIMARY KEY,
            team TEXT NOT NULL,
            opened INTEGER NOT NULL,
            subject TEXT NOT NULL,
            minutes INTEGER NOT NULL
        );
        """
    )
    return db


def make_tickets(count):
    state = 20_231
    for number in range(1, count + 1):
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        team = TEAMS[0] if state % 10 < 7 else TEAMS[1 + state % 3]
        subject = f"{WORDS[state % 10]} {WORDS[state // 10 % 10]} {number}"
        yield number, team, 1_600_000_000 + state % 31_536_000, subject, 5 + state % 240


def fill(db, count):
    with db:
        db.executemany("INSERT INTO tickets VALUES (?, ?, ?, ?, ?)", make_tickets(count))
        db.execute("CREATE INDEX by_team ON tickets (team, opened, id)")


def pages(db, team):
    """All tickets of a team in the order in which they were opened, in pages."""
    opened, number = -1, -1
    while True:
        rows = db.execute(
            "SELECT id, opened, subject, minutes FROM tickets"
            " WHERE team = ? AND (opened, id) > (?, ?) ORDER BY opened, id LIMIT ?",
            (team, opened, number, PAGE),
        ).fetchall()
        if not rows:
            return
        yield rows
        opened, number = rows[-1]["opened"], rows[-1]["id"]


def mask(subject):
    """The auditors may not read numbers of customers."""
    head, _, number = subject.rpartition(" ")
    return f"{head} {hashlib.sha256(number.encode()).hexdigest()[:10]}"


def as_line(team, row):
    return json.dumps(
        {"team": team, "id": row["id"], "opened": row["opened"], "subject": mask(row["subject"])},
        separators=(",", ":"),
    )


def write_team(db, team, target, digest):
    written = 0
    minutes = 0
    for rows in pages(db, team):
        block = "\n".join(as_line(team, row) for row in rows) + "\n"
        target.write(block)
        digest.update(block.encode())
        written += len(rows)
        minutes += sum(row["minutes"] for row in rows)
    return written, minutes


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 80_000
    folder = tempfile.mkdtemp(prefix="desk-")
    try:
        db = open_archive(folder)
        fill(db, count)
        digest = hashlib.sha256()
        total = 0
        hours = 0
        with open(os.path.join(folder, "audit.ndjson"), "w", encoding="ascii") as target:
            for team in TEAMS:
                written, minutes = write_team(db, team, target, digest)
                total += written
                hours += minutes // 60
        db.close()
        print(f"{total} tickets, {hours} hours, {digest.hexdigest()[:12]}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
