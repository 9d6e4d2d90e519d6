"""Collects the readings of electricity meters, which come in small parcels, into one table."""
import sys

import numpy as np
import pandas as pd


def parcels(count):
    for number in range(count):
        meter = np.arange(400) + number * 400
        yield pd.DataFrame({"meter": meter % 977, "hour": meter % 24, "day": number % 31, "used": meter * 0.25, "spare": 0.0})


def collect(count):
    return pd.concat(list(parcels(count)), ignore_index=True)


table = collect(int(sys.argv[1]))
by_hour = table.groupby("hour")["used"].sum()
print(len(table), int(table["used"].sum()), int(by_hour.max()))
