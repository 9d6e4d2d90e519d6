"""Charges the cars that passed the gates of a toll road."""

import json
import os
import sys
import tempfile
from datetime import datetime, timedelta

GATES = [f"G{number:02d}" for number in range(24)]


def write_book(path):
    """The tariff book: for each pair of gates a price by class and time of day."""
    book = {"version": 3, "currency": "EUR", "sections": {}}
    for first, entry in enumerate(GATES):
        for last, leave in enumerate(GATES):
            if first == last:
                continue
            length = abs(first - last)
            book["sections"][f"{entry}>{leave}"] = {
                "km": round(4.2 * length, 1), "day": [110 * length, 190 * length, 260 * length],
                "night": [80 * length, 150 * length, 230 * length]}
    with open(path, "w") as out:
        json.dump(book, out)


class Passage:
    __slots__ = ("plate", "kind", "entry", "leave", "moment")

    def __init__(self, number):
        self.plate = f"{chr(65 + number % 26)}{chr(65 + number // 26 % 26)}-{number * 7919 % 10000:04d}"
        self.kind = (number * 31 >> 2) % 3
        self.entry = GATES[number * 13 % 24]
        self.leave = GATES[(number * 13 + 1 + number % 23) % 24]
        self.moment = datetime(2024, 3, 1) + timedelta(minutes=number * 7)


class TariffBook:
    def __init__(self, path):
        self.path = path

    def tariff_for(self, passage):
        with open(self.path) as source:
            book = json.load(source)["sections"]
        return book[f"{passage.entry}>{passage.leave}"]

    def price(self, passage):
        section = self.tariff_for(passage)
        night = passage.moment.hour >= 22 or passage.moment.hour < 6
        return section["night" if night else "day"][passage.kind]


def check_digit(plate):
    """ISO 7064 mod 37, 36 as the clearing house wants it."""
    total = 36
    for sign in plate * 8:
        if not sign.isalnum():
            continue
        total = (total + int(sign, 36)) % 36 or 36
        total = total * 2 % 37
    return (37 - total) % 36


def charge(passages, book):
    accounts = {}
    for passage in passages:
        key = f"{passage.plate}/{check_digit(passage.plate):02d}"
        accounts[key] = accounts.get(key, 0) + book.price(passage)
    return accounts


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tariff.json")
        write_book(path)
        accounts = charge((Passage(number) for number in range(count)), TariffBook(path))
    top = max(accounts.items(), key=lambda item: (item[1], item[0]))
    print("accounts", len(accounts), "total", sum(accounts.values()), "top", *top)


if __name__ == "__main__":
    main()
