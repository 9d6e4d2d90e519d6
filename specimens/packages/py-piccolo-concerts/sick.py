import asyncio
import os
import shutil
import sys
import tempfile

from piccolo.columns import ForeignKey, Integer, Varchar
from piccolo.engine.sqlite import SQLiteEngine
from piccolo.table import Table

folder = tempfile.mkdtemp(prefix="concerts-")
DB = SQLiteEngine(path=os.path.join(folder, "concerts.sqlite"))


class Venue(Table, db=DB):
    name = Varchar()
    capacity = Integer()


class Concert(Table, db=DB):
    title = Varchar()
    sold = Integer()
    venue = ForeignKey(Venue)


async def load_season(count):
    await Venue.create_table()
    await Concert.create_table()
    await Venue.insert(*(Venue(name=f"hall {n}", capacity=100 + n % 40) for n in range(60)))
    concerts = [Concert(title=f"evening {n}", sold=n * 7 % 140, venue=n % 60 + 1) for n in range(count)]
    for start in range(0, count, 100):
        await Concert.insert(*concerts[start:start + 100])


async def season_report():
    full = 0
    seats = 0
    for concert in await Concert.objects().order_by(Concert.id):
        venue = await concert.get_related(Concert.venue)
        seats += venue.capacity
        full += concert.sold >= venue.capacity
    return full, seats


async def main():
    count = int(sys.argv[1])
    await load_season(count)
    full, seats = await season_report()
    print(f"concerts={count} full={full} seats={seats}")


if __name__ == "__main__":
    try:
        asyncio.run(main())
    finally:
        shutil.rmtree(folder)
