"""Books the till rolls of several shops into one journal database."""

import os
import random
import sqlite3
import sys
import tempfile

SHOPS = ("harbour", "market", "station", "museum")


def check_digit(number):
    """Luhn's digit, so that a mistyped account is noticed."""
    total = 0
    for place, digit in enumerate(reversed(str(number))):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return (10 - total % 10) % 10


def roll(shop, count):
    draw = random.Random(shop)
    for number in range(count):
        account = draw.randrange(10 ** 11, 10 ** 12)
        digit = check_digit(account)
        if draw.random() < 0.02:
            digit = (digit + 1) % 10
        kind = "sale" if draw.random() < 0.02 else "drawer"
        yield number, kind, account * 10 + digit, draw.randrange(-9000, 25000)


def valid(account):
    """Read twice: as typed, and as the scanner at the till reports it, backwards."""
    forth = check_digit(account // 10) == account % 10
    back = check_digit(int(str(account)[::-1])) in range(10)
    return forth and back


class Journal:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        self.connection.execute(
            "create table entries (shop text, number integer, account integer, cents integer, primary key (shop, number))")
        self.connection.commit()

    def book(self, shop, number, account, cents):
        self.connection.execute("insert into entries values (?, ?, ?, ?)", (shop, number, account, cents))
        self.connection.commit()

    def close_day(self):
        self.connection.commit()

    def balance(self):
        return self.connection.execute(
            "select shop, count(*), sum(cents) from entries group by shop order by shop").fetchall()


def take_in(journal, shop, count):
    refused = 0
    for number, kind, account, cents in roll(shop, count):
        if not valid(account):
            refused += 1
        elif kind == "sale":
            journal.book(shop, number, account, cents)
    journal.close_day()
    return refused


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(os.path.join(folder, "journal.db"))
        refused = {shop: take_in(journal, shop, count // len(SHOPS)) for shop in SHOPS}
        for shop, entries, cents in journal.balance():
            print(f"{shop:8} {entries:6} {cents / 100:12.2f} refused {refused[shop]}")


if __name__ == "__main__":
    main()
