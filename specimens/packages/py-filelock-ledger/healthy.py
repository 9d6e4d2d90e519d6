"""Every evening the shops of a chain book their takings in one ledger, which each of them locks while writing."""
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from filelock import FileLock

SHOPS = [f"shop {number}" for number in range(10)]


def book(ledger, shop, day, takings):
    with FileLock(ledger + ".lock").acquire(poll_interval=0.001):
        with open(ledger) as stream:
            entries = json.load(stream)
        entries.append([shop, day, takings])
        with open(ledger + ".new", "w") as stream:
            json.dump(entries, stream)
        os.replace(ledger + ".new", ledger)


def year(ledger, days):
    with ThreadPoolExecutor(len(SHOPS)) as shops:
        for day in range(days):
            takings = [900 + (day * 7 + len(SHOPS) * at) % 400 for at in range(len(SHOPS))]
            list(shops.map(book, [ledger] * len(SHOPS), SHOPS, [day] * len(SHOPS), takings))


with tempfile.TemporaryDirectory() as folder:
    ledger = os.path.join(folder, "ledger.json")
    with open(ledger, "w") as stream:
        json.dump([[shop, -day, 1000] for day in range(1, 181) for shop in SHOPS], stream)
    year(ledger, int(sys.argv[1]))
    with open(ledger) as stream:
        entries = json.load(stream)
print(len(entries), sum(takings for _, _, takings in entries))
