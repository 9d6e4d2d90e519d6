"""A priority queue, filled and emptied."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
import heapq

heap = []
for _ in range(n):
    heapq.heappush(heap, (random.random(), 1))
while heap:
    heapq.heappop(heap)
