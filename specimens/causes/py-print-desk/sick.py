"""A copy shop for one morning: jobs arrive in bursts, two printers serve them in order."""

import random
import sys
from dataclasses import dataclass


@dataclass
class Job:
    number: int
    pages: int
    colour: bool
    arrived: int


class Printer:
    def __init__(self, name, rate):
        self.name = name
        self.rate = rate
        self.free_at = 0
        self.sheets = 0
        self.jobs = 0

    def serve(self, job, now):
        begin = max(now, self.free_at)
        self.free_at = begin + 1 + job.pages // self.rate
        self.sheets += job.pages
        self.jobs += 1
        return begin - job.arrived


class Desk:
    """The line of waiting jobs; the oldest stands at the right end."""

    def __init__(self, printers):
        self.printers = printers
        self.line = []
        self.waited = 0
        self.longest = 0
        self.income = 0

    def admit(self, job):
        self.line.insert(0, job)
        self.longest = max(self.longest, len(self.line))

    def take(self):
        return self.line.pop()

    def tick(self, now):
        for printer in self.printers:
            if self.line and printer.free_at <= now:
                job = self.take()
                self.waited += printer.serve(job, now)
                self.income += price(job)


def price(job):
    """In cents: a base fee, a price for each sheet that falls with the number, colour on top."""
    total, rest = 50, job.pages
    for limit, cents in ((10, 12), (50, 9), (200, 7), (10_000, 5)):
        part = min(rest, limit)
        total += part * cents * (3 if job.colour else 1)
        rest -= part
        if not rest:
            break
    return total - total % 5


def arrivals(count):
    """Most of the jobs come in the first tenth of the morning."""
    draw = random.Random(411)
    moments = sorted(int(draw.expovariate(1 / (count / 10))) for _ in range(count))
    for number, moment in enumerate(moments):
        yield Job(number, 1 + int(draw.expovariate(1 / 6)), draw.random() < 0.2, moment)


def morning(count):
    desk = Desk([Printer("left", 20), Printer("right", 12)])
    now = 0
    for job in arrivals(count):
        while now < job.arrived:
            desk.tick(now)
            now += 1
        desk.admit(job)
    while desk.line:
        desk.tick(now)
        now += 1
    return desk, now


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60000
    desk, closed = morning(count)
    for printer in desk.printers:
        print(printer.name, printer.jobs, printer.sheets)
    print("closed", closed, "longest", desk.longest, "mean wait", desk.waited // count, "income", desk.income)


if __name__ == "__main__":
    main()
