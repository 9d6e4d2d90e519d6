"""Reads the tide gauges of a coast, hour by hour, and tells the highest water and where it stood."""
import os
import shutil
import sys
import tempfile

import h5py
import numpy as np

GAUGES = 1104
HOURS_A_BLOCK = 240


def record(path, hours):
    hour = np.arange(hours, dtype="f4")[:, None]
    gauge = np.arange(GAUGES, dtype="f4")[None, :]
    level = np.round(210 + 190 * np.sin(hour / 1.98 + gauge / 40) + 30 * np.cos(hour / 170)).astype("i4")
    with h5py.File(path, "w") as out:
        out.create_dataset(
            "level", data=level, chunks=(HOURS_A_BLOCK, GAUGES), compression="gzip", compression_opts=1
        )


def open_records(path):
    return h5py.File(path, "r")


def highest(levels):
    best = (0, 0, 0)
    for hour in range(levels.shape[0]):
        row = levels[hour]
        gauge = int(row.argmax())
        best = max(best, (int(row[gauge]), hour, gauge))
    return best


def mean_at(levels, gauge, every):
    return float(levels[::every, gauge].mean())


def main():
    folder = tempfile.mkdtemp(prefix="tides-")
    path = os.path.join(folder, "coast.h5")
    try:
        record(path, int(sys.argv[1]))
        with open_records(path) as records:
            level, hour, gauge = highest(records["level"])
            mean = mean_at(records["level"], gauge, 24)
        print(f"highest {level} cm in hour {hour} at gauge {gauge}, mean there {mean:.1f} cm")
    finally:
        shutil.rmtree(folder)


main()
