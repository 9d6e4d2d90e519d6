"""Takes the catalogue of a seed bank into its store, one packet after the other."""
import json
import sys
import tempfile

import lmdb

SPECIES = ["oat", "rye", "barley", "flax", "millet", "spelt"]


def packets(count):
    for number in range(count):
        yield f"packet-{number:06}", {"species": SPECIES[number % 6], "grams": number * 13 % 90, "shelf": number // 50}


def keep(transaction, name, packet):
    transaction.put(name.encode(), json.dumps(packet).encode())


def take_in(store, count):
    with store.begin(write=True) as transaction:
        for name, packet in packets(count):
            keep(transaction, name, packet)


def weight(store):
    with store.begin() as transaction:
        return sum(json.loads(packet)["grams"] for _, packet in transaction.cursor())


with tempfile.TemporaryDirectory() as folder:
    with lmdb.open(folder, map_size=1 << 26) as bank:
        take_in(bank, int(sys.argv[1]))
        print(weight(bank))
