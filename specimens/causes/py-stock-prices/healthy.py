"""Values share portfolios against an archive of closing prices."""

import random
import sqlite3
import sys
from datetime import date, timedelta

SYMBOLS = [a + b + c for a in "ABCDEFG" for b in "AEIOU" for c in "KLMN"]
BEGIN = date(2019, 1, 1)


def quotes(days):
    """A random walk for each share."""
    draw = random.Random(1929)
    for symbol in SYMBOLS:
        cents = draw.randrange(1000, 20000)
        for day in range(days):
            if draw.random() < 0.3:
                continue
            cents = max(100, cents + draw.randrange(-80, 84))
            yield symbol, (BEGIN + timedelta(days=day)).isoformat(), cents


class Archive:
    def __init__(self, days):
        self.connection = sqlite3.connect(":memory:")
        self.connection.execute("create table quotes (symbol text not null, day text not null, cents integer not null)")
        with self.connection:
            self.connection.executemany("insert into quotes values (?, ?, ?)", quotes(days))
            self.connection.execute("create index quotes_by_symbol on quotes (symbol, day)")

    def close_before(self, symbol, day):
        """The last price on or before a day; markets are closed on some."""
        row = self.connection.execute(
            "select cents from quotes where symbol = ? and day <= ? order by day desc limit 1",
            (symbol, day.isoformat()),
        ).fetchone()
        return row[0] if row else None

    def span(self):
        return self.connection.execute("select min(day), max(day), count(*) from quotes").fetchone()


class Portfolio:
    def __init__(self, owner):
        self.owner = owner
        self.trades = []

    def buy(self, symbol, day, shares):
        self.trades.append((symbol, day, shares))


def portfolios(count, days):
    draw = random.Random(77)
    for number in range(count):
        portfolio = Portfolio(f"owner {number}")
        portfolio.buy(draw.choice(SYMBOLS), BEGIN + timedelta(days=10 + draw.randrange(days - 40)), 1 + draw.randrange(90))
        yield portfolio


def gain(archive, portfolio, today):
    total = 0
    for symbol, day, shares in portfolio.trades:
        paid = archive.close_before(symbol, day)
        worth = archive.close_before(symbol, today)
        if paid is not None and worth is not None:
            total += shares * (worth - paid)
    return total


def histogram(gains):
    """How many portfolios lie in which class of gain."""
    classes = {}
    for cents in gains:
        sign = -1 if cents < 0 else 1
        width = len(str(abs(cents) // 100))
        classes[sign * width] = classes.get(sign * width, 0) + 1
    return sorted(classes.items())


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 160
    days = 1100
    archive = Archive(days)
    today = BEGIN + timedelta(days=days - 2)
    gains = [gain(archive, portfolio, today) for portfolio in portfolios(count, days)]
    print("archive", *archive.span())
    print("sum", sum(gains), "best", max(gains), "worst", min(gains))
    print("classes", histogram(gains))


if __name__ == "__main__":
    main()
