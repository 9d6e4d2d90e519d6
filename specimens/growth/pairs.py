"""All pairs."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
total = 0
for i in range(n):
    for j in range(n):
        total += i ^ j
