"""Counts words by a dictionary."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
counts = {}
for _ in range(n):
    word = str(random.randrange(1000))
    counts[word] = counts.get(word, 0) + 1
