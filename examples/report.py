"""A sales report, slow in one place: python3 examples/report.py ORDERS

Makes ORDERS orders, always the same ones, reads them back, adds them up and prints a page. One step
costs far more than it should; `slowpath -- python3 examples/report.py 20000` names it.
"""

import json
import re
import sys

LINE = re.compile(r"(\d+) (\S+@\S+) (\d+\.\d\d)")


def orders(count):
    """The lines of the order book."""
    lines, state = [], 12345
    for number in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        lines.append(f"{number} customer{state % (count // 5 + 1)}@example.org {state % 9000 / 100 + 1:.2f}")
    return lines


def parse(lines):
    found = (LINE.fullmatch(line) for line in lines)
    return [(int(match[1]), match[2], float(match[3])) for match in found]


def customers(rows):
    """Every customer once, in the order of their first order."""
    seen = []
    for _, email, _ in rows:
        if email not in seen:
            seen.append(email)
    return seen


def totals(rows):
    sums = {}
    for _, email, amount in rows:
        sums[email] = sums.get(email, 0.0) + amount
    return sums


def render(names, sums):
    best = sorted(names, key=lambda name: (-sums[name], name))[:3]
    page = {"customers": len(names), "revenue": round(sum(sums.values()), 2), "best": best}
    return json.dumps(page, indent=2)


def main():
    rows = parse(orders(int(sys.argv[1])))
    print(render(customers(rows), totals(rows)))


if __name__ == "__main__":
    main()
