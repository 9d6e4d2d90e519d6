"""Works out the fees of ships that called at a harbour."""

import concurrent.futures
import hashlib
import itertools
import json
import os
import sys
import tempfile
from abc import ABC, abstractmethod
from datetime import date, timedelta

FLAGS = ("NL", "NO", "GR", "PA", "LR", "MT", "DK")


class Source(ABC):
    """Where the tariff comes from."""

    @abstractmethod
    def document(self):
        ...


class FileSource(Source):
    def __init__(self, path):
        with open(path, encoding="utf-8") as text:
            self.text = text.read()

    def document(self):
        return json.loads(self.text)


class Tariff:
    def __init__(self, source):
        self.source = source

    @property
    def rules(self):
        return self.source.document()["rules"]

    @property
    def currency(self):
        return "EUR"

    def rate(self, kind, length):
        for limit, rate in self.rules[kind]["steps"]:
            if length <= limit:
                return rate
        return self.rules[kind]["beyond"]

    def rebate(self, flag, calls):
        return 7 if flag in ("NL", "DK") and calls > 3 else 0


class Ledger:
    def __init__(self):
        self.lines = []
        self.sums = {}

    def book(self, ship, day, amount):
        self.lines.append(f"{day.isoformat()} {ship['name']:<12} {amount:>9}")
        self.sums[ship["flag"]] = self.sums.get(ship["flag"], 0) + amount

    def seal(self):
        digest = hashlib.sha256()
        for line in self.lines:
            digest.update(line.encode())
        return digest.hexdigest()[:12]


def write_tariff(path, kinds):
    rules = {f"kind-{number}": {"steps": [[20 * step, 3 + step * (number % 4 + 1)] for step in range(1, 9)],
                                "beyond": 90 + number, "text": "as decided by the board, see annex " + str(number)}
             for number in range(kinds)}
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"rules": rules, "issued": "2026-01-01"}, out, indent=1)


def calls(count, kinds):
    state, first = 99, date(2026, 1, 1)
    seen = {}
    for number in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        ship = {"name": f"ship-{state >> 40 & 127}", "flag": FLAGS[(state >> 50) % 7], "kind": f"kind-{(state >> 33) % kinds}",
                "length": (state >> 20) % 190 + 10, "hours": (state >> 12) % 70 + 2}
        seen[ship["name"]] = seen.get(ship["name"], 0) + 1
        yield ship, first + timedelta(days=number % 365), seen[ship["name"]]


def fee(tariff, ship, times):
    base = tariff.rate(ship["kind"], ship["length"]) * ship["length"]
    stay = base * (1 + ship["hours"] // 24)
    return stay - stay * tariff.rebate(ship["flag"], times) // 100


def settle(tariff, count, kinds):
    ledger = Ledger()
    for ship, day, times in calls(count, kinds):
        ledger.book(ship, day, fee(tariff, ship, times))
    return ledger


def tides(days):
    """High water for the year, wanted by the pilots."""
    high = itertools.accumulate(range(days * 2), lambda level, step: (level * 31 + step) % 400)
    return sum(1 for level in high if level > 300)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    kinds = 24
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tariff.json")
        write_tariff(path, kinds)
        with concurrent.futures.ThreadPoolExecutor(1) as office:
            high = office.submit(tides, 40_000)
            ledger = settle(Tariff(FileSource(path)), count, kinds)
    print("seal", ledger.seal(), "sum", sum(ledger.sums.values()), "high", high.result())


if __name__ == "__main__":
    main()
