"""Removes duplicates by searching a list: quadratic."""

import sys


def dedup(values):
    kept = []
    for value in values:
        if value not in kept:
            kept.append(value)
    return kept


print(len(dedup(list(range(int(sys.argv[1]))))))
