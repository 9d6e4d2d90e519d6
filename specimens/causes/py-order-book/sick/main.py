"""Prints the monthly statements of a shop from its order database."""

import os
import sys
import tempfile
import zlib

from store import Shop


def rounded(cents):
    """Rounds to five cents, as the till does."""
    return (cents + 2) // 5 * 5


def statement(shop, order):
    total, units, weight = 0, 0, 0
    for article, quantity, cents, grams in shop.lines_of(order["id"]):
        total += quantity * cents
        units += quantity
        weight += quantity * grams
        if article % 7 == 0:
            total -= quantity * cents // 10
    postage = 0 if total > 5000 else 290 + weight // 100 * 5
    return {
        "order": order["id"],
        "customer": order["customer"],
        "units": units,
        "total": rounded(total + postage),
    }


def statements(shop):
    for order in shop.orders():
        yield statement(shop, order)


def by_customer(rows):
    accounts = {}
    for row in rows:
        account = accounts.setdefault(row["customer"], [0, 0, 0])
        account[0] += 1
        account[1] += row["units"]
        account[2] += row["total"]
    return accounts


def rendered(accounts):
    for customer in sorted(accounts):
        orders, units, total = accounts[customer]
        yield f"customer {customer:5d}: {orders:3d} orders {units:5d} units {total / 100:10.2f}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(os.path.join(folder, "shop.db"))
        shop.fill(count)
        accounts = by_customer(statements(shop))
    check = 0
    for line in rendered(accounts):
        check = zlib.crc32(line.encode(), check)
    best = max(accounts.items(), key=lambda item: (item[1][2], item[0]))
    print("accounts", len(accounts), "check", f"{check:08x}")
    print("best", best[0], best[1])


if __name__ == "__main__":
    main()
