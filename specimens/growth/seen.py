"""Distinct numbers by looking through a list."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
seen = []
for _ in range(n):
    number = random.randrange(10 * n)
    if number not in seen:
        seen.append(number)
