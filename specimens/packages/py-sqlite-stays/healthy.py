"""Writes the bills of a hotel: the stays lie in a database, each guest's are looked up by card."""
import sys

import sqlite_utils


def book(database, count):
    database["stays"].insert_all(
        {"id": number, "card": f"card-{number * 7919 % 20011}", "nights": number % 9 + 1, "rate": 60 + number % 50}
        for number in range(count)
    )


def bill(stays, card):
    return sum(stay["nights"] * stay["rate"] for stay in stays.rows_where("card = ?", [card]))


def bills(stays, guests):
    return {card: bill(stays, card) for card in guests}


def main(count):
    database = sqlite_utils.Database(memory=True)
    book(database, count)
    database["stays"].create_index(["card"])
    written = bills(database["stays"], [f"card-{number * 23}" for number in range(800)])
    print(len(written), sum(written.values()))


main(int(sys.argv[1]))
