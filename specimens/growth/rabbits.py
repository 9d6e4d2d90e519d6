"""The naive recursion."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
def rabbits(n):
    return n if n < 2 else rabbits(n - 1) + rabbits(n - 2)


rabbits(n)
