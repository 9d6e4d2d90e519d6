"""Takes stock movements from several depots into one database."""

import contextlib
import csv
import functools
import hashlib
import io
import os
import queue
import sqlite3
import sys
import tempfile
import threading


def unit_of_work(method):
    """The method's changes are kept together, or not at all."""
    @functools.wraps(method)
    def wrapped(self, *args, **kwargs):
        if self.depth:
            return method(self, *args, **kwargs)
        self.depth += 1
        self.link.execute("BEGIN")
        try:
            result = method(self, *args, **kwargs)
        except BaseException:
            self.link.execute("ROLLBACK")
            raise
        finally:
            self.depth -= 1
        self.link.execute("COMMIT")
        return result
    return wrapped


class Stock:
    def __init__(self, path):
        self.link = sqlite3.connect(path, isolation_level=None)
        self.depth = 0
        self.link.executescript("""
            CREATE TABLE movement (id INTEGER PRIMARY KEY, depot TEXT, article INTEGER, amount INTEGER, mark TEXT);
            CREATE TABLE stock (article INTEGER PRIMARY KEY, amount INTEGER);""")

    @unit_of_work
    def move(self, depot, article, amount):
        mark = hashlib.md5(f"{depot}/{article}/{amount}".encode()).hexdigest()[:8]
        self.link.execute("INSERT INTO movement (depot, article, amount, mark) VALUES (?, ?, ?, ?)",
                          (depot, article, amount, mark))
        self.link.execute("INSERT INTO stock VALUES (?, ?) ON CONFLICT (article) DO UPDATE SET amount = amount + ?",
                          (article, amount, amount))

    def take_in(self, depot, rows):
        taken = 0
        for article, amount in rows:
            self.move(depot, int(article), int(amount))
            taken += 1
        return taken

    def summary(self):
        (lines,) = self.link.execute("SELECT COUNT(*) FROM movement").fetchone()
        (amount,) = self.link.execute("SELECT SUM(amount * article) FROM stock").fetchone()
        return lines, amount

    def close(self):
        self.link.close()


def sheet(depot, lines):
    """What a depot sends in the evening."""
    out = io.StringIO()
    writer = csv.writer(out)
    state = depot * 7 + 1
    for _ in range(lines):
        state = (state * 48271) % 2147483647
        writer.writerow([state % 900, state % 41 - 12])
    return out.getvalue()


def receive(inbox, depots, lines):
    for depot in range(depots):
        inbox.put((f"depot-{depot}", sheet(depot, lines)))
    inbox.put(None)


def main():
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    inbox = queue.Queue()
    with tempfile.TemporaryDirectory() as folder:
        mail = threading.Thread(target=receive, args=(inbox, 4, lines))
        mail.start()
        with contextlib.closing(Stock(os.path.join(folder, "stock.db"))) as stock:
            taken = 0
            while (letter := inbox.get()) is not None:
                depot, text = letter
                taken += stock.take_in(depot, csv.reader(io.StringIO(text)))
            print("taken", taken, "stock", *stock.summary())
        mail.join()


if __name__ == "__main__":
    main()
