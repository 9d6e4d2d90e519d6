"""The order database."""

import random
import sqlite3
from collections import defaultdict

SCHEMA = """
create table orders (id integer primary key, customer integer not null, day integer not null);
create table lines (id integer primary key, order_id integer not null, article integer, quantity integer, cents integer);
create table articles (id integer primary key, grams integer not null);
create index lines_by_order on lines (order_id);
"""


class Shop:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        self.connection.executescript(SCHEMA)
        self.lines = None

    def fill(self, count):
        draw = random.Random(8128)
        orders = [(n, draw.randrange(700), draw.randrange(28)) for n in range(count)]
        lines = []
        for number in range(count):
            for _ in range(1 + draw.randrange(5)):
                lines.append((number, draw.randrange(3000), 1 + draw.randrange(4), draw.randrange(99, 9900)))
        articles = [(n, 20 + draw.randrange(900)) for n in range(3000)]
        with self.connection:
            self.connection.executemany("insert into articles values (?, ?)", articles)
            self.connection.executemany("insert into orders values (?, ?, ?)", orders)
            self.connection.executemany(
                "insert into lines (order_id, article, quantity, cents) values (?, ?, ?, ?)", lines)

    def orders(self):
        rows = self.connection.execute("select id, customer, day from orders order by day, id").fetchall()
        return [{"id": number, "customer": customer, "day": day} for number, customer, day in rows]

    def lines_of(self, order):
        if self.lines is None:
            self.lines = defaultdict(list)
            rows = self.connection.execute(
                "select order_id, article, quantity, cents, grams from lines"
                " join articles on articles.id = article order by lines.id")
            for number, *line in rows:
                self.lines[number].append(line)
        return self.lines[order]
