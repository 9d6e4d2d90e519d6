"""Removes duplicates from a list, the slow way or the fast way: python3 examples/dedup.py list|set N"""

import sys


def with_list(items):
    seen = []
    for item in items:
        if item not in seen:
            seen.append(item)
    return seen


def with_set(items):
    seen = set()
    return [item for item in items if not (item in seen or seen.add(item))]


how, n = sys.argv[1], int(sys.argv[2])
items = [(i * 7919) % (n // 2 + 1) for i in range(n)]
print(len({"list": with_list, "set": with_set}[how](items)))
