"""Prices a month of parcels by zone, weight band and the fuel index of the day they were handed in."""

import csv
import io
import logging
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import wraps

log = logging.getLogger("freight")
CENT = Decimal("0.01")
START = date(2024, 3, 1)
ZONES = {"A": Decimal("1.00"), "B": Decimal("1.18"), "C": Decimal("1.43"), "D": Decimal("1.95"), "E": Decimal("2.60")}


@dataclass(frozen=True)
class Parcel:
    number: int
    zone: str
    grams: int
    handed_in: datetime


@dataclass(frozen=True)
class Band:
    up_to: int
    fee: Decimal


def counted(function):
    """Counts the calls of a function, and nothing else."""
    @wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return function(*args, **kwargs)
    wrapper.calls = 0
    return wrapper


class FuelIndex:
    """A published figure for each day, read once."""

    def __init__(self, days):
        self.figures = {}
        figure = Decimal("101.40")
        for number in range(days):
            figure += Decimal((number * 37) % 13 - 6).scaleb(-1)
            self.figures[START + timedelta(days=number)] = figure

    def on(self, day):
        return self.figures[day]


class RateBook:
    KEPT = 64

    def __init__(self, fuel, widest=30000, step=150):
        self.fuel = fuel
        self.edges = list(range(step, widest + step, step))
        self.tables = {}

    def bands(self, zone, day):
        """The price list of one zone on one day."""
        factor = ZONES[zone] * self.fuel.on(day) / 100
        fee = Decimal("2.90")
        result = []
        for number, edge in enumerate(self.edges):
            fee += (Decimal("0.11") if number < 60 else Decimal("0.07")) * factor
            result.append(Band(edge, fee.quantize(CENT, ROUND_HALF_UP)))
        return result

    def table(self, zone, moment):
        key = (zone, moment)
        if key not in self.tables:
            if len(self.tables) >= self.KEPT:
                self.tables.pop(next(iter(self.tables)))
            self.tables[key] = self.bands(zone, moment.date())
        return self.tables[key]

    @counted
    def fee(self, parcel):
        table = self.table(parcel.zone, parcel.handed_in)
        low, high = 0, len(table) - 1
        while low < high:
            middle = (low + high) // 2
            if table[middle].up_to < parcel.grams:
                low = middle + 1
            else:
                high = middle
        return table[low].fee


class Discounts:
    """Steps by the number of parcels that a zone has had so far."""

    STEPS = ((500, Decimal("0.88")), (200, Decimal("0.94")), (0, Decimal("1")))

    def __init__(self):
        self.so_far = Counter()

    def apply(self, parcel, fee):
        self.so_far[parcel.zone] += 1
        seen = self.so_far[parcel.zone]
        factor = next(factor for least, factor in self.STEPS if seen > least)
        return (fee * factor).quantize(CENT, ROUND_HALF_UP)


def manifest(count, days):
    page = io.StringIO()
    writer = csv.writer(page)
    seed = 77
    for number in range(count):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        day = START + timedelta(days=number * days // count)
        second = (seed >> 20) % 86400
        moment = datetime(day.year, day.month, day.day) + timedelta(seconds=second)
        writer.writerow([number, "ABCDE"[(seed >> 9) % 5], (seed >> 33) % 29000 + 100, moment.isoformat()])
    return page.getvalue()


def parcels(text):
    for number, zone, grams, moment in csv.reader(io.StringIO(text)):
        yield Parcel(int(number), zone, int(grams), datetime.fromisoformat(moment))


def invoice(book, text):
    discounts = Discounts()
    totals = {zone: Decimal(0) for zone in ZONES}
    per_day = Counter()
    for parcel in parcels(text):
        fee = discounts.apply(parcel, book.fee(parcel))
        totals[parcel.zone] += fee
        per_day[parcel.handed_in.date()] += 1
        log.debug("parcel %d: %s", parcel.number, fee)
    return totals, per_day


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    logging.basicConfig(level=logging.WARNING)
    days = 20
    with ThreadPoolExecutor(max_workers=3) as pool:
        fuel = pool.submit(FuelIndex, days)
        text = pool.submit(manifest, count, days)
        book = RateBook(fuel.result())
        totals, per_day = invoice(book, text.result())
    busiest = max(sorted(per_day), key=per_day.get)
    print(RateBook.fee.calls, busiest, " ".join(f"{zone}={total}" for zone, total in totals.items()))


if __name__ == "__main__":
    main()
