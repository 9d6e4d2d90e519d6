"""Plant report: for each day of the period, output and scrap per line, as the shift leaders get it by mail."""
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
from datetime import date, datetime, timedelta

START = date(2024, 3, 4)
LINES = ("press-1", "press-2", "weld-1", "weld-2", "paint", "pack")

SCHEMA = """
CREATE TABLE reading (
    id INTEGER PRIMARY KEY,
    line TEXT NOT NULL,
    taken_at TEXT NOT NULL,
    good INTEGER NOT NULL,
    scrap INTEGER NOT NULL
);
CREATE INDEX reading_taken_at ON reading (taken_at);
CREATE TABLE target (line TEXT PRIMARY KEY, per_day INTEGER NOT NULL);
"""


def readings(days, per_day):
    """One reading every few seconds, lines in turn; a fixed pattern stands for the sensors."""
    step = 86400 / per_day
    state = 77
    for day in range(days):
        midnight = datetime.combine(START + timedelta(days=day), datetime.min.time())
        prefix = midnight.strftime("%Y-%m-%d ")
        for i in range(per_day):
            second = int(i * step)
            state = (state * 69069 + 1) & 0xFFFFFFFF
            clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
            yield LINES[i % len(LINES)], prefix + clock, 3 + (state >> 28), (state >> 20) % 23 == 0


class Plant:
    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.executescript(SCHEMA)

    def load(self, days, per_day):
        with self.db:
            self.db.executemany(
                "INSERT INTO reading (line, taken_at, good, scrap) VALUES (?, ?, ?, ?)", readings(days, per_day)
            )
            self.db.executemany(
                "INSERT INTO target VALUES (?, ?)", [(line, 2000 + 100 * i) for i, line in enumerate(LINES)]
            )

    def targets(self):
        return dict(self.db.execute("SELECT line, per_day FROM target"))

    def day(self, when):
        cursor = self.db.execute(
            "SELECT line, sum(good), sum(scrap), count(*) FROM reading"
            " WHERE taken_at >= ? AND taken_at < ? GROUP BY line ORDER BY line",
            (when.isoformat(), (when + timedelta(days=1)).isoformat()),
        )
        return cursor.fetchall()

    def close(self):
        self.db.close()


def grade(good, scrap, target):
    if scrap * 50 > good:
        return "C"
    return "A" if good >= target else "B"


def render(when, rows, targets):
    text = [f"{when:%a %d.%m.%Y}"]
    for line, good, scrap, count in rows:
        mark = grade(good, scrap, targets[line])
        text.append(f"  {line:<10}{good:>9}{scrap:>7}{count:>8}  {mark}")
    return "\n".join(text)


def report(plant, days):
    targets = plant.targets()
    pages, totals = [], []
    for offset in range(days):
        when = START + timedelta(days=offset)
        rows = plant.day(when)
        totals.append(sum(row[1] for row in rows))
        pages.append(render(when, rows, targets))
    return pages, totals


def main():
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    per_day = int(sys.argv[2]) if len(sys.argv) > 2 else 720
    folder = tempfile.mkdtemp(prefix="plant-")
    try:
        plant = Plant(os.path.join(folder, "plant.db"))
        plant.load(days, per_day)
        pages, totals = report(plant, days)
        plant.close()
        size = sum(len(page) for page in pages)
        print(
            f"days {days} output {sum(totals)} median {statistics.median(totals):.0f}"
            f" best {max(totals)} report {size} characters"
        )
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
