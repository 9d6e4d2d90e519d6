"""Imports the price lists of suppliers into the catalogue and draws up the margin table."""
import csv
import functools
import os
import re
import sqlite3
import sys
import tempfile

UNITS = {"pc": 1, "dz": 12, "ctn": 48, "plt": 960}
GROUPS = ["tools", "paint", "garden", "sanitary", "electric", "timber", "fixings"]
CODE = re.compile(r"^([A-Z]{2})-(\d{6})/(\d)$")
BATCH = 2000


def price_list(supplier, articles):
    brand = "ABCDEFGH"[supplier % 8] + "X"
    state = 1848 + supplier
    for _ in range(articles):
        state = (state * 69069 + 12345) & 0x7FFFFFFF
        cost = 40 + state % 89959
        yield ("%s-%06d/%d" % (brand, (state >> 9) % 400000, state >> 3 & 3), GROUPS[(state >> 5) % 7],
               ("pc", "pc", "dz", "ctn", "plt")[(state >> 7) % 5], cost, cost * 100 // (60 + (state >> 11) % 35))


def write_lists(folder, suppliers, articles):
    paths = []
    for supplier in range(suppliers):
        path = os.path.join(folder, "supplier-%02d.csv" % supplier)
        with open(path, "w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(["code", "group", "unit", "cost", "list"])
            writer.writerows(price_list(supplier, articles))
        paths.append(path)
    return paths


@functools.lru_cache(maxsize=None)
def group_number(name):
    return GROUPS.index(name) + 1


def articles_of(path):
    supplier = os.path.basename(path)[:-4]
    with open(path, newline="", encoding="utf-8") as source:
        rows = csv.reader(source)
        next(rows)
        for code, group, unit, cost, price in rows:
            found = CODE.match(code)
            if found is None:
                continue
            pieces = UNITS[unit]
            yield (supplier, found.group(1), int(found.group(2)), int(found.group(3)),
                   group_number(group), int(cost) // pieces, int(price) // pieces)


def batches(rows, size):
    batch = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def create(db):
    db.executescript(
        """
        CREATE TABLE groups (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE articles (
            supplier TEXT, brand TEXT, number INTEGER, variant INTEGER,
            group_id INTEGER, cost INTEGER, price INTEGER
        );
        """
    )
    db.executemany("INSERT INTO groups VALUES (?, ?)", enumerate(GROUPS, 1))


def import_list(db, path):
    count = 0
    for batch in batches(articles_of(path), BATCH):
        db.executemany("INSERT INTO articles VALUES (?, ?, ?, ?, ?, ?, ?)", batch)
        count += len(batch)
    return count


def margins(db):
    return db.execute(
        """
        SELECT g.name, COUNT(*), SUM(a.price - a.cost), MAX(a.price)
        FROM articles a JOIN groups g ON g.id = a.group_id
        GROUP BY g.id ORDER BY 3 DESC
        """
    ).fetchall()


def doubles(db):
    return db.execute(
        "SELECT COUNT(*) FROM (SELECT 1 FROM articles GROUP BY brand, number, variant HAVING COUNT(*) > 1)"
    ).fetchone()[0]


def main():
    suppliers, articles = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        paths = write_lists(folder, suppliers, articles)
        db = sqlite3.connect(os.path.join(folder, "catalogue.db"))
        create(db)
        with db:
            count = sum(import_list(db, path) for path in paths)
            db.execute("CREATE INDEX articles_by_code ON articles (brand, number, variant)")
        best = margins(db)[0]
        twice = doubles(db)
        db.close()
    print("articles=%d twice=%d best=%s/%d" % (count, twice, best[0], best[2]))


if __name__ == "__main__":
    main()
