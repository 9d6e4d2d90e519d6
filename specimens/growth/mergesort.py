"""Merges halves."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
def ordered(items):
    if len(items) < 2:
        return items
    half = len(items) // 2
    left, right = ordered(items[:half]), ordered(items[half:])
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


ordered([random.random() for _ in range(n)])
