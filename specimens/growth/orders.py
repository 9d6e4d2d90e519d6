"""All orders of a list."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
import itertools

best = 0
for order in itertools.permutations(range(n)):
    if order[0] > order[-1]:
        best += 1
