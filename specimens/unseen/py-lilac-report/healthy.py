"""Forecasts the stock of a flower wholesaler from its sales and writes the order list."""
import csv
import hashlib
import os
import sqlite3
import sys
import tempfile
from collections import defaultdict

SCHEMA = """
CREATE TABLE flower (id INTEGER PRIMARY KEY, name TEXT, pack INTEGER);
CREATE TABLE sale (id INTEGER PRIMARY KEY, flower_id INTEGER, week INTEGER, stems INTEGER);
CREATE INDEX sale_flower ON sale (flower_id, week);
"""


def fill(db, flowers, weeks):
    db.executescript(SCHEMA)
    with db:
        db.executemany(
            "INSERT INTO flower VALUES (?, ?, ?)", ((n, f"lilac {n:04d}", 10 + n % 4 * 5) for n in range(flowers))
        )
        db.executemany(
            "INSERT INTO sale (flower_id, week, stems) VALUES (?, ?, ?)",
            ((n, week, 40 + (n * 31 + week * 17) % 90) for n in range(flowers) for week in range(weeks)),
        )


def history(db):
    series = defaultdict(list)
    rows = db.execute(
        "SELECT f.name, f.pack, s.stems FROM flower f JOIN sale s ON s.flower_id = f.id ORDER BY f.id, s.week"
    )
    for name, pack, stems in rows:
        series[name, pack].append(stems)
    return series


def smooth(values, alpha, beta):
    level, trend, error = values[0], values[1] - values[0], 0.0
    for value in values[1:]:
        expected = level + trend
        error += (value - expected) ** 2
        before = level
        level = alpha * value + (1 - alpha) * expected
        trend = beta * (level - before) + (1 - beta) * trend
    return error, level + trend


def forecast(values):
    best = min(smooth(values, alpha / 10, beta / 10) for alpha in range(1, 8) for beta in range(1, 5))
    return max(0.0, best[1])


def order(pack, stems):
    return -(-int(stems) // pack)


def write_orders(path, orders):
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["flower", "packs", "forecast"])
        writer.writerows(orders)
    with open(path, "rb") as written:
        return hashlib.sha256(written.read()).hexdigest()


def main():
    flowers = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        db = sqlite3.connect(os.path.join(folder, "sales.db"))
        fill(db, flowers, 52)
        orders = []
        for (name, pack), values in history(db).items():
            stems = forecast(values)
            orders.append((name, order(pack, stems), f"{stems:.2f}"))
        db.close()
        seal = write_orders(os.path.join(folder, "orders.csv"), orders)
    print(f"flowers {len(orders)} packs {sum(packs for _, packs, _ in orders)} seal {seal[:16]}")


main()
