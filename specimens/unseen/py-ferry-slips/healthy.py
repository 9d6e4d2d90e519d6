"""Settles loading slips of a ferry line: how long lorries stood on the pier, and what they owe for it."""

import sys
from collections import Counter, defaultdict
from datetime import datetime, timedelta

PIERS = ("north", "south", "coal", "grain")
FREE = timedelta(minutes=90)
STEP = timedelta(minutes=15)


def slips(count):
    """The text of the slips, as the weighing house sends it."""
    state = 90125
    clock = datetime(2025, 1, 2, 4, 0, 0)
    lines = []
    for number in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        clock += timedelta(seconds=state // 1024 % 110)
        stay = timedelta(seconds=600 + state // 32 % 14000)
        pier = PIERS[state // 65536 % len(PIERS)]
        lines.append(f"{clock};{clock + stay};{pier};{2000 + state % 38000};L{number % 977:03d}")
    return lines


def moment(text):
    return datetime.fromisoformat(text)


class Slip:
    __slots__ = ("came", "went", "pier", "kilos", "lorry")

    def __init__(self, line):
        came, went, self.pier, kilos, self.lorry = line.split(";")
        self.came = moment(came)
        self.went = moment(went)
        self.kilos = int(kilos)

    def stay(self):
        return self.went - self.came


def owed(slip):
    """Pence for the time beyond the free one, dearer for heavy lorries and at night."""
    over = slip.stay() - FREE
    if over <= timedelta(0):
        return 0
    steps = -(-over // STEP)
    rate = 120 + slip.kilos // 1000 * 7
    if slip.came.hour < 6 or slip.went.hour >= 22:
        rate += 60
    return steps * rate


class Pier:
    def __init__(self, name):
        self.name = name
        self.tons = 0
        self.pence = 0
        self.hours = Counter()

    def take(self, slip, pence):
        self.tons += slip.kilos / 1000
        self.pence += pence
        self.hours[slip.came.hour] += 1

    def busiest(self):
        hour, lorries = max(self.hours.items(), key=lambda pair: (pair[1], -pair[0]))
        return f"{hour:02d}h ({lorries})"


def settle(lines):
    piers = {name: Pier(name) for name in PIERS}
    accounts = defaultdict(int)
    for line in lines:
        slip = Slip(line)
        pence = owed(slip)
        piers[slip.pier].take(slip, pence)
        accounts[slip.lorry] += pence
    return piers, accounts


def worst(accounts, places):
    return sorted(accounts.items(), key=lambda pair: (-pair[1], pair[0]))[:places]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    piers, accounts = settle(slips(count))
    for pier in piers.values():
        print(f"{pier.name}: {pier.tons:.1f} t, {pier.pence} p, busiest {pier.busiest()}")
    print(", ".join(f"{lorry} {pence}" for lorry, pence in worst(accounts, 3)))


if __name__ == "__main__":
    main()
