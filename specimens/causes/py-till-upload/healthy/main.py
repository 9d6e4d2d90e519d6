"""Uploads the receipts of a day to the head office and prints its answers."""

import random
import sys
import zlib

from office import HeadOffice
from uplink import Uplink

GOODS = ("bread", "milk", "coffee", "soap", "paper", "apples", "cheese", "tea")


def receipts(count):
    draw = random.Random(200)
    for number in range(count):
        lines = [(draw.choice(GOODS), 1 + draw.randrange(5), draw.randrange(49, 2999))
                 for _ in range(40 + draw.randrange(80))]
        yield number, lines


def rendered(number, lines):
    """The receipt as text, with subtotals for each kind of goods."""
    kinds = {}
    text = [f"receipt {number:06d}"]
    for name, quantity, cents in lines:
        amount = quantity * cents
        kinds[name] = kinds.get(name, 0) + amount
        text.append(f"{name:<12}{quantity:>3} x {cents / 100:>8.2f} {amount / 100:>10.2f}")
    for name in sorted(kinds):
        text.append(f"{name:<12}{'':>14} {kinds[name] / 100:>10.2f}")
    text.append(f"{'total':<12}{'':>14} {sum(kinds.values()) / 100:>10.2f}")
    return "\n".join(text)


def deliver(uplink, count):
    accepted, check = 0, 0
    for number, lines in receipts(count):
        text = rendered(number, lines)
        answer = uplink.send(number, zlib.crc32(text.encode()))
        accepted += answer[0] == "taken"
        check = zlib.crc32(" ".join(answer).encode(), check)
    return accepted, check


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 260
    office = HeadOffice()
    office.open()
    try:
        uplink = Uplink(office.port, "till-7", "swordfish")
        accepted, check = deliver(uplink, count)
        uplink.close()
    finally:
        office.shut()
    print("accepted", accepted, "of", count, "check", f"{check:08x}")


if __name__ == "__main__":
    main()
