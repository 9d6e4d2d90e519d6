"""Keeps the parcels of a counter in a dictionary on disk, and weighs what goes out on each route."""
import os
import shutil
import sys
import tempfile

from sqlitedict import SqliteDict


def parcels(count):
    seed = 7
    for number in range(count):
        seed = (seed * 48271) % 2147483647
        yield f"P{number:06}", {"route": seed % 23, "grams": 50 + seed // 32 % 9000}


def open_shelf(folder):
    return SqliteDict(os.path.join(folder, "parcels.sqlite"), tablename="parcels", autocommit=True)


def take_in(shelf, count):
    for number, parcel in parcels(count):
        shelf[number] = parcel
    shelf.commit()


def by_route(shelf):
    routes = {}
    for parcel in shelf.values():
        routes[parcel["route"]] = routes.get(parcel["route"], 0) + parcel["grams"]
    return max(routes.items(), key=lambda route: (route[1], route[0]))


def main():
    folder = tempfile.mkdtemp(prefix="parcels-")
    try:
        with open_shelf(folder) as shelf:
            take_in(shelf, int(sys.argv[1]))
            print(len(shelf), *by_route(shelf))
    finally:
        shutil.rmtree(folder)


main()
