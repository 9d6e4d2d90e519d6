"""Converts a price sheet into other currencies, with rates asked from a bank."""

import json
import multiprocessing
import random
import socket
import sys
import time

CURRENCIES = ("CHF", "DKK", "GBP", "NOK", "PLN", "SEK", "USD")
RATES = {"CHF": 0.95, "DKK": 7.46, "GBP": 0.86, "NOK": 11.4, "PLN": 4.31, "SEK": 11.2, "USD": 1.08}


def answer(question):
    """The bank's side of one question."""
    time.sleep(0.005)
    return {"currency": question["currency"], "rate": RATES[question["currency"]]}


def bank(listener):
    while True:
        connection, _ = listener.accept()
        with connection, connection.makefile("rw") as wire:
            for line in wire:
                wire.write(json.dumps(answer(json.loads(line))) + "\n")
                wire.flush()


class Exchange:
    def __init__(self, port):
        self.wire = socket.create_connection(("127.0.0.1", port)).makefile("rw")

    def ask(self, question):
        self.wire.write(json.dumps(question) + "\n")
        self.wire.flush()
        return json.loads(self.wire.readline())

    def rates(self, currency):
        return self.ask({"currency": currency, "side": "sell"})["rate"]


def sheet(count):
    draw = random.Random(1971)
    return [(f"article {number}", draw.randrange(99, 250000)) for number in range(count)]


def price_point(cents):
    """Prices end on 9, and round ones are lowered a little."""
    cents = max(9, cents // 10 * 10 + 9)
    text = str(cents)
    if text.startswith("10") or text.startswith("50"):
        cents -= 20 if cents > 100 else 0
    return cents


def convert_all(exchange, articles):
    columns = {}
    for currency in CURRENCIES:
        rate = exchange.rates(currency)
        columns[currency] = [price_point(int(cents * rate * 1.015)) for _, cents in articles]
    return columns


def odd_ones(articles, columns):
    """Articles whose price has more digits abroad than at home."""
    found = 0
    for place, (_, cents) in enumerate(articles):
        home = len(str(cents))
        found += sum(len(str(column[place])) > home for column in columns.values())
    return found


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    listener = socket.create_server(("127.0.0.1", 0))
    peer = multiprocessing.get_context("fork").Process(target=bank, args=(listener,), daemon=True)
    peer.start()
    try:
        articles = sheet(count)
        columns = convert_all(Exchange(listener.getsockname()[1]), articles)
    finally:
        peer.terminate()
        peer.join()
    for currency in CURRENCIES:
        print(currency, sum(columns[currency]), max(columns[currency]))
    print("odd", odd_ones(articles, columns))


if __name__ == "__main__":
    main()
