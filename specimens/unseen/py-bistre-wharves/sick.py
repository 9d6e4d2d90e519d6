"""Works out when cargo that lies at a wharf has to be paid for: storage counts in working days of the port."""

import datetime
import sys
from collections import Counter

DAY = datetime.timedelta(days=1)
FIXED = ((1, 1), (5, 1), (8, 15), (10, 3), (11, 1), (12, 25), (12, 26))


def easter(year):
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    j, k = divmod(c, 4)
    m = (a + 11 * h) // 319
    r = (2 * e + 2 * j - k - h + m + 32) % 7
    month = (h - m + r + 90) // 25
    return datetime.date(year, month, (h - m + r + month + 19) % 32)


class PortCalendar:
    """Days on which the port stands still, for the years that contracts may span."""

    def __init__(self, port, first, last):
        self.port = port
        self.first = first
        self.last = last

    def movable(self, year):
        sunday = easter(year)
        return [sunday - 2 * DAY, sunday + DAY, sunday + 39 * DAY, sunday + 50 * DAY]

    @property
    def closed(self):
        days = set()
        for year in range(self.first, self.last + 1):
            days.update(datetime.date(year, month, day) for month, day in FIXED)
            days.update(self.movable(year))
            days.add(datetime.date(year, 6, 1 + self.port % 28))
        return frozenset(days)

    def works(self, day):
        return day.weekday() < 5 and day not in self.closed

    def after(self, start, count):
        """The day on which count working days have gone by."""
        day = start
        while count:
            day += DAY
            if self.works(day):
                count -= 1
        return day


class Consignment:
    __slots__ = ("number", "port", "landed", "free_days", "tons")

    def __init__(self, number, port, landed, free_days, tons):
        self.number = number
        self.port = port
        self.landed = landed
        self.free_days = free_days
        self.tons = tons


class Tariff:
    STEPS = ((10, 3), (40, 2), (10**6, 1))

    def per_day(self, tons):
        cost = 0
        floor = 0
        for limit, price in self.STEPS:
            part = min(tons, limit) - floor
            if part <= 0:
                break
            cost += part * price
            floor = limit
        return cost


class Notice:
    """What is sent to the owner of a consignment, with a check number over the text."""

    def __init__(self, consignment, due, pence):
        self.text = f"{consignment.number:07} port {consignment.port} due {due.isoformat()} sum {pence / 100:.2f}"

    def check(self):
        left, right = 1, 0
        for letter in self.text:
            left = (left + ord(letter)) % 9973
            right = (right + left) % 9973
        return right * 10000 + left


class Office:
    def __init__(self, ports):
        self.calendars = {port: PortCalendar(port, 2024, 2025) for port in range(ports)}
        self.tariff = Tariff()
        self.by_month = Counter()
        self.charged = 0
        self.checks = 0

    def settle(self, consignment):
        calendar = self.calendars[consignment.port]
        due = calendar.after(consignment.landed, consignment.free_days)
        self.by_month[due.year, due.month] += 1
        pence = self.tariff.per_day(consignment.tons) * (due - consignment.landed).days
        self.charged += pence
        self.checks ^= Notice(consignment, due, pence).check()


def arrivals(count, ports):
    state = 20250
    start = datetime.date(2024, 12, 1)
    for number in range(count):
        state = state * 48271 % 2147483647
        landed = start + datetime.timedelta(days=state % 330)
        yield Consignment(number, (state >> 4) % ports, landed, 6 + (state >> 8) % 9, 1 + (state >> 12) % 90)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    office = Office(12)
    for consignment in arrivals(count, 12):
        office.settle(consignment)
    month, most = max(office.by_month.items(), key=lambda item: (item[1], item[0]))
    print(f"charged {office.charged} checks {office.checks} months {len(office.by_month)} busiest {month[0]}-{month[1]:02} {most}")


if __name__ == "__main__":
    main()
