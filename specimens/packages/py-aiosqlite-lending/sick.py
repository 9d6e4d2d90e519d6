"""Looks up for the desk of a lending library what each reader has out, and what is late."""
import asyncio
import os
import sys
import tempfile

import aiosqlite

SHELVES = ("novels", "travel", "history", "music", "maps", "children")


async def fill(path, readers):
    async with aiosqlite.connect(path) as library:
        await library.execute("CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT, since INTEGER)")
        for shelf in SHELVES:
            await library.execute(f"CREATE TABLE {shelf} (id INTEGER PRIMARY KEY, title TEXT, author TEXT, bought INTEGER)")
            await library.execute(f"CREATE INDEX {shelf}_author ON {shelf} (author)")
        await library.execute("CREATE TABLE loan (id INTEGER PRIMARY KEY, reader INTEGER, title TEXT, due INTEGER)")
        await library.execute("CREATE INDEX loan_reader ON loan (reader)")
        rows = [(at % readers, f"Volume {at}", at * 37 % 60) for at in range(readers * 3)]
        await library.executemany("INSERT INTO loan (reader, title, due) VALUES (?, ?, ?)", rows)
        await library.commit()


async def account(path, reader):
    async with aiosqlite.connect(path) as library:
        return await library.execute_fetchall("SELECT title, due FROM loan WHERE reader = ?", (reader,))


async def desk(path, visits, readers):
    late = 0
    for visit in range(visits):
        loans = await account(path, visit * 7 % readers)
        late += sum(1 for _, due in loans if due < 14)
    return late


async def main(visits):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "library.db")
        await fill(path, 500)
        print(await desk(path, visits, 500))


asyncio.run(main(int(sys.argv[1])))
