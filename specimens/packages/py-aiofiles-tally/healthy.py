import asyncio
import os
import shutil
import sys
import tempfile

import aiofiles


def write_day(folder, day, count):
    path = os.path.join(folder, f"readings-{day}.csv")
    with open(path, "w") as out:
        out.writelines(f"{n % 17},{n * 7 % 1009}\n" for n in range(count))
    return path


async def tally_day(path):
    totals = {}
    async with aiofiles.open(path) as readings:
        content = await readings.read()
    for line in content.splitlines():
        station, value = line.split(",")
        totals[station] = totals.get(station, 0) + int(value)
    return totals


async def tally_week(paths):
    week = {}
    for path in paths:
        for station, value in (await tally_day(path)).items():
            week[station] = week.get(station, 0) + value
    return week


def main():
    count = int(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="readings-")
    try:
        paths = [write_day(folder, day, count) for day in range(7)]
        week = asyncio.run(tally_week(paths))
    finally:
        shutil.rmtree(folder)
    print(f"stations={len(week)} total={sum(week.values())} first={week['0']}")


if __name__ == "__main__":
    main()
