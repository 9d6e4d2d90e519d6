"""Books transfers between accounts, each in a transaction of its own, and closes the books with a statement."""

import hashlib
import logging
import shutil
import sqlite3
import sys
import tempfile
import threading
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

log = logging.getLogger("purse")

SCHEMA = """
CREATE TABLE account (id INTEGER PRIMARY KEY, holder TEXT NOT NULL, balance INTEGER NOT NULL CHECK (balance >= 0));
CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES account(id),
    target INTEGER NOT NULL REFERENCES account(id),
    amount INTEGER NOT NULL,
    fee INTEGER NOT NULL
);
"""


class Refused(Exception):
    pass


@dataclass(frozen=True)
class Transfer:
    number: int
    source: int
    target: int
    amount: int


def audited(function):
    @wraps(function)
    def wrapper(self, transfer):
        try:
            outcome = function(self, transfer)
        except Refused as reason:
            self.refused += 1
            outcome = str(reason)
        self.trail.update(b"%d=%s;" % (transfer.number, str(outcome).encode()))
        log.debug("%s: %s", transfer, outcome)
        return outcome
    return wrapper


class Ledger:
    """Lives in memory while the feed is replayed, and goes to disk as one piece when the books are closed."""

    def __init__(self):
        self.connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=32)
        self.connection.executescript(SCHEMA)
        self.trail = hashlib.sha256()
        self.refused = 0

    @contextmanager
    def transaction(self):
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def open_accounts(self, accounts):
        with self.transaction() as connection:
            connection.executemany("INSERT INTO account(id, holder, balance) VALUES (?, ?, ?)", accounts)

    @audited
    def book(self, transfer):
        """The fee depends on what the giver has left, and the transfer on whether that is enough."""
        with self.transaction() as connection:
            (balance,) = connection.execute("SELECT balance FROM account WHERE id = ?", (transfer.source,)).fetchone()
            fee = 1 + (transfer.amount >> 7) + (balance < 5000)
            if balance < transfer.amount + fee:
                raise Refused(f"short by {transfer.amount + fee - balance}")
            connection.execute("UPDATE account SET balance = balance - ? WHERE id = ?", (transfer.amount + fee, transfer.source))
            connection.execute("UPDATE account SET balance = balance + ? WHERE id = ?", (transfer.amount, transfer.target))
            connection.execute(
                "INSERT INTO entry(id, source, target, amount, fee) VALUES (?, ?, ?, ?, ?)",
                (transfer.number, transfer.source, transfer.target, transfer.amount, fee),
            )
        return fee

    def statement(self):
        query = """SELECT a.id, a.balance, count(e.id), coalesce(sum(e.amount), 0)
                     FROM account a LEFT JOIN entry e ON e.source = a.id
                    GROUP BY a.id ORDER BY a.id"""
        self.connection.execute("CREATE INDEX entry_source ON entry(source)")
        return self.connection.execute(query).fetchall()

    def close(self, path):
        with closing(sqlite3.connect(path)) as copy:
            self.connection.backup(copy)
        self.connection.close()
        return path.stat().st_size > 0


class Bell(threading.Thread):
    """Waits for the books to be closed."""

    def __init__(self):
        super().__init__(daemon=True)
        self.closed = threading.Event()
        self.rung = False

    def run(self):
        self.closed.wait()
        self.rung = True


def accounts(count):
    return ((number, f"holder-{number:05d}", 20_000 + number * 17 % 9_000) for number in range(1, count + 1))


def feed(count, holders):
    seed = 1234567
    for number in range(1, count + 1):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        source = (seed >> 4) % holders + 1
        target = (source + (seed >> 11) % (holders - 1)) % holders + 1
        yield Transfer(number, source, target, (seed >> 7) % 6_000 + 1)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    folder = Path(tempfile.mkdtemp(prefix="purse-"))
    bell = Bell()
    bell.start()
    try:
        ledger = Ledger()
        ledger.open_accounts(accounts(800))
        for transfer in feed(count, 800):
            ledger.book(transfer)
        rows = ledger.statement()
        kept = ledger.close(folder / "books.db")
    finally:
        shutil.rmtree(folder)
    bell.closed.set()
    bell.join()
    moved = sum(row[3] for row in rows)
    print(len(rows), sum(row[1] for row in rows), moved, ledger.refused, bell.rung and kept, ledger.trail.hexdigest()[:12])


if __name__ == "__main__":
    main()
