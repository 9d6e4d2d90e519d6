"""Plays a season of boat rentals through the till, each at its own minute, and counts what comes back late."""
import datetime
import decimal
import email.message
import http.client
import sqlite3
import sys
import unittest.mock
import xml.dom.minidom

from freezegun import freeze_time

OPENING = datetime.datetime(2026, 5, 1, 9, 0)


class Till:
    def __init__(self):
        self.due, self.late = {}, decimal.Decimal(0)

    def lend(self, boat):
        self.due[boat] = datetime.datetime.now() + datetime.timedelta(minutes=45)

    def take_back(self, boat):
        due = self.due.pop(boat, None)
        if due and datetime.datetime.now() > due:
            self.late += decimal.Decimal("2.50")


def play(till, rentals):
    for number in range(rentals):
        with freeze_time(OPENING + datetime.timedelta(minutes=number * 3)):
            till.take_back(number * 7 % 20)
            till.lend(number * 3 % 20)


def main():
    till = Till()
    play(till, int(sys.argv[1]))
    print(len(till.due), "boats out,", till.late, "to pay for being late")


main()
