"""Allocates as Python programs do: strings, lists, dicts, and a few large buffers. heap.py ROUNDS"""
import sys


def records(number):
    return [{"id": at, "name": "name-%d" % at, "tags": [at, at + 1]} for at in range(number)]


def words(number):
    counts = {}
    for at in range(number):
        word = str(at * 7919 % 5000) * 3
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda pair: pair[1])


def buffers(number):
    total = 0
    for at in range(number):
        total += len(bytes(100_000 + at))
    return total


rounds = int(sys.argv[1])
for _ in range(rounds):
    records(5_000)
    words(30_000)
    buffers(20)
