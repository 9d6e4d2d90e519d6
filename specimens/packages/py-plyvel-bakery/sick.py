"""Takes the standing orders of a bakery's customers into a book on disk, then counts the loaves of each round."""
import json
import os
import shutil
import sys
import tempfile

import plyvel

ROUNDS = ("harbour", "mill", "station", "hill", "abbey")


def order(number):
    return {
        "round": ROUNDS[number % len(ROUNDS)],
        "loaves": 1 + number * 7 % 5,
        "rolls": number * 3 % 12,
        "note": "leave with the neighbour" if number % 9 == 0 else "",
    }


def enter(book, number):
    book.put(b"customer-%05d" % number, json.dumps(order(number)).encode(), sync=True)


def take_orders(book, count):
    for number in range(count):
        enter(book, number)


def loaves_by_round(book):
    loaves = dict.fromkeys(ROUNDS, 0)
    for _, text in book.iterator(prefix=b"customer-"):
        entry = json.loads(text)
        loaves[entry["round"]] += entry["loaves"]
    return loaves


def main():
    folder = tempfile.mkdtemp(prefix="bakery-")
    try:
        book = plyvel.DB(os.path.join(folder, "orders"), create_if_missing=True)
        take_orders(book, int(sys.argv[1]))
        print(" ".join(f"{name}={count}" for name, count in loaves_by_round(book).items()))
        book.close()
    finally:
        shutil.rmtree(folder)


main()
