"""Scores the regattas of a sailing club: corrected times, places with ties, discards and the table of the season."""

import itertools
import queue
import sys
import threading
import zlib
from collections import Counter, defaultdict
from functools import lru_cache
from operator import attrgetter

BOATS = 180
CLASSES = (("Finn", 1040), ("Snipe", 1112), ("Star", 905), ("Laser", 1088), ("Yngling", 967))


class Boat:
    __slots__ = ("sail", "kind", "skill")

    def __init__(self, sail, kind, skill):
        self.sail = sail
        self.kind = kind
        self.skill = skill


class Finish:
    __slots__ = ("boat", "elapsed", "corrected", "points")

    def __init__(self, boat, elapsed):
        self.boat = boat
        self.elapsed = elapsed
        self.corrected = 0
        self.points = 0.0


class Dice:
    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = self.state * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        return (self.state >> 33) % limit


@lru_cache(maxsize=64)
def allowance(kind, wind):
    """Handicap of a class in a wind, in thousandths."""
    base = dict(CLASSES)[kind]
    return base + (wind - 9) * (base % 7 - 3)


class Bulletin(threading.Thread):
    """Puts notices up while the races go on; there are few."""

    def __init__(self):
        super().__init__(daemon=True)
        self.notices = queue.Queue()
        self.shown = 0

    def run(self):
        while (notice := self.notices.get()) is not None:
            self.shown += len(notice)


def fleet(dice):
    kinds = itertools.cycle(kind for kind, _ in CLASSES)
    return [Boat(f"S{100 + number}", kind, dice.below(400)) for number, kind in zip(range(BOATS), kinds)]


def sail(boats, dice, wind):
    for boat in boats:
        luck = dice.below(700)
        if luck < 9:
            continue
        yield Finish(boat, 3600 + luck + boat.skill - wind * 23)


def score(finishes, wind):
    """Points by corrected time; boats of the same time share theirs."""
    for finish in finishes:
        finish.corrected = finish.elapsed * 1000 // allowance(finish.boat.kind, wind)
    finishes.sort(key=attrgetter("corrected"))
    place = 1
    for _, tied in itertools.groupby(finishes, key=attrgetter("corrected")):
        tied = list(tied)
        for finish in tied:
            finish.points = place + (len(tied) - 1) / 2
        place += len(tied)
    return finishes


class Season:
    def __init__(self, boats):
        self.boats = boats
        self.points = defaultdict(list)
        self.wins = Counter()
        self.seal = 0

    def enter(self, race, finishes):
        came = {finish.boat.sail: finish.points for finish in finishes}
        missing = len(self.boats) + 1
        for boat in self.boats:
            self.points[boat.sail].append(came.get(boat.sail, missing))
        self.wins[finishes[0].boat.kind] += 1
        lines = (f"{race} {finish.boat.sail} {finish.corrected} {finish.points:g}" for finish in finishes)
        self.seal = zlib.crc32("\n".join(lines).encode(), self.seal)

    def table(self, discards):
        totals = []
        for boat in self.boats:
            kept = sorted(self.points[boat.sail])
            totals.append((sum(kept[: len(kept) - discards]), boat.sail))
        totals.sort()
        return totals


def main():
    races = int(sys.argv[1]) if len(sys.argv) > 1 else 7000
    dice = Dice(1851)
    boats = fleet(dice)
    season = Season(boats)
    bulletin = Bulletin()
    bulletin.start()
    for race in range(races):
        wind = 4 + dice.below(11)
        season.enter(race, score(list(sail(boats, dice, wind)), wind))
        if race % 50 == 49:
            bulletin.notices.put(f"race {race} sailed in wind {wind}")
    bulletin.notices.put(None)
    bulletin.join()
    best = " ".join(f"{sail}={points:g}" for points, sail in season.table(races // 6)[:3])
    wins = " ".join(f"{kind}:{count}" for kind, count in sorted(season.wins.items()))
    print(f"races {races} best {best} wins {wins} notices {bulletin.shown} seal {season.seal:08x}")


if __name__ == "__main__":
    main()
