"""Lodge keys: numbers the keys of a lodge with primes, then counts in how many ways a ring of keys can weigh so much."""

import math
import sys
import threading


def sieve(limit):
    """All primes below the limit."""
    flags = bytearray([1]) * limit
    flags[0:2] = b"\0\0"
    for number in range(2, math.isqrt(limit) + 1):
        if flags[number]:
            flags[number * number :: number] = bytes(len(range(number * number, limit, number)))
    return [number for number, flag in enumerate(flags) if flag]


class Key:
    __slots__ = ("number", "weight", "door")

    def __init__(self, number, place):
        self.number = number
        self.weight = 3 + number % 61
        self.door = place


class Lodge:
    def __init__(self, keys):
        self.keys = keys

    @classmethod
    def furnish(cls, limit):
        return cls([Key(number, place) for place, number in enumerate(sieve(limit))])

    def wings(self):
        """Keys by the last digit of their number."""
        wings = {}
        for key in self.keys:
            wings.setdefault(key.number % 10, []).append(key)
        return wings

    def weight(self):
        return sum(key.weight for key in self.keys)


def ways(weights, total, modulus=1_000_000_007):
    """In how many ways keys, each used once, can weigh as much as the total."""
    table = [0] * (total + 1)
    table[0] = 1
    for weight in weights:
        for sum_now in range(total, weight - 1, -1):
            table[sum_now] = (table[sum_now] + table[sum_now - weight]) % modulus
    return table[total]


def gaps(keys):
    longest = 0
    counts = {}
    for before, after in zip(keys, keys[1:]):
        gap = after.number - before.number
        longest = max(longest, gap)
        counts[gap] = counts.get(gap, 0) + 1
    return longest, max(counts, key=counts.get)


def porter(over):
    """Waits for the evening, as a porter does."""
    over.wait()


def main():
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    over = threading.Event()
    thread = threading.Thread(target=porter, args=(over,))
    thread.start()
    lodge = Lodge.furnish(limit)
    print("keys", len(lodge.keys), "weight", lodge.weight())
    print("gaps", *gaps(lodge.keys))
    for digit, keys in sorted(lodge.wings().items()):
        if len(keys) > 1:
            print("wing", digit, ways([key.weight for key in keys[:1100]], 4000))
    over.set()
    thread.join()


if __name__ == "__main__":
    main()
