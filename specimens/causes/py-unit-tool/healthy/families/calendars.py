"""Days: the number of each day of four centuries, by its name."""

import calendar
import email.utils
import locale
from datetime import date


def build():
    days = {}
    for year in range(1800, 2200):
        for month in range(1, 13):
            for day in range(1, calendar.monthrange(year, month)[1] + 1):
                days[f"{year}-{month:02d}-{day:02d}"] = date(year, month, day).toordinal()
    return days


FACTORS = build()
ZONE = email.utils.localtime
FORM = locale.D_FMT
