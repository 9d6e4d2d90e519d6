"""Compares the yearly surveys of a forest, which come as one message each."""
import gc
import sys

import msgpack

PLOTS = 150_000


def survey(year):
    plots = [[[tree, [number % 9, tree], [year % 7]] for tree in range(4)] for number in range(1000)]
    packer = msgpack.Packer()
    some = b"".join(packer.pack(plot) for plot in plots)
    return packer.pack_array_header(PLOTS) + some * (PLOTS // 1000)


def read(message):
    gc.disable()
    try:
        return msgpack.unpackb(message)
    finally:
        gc.enable()


def sprouts(message):
    return sum(plot[0][2][0] for plot in read(message))


def compare(years):
    counts = {year: sprouts(survey(year)) for year in range(2020, 2020 + years)}
    return max(counts, key=counts.get), sum(counts.values())


print(*compare(int(sys.argv[1])))
