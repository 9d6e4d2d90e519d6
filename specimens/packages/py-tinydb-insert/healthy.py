"""Keeps the readings of a weather station in a small database file."""
import os
import sys
import tempfile

from tinydb import TinyDB
from tinydb.middlewares import CachingMiddleware
from tinydb.storages import JSONStorage


def readings(count):
    for number in range(count):
        yield {"station": f"s{number % 7}", "minute": number, "celsius": number % 31 - 5.5, "wind": number % 13}


def keep(path, count):
    with TinyDB(path, storage=CachingMiddleware(JSONStorage)) as database:
        for reading in readings(count):
            database.insert(reading)
        return len(database)


with tempfile.TemporaryDirectory() as folder:
    print(keep(os.path.join(folder, "weather.json"), int(sys.argv[1])))
