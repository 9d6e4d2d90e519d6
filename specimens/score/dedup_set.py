"""Removes duplicates by asking a set: linear."""

import sys


def dedup(values):
    seen, kept = set(), []
    for value in values:
        if value not in seen:
            seen.add(value)
            kept.append(value)
    return kept


print(len(dedup(list(range(int(sys.argv[1]))))))
