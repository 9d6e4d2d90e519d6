"""A product of two vectors, compiled by Numba, again and again."""

import sys

import numpy as np
from numba import njit


@njit
def dot(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


a = np.arange(int(sys.argv[1]), dtype=np.float64)
b = a[::-1].copy()
print(sum(dot(a, b) for _ in range(int(sys.argv[2]))))
