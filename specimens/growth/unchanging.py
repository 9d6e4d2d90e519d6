"""The same work whatever the size."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
total = 0
for i in range(200000):
    total += i * i % 7
