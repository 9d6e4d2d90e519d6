"""A fixed number of searches in a sorted sequence."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
def search(wanted):
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if middle * 3 < wanted:
            low = middle + 1
        else:
            high = middle
    return low


for i in range(10000):
    search(random.randrange(3 * n))
