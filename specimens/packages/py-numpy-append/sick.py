"""Smooths a stream of samples and keeps the result in one array."""
import sys

import numpy


def stream(count):
    state = 12345
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        yield state / 2**31


def smooth(samples):
    level, kept = 0.5, numpy.empty(0)
    for sample in samples:
        level += 0.1 * (sample - level)
        kept = numpy.append(kept, level)
    return kept


result = smooth(stream(int(sys.argv[1])))
print(f"{len(result)} {result.mean():.4f}")
