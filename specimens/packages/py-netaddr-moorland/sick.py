"""Gathers the address ranges that the villages of a moor lease from their provider, and counts what each class holds."""
import sys

from netaddr import IPAddress, IPRange, IPSet


def leases(count):
    start = int(IPAddress("10.20.0.0"))
    for number in range(count):
        first = start + number * 3 % count * 64 + number % 5
        yield IPRange(IPAddress(first), IPAddress(first + 21 + number % 17))


def gather(ranges):
    held = IPSet()
    for lease in ranges:
        held.add(lease)
    return held


def classes(held):
    counted = {}
    for network in held.iter_cidrs():
        counted[network.prefixlen] = counted.get(network.prefixlen, 0) + 1
    return sorted(counted.items())


held = gather(leases(int(sys.argv[1])))
print(held.size, *(f"/{length}:{count}" for length, count in classes(held)))
