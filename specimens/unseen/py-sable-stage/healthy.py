"""A stage with many actors: guests vote, and each is seated near the favourite's place in the ranking."""

import json
import sys
from collections import defaultdict


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


class Actor:
    def __init__(self, number, random):
        self.name = f"actor{number:03d}"
        self.points = random.below(1000)
        self.roles = [random.below(30) for _ in range(6)]


class Cast:
    def __init__(self, count, random):
        self.actors = [Actor(number, random) for number in range(count)]
        self.by_name = {actor.name: actor for actor in self.actors}
        self.weights = [1 + number % 4 for number in range(30)]
        self.places = None

    def score(self, actor):
        return actor.points + sum(self.weights[role] * 3 for role in actor.roles)

    def ranking(self):
        return sorted(self.actors, key=lambda actor: (-self.score(actor), actor.name))

    def standing(self, name):
        """At which place an actor stands."""
        if self.places is None:
            self.places = {actor.name: place for place, actor in enumerate(self.ranking())}
        return self.places[name]

    def applaud(self, votes):
        for name, count in votes.items():
            self.by_name[name].points += count * 5
        self.places = None


class Guest:
    """Read from the line of a ticket."""

    def __init__(self, line):
        ticket = json.loads(line)
        self.number = ticket["number"]
        self.favourite = ticket["favourite"]
        self.purse = ticket["purse"]


class Stage:
    def __init__(self, cast, rows=40):
        self.cast = cast
        self.rows = rows
        self.income = 0
        self.seats = defaultdict(int)

    def seat(self, guest):
        place = self.cast.standing(guest.favourite)
        row = min(self.rows - 1, place * self.rows // len(self.cast.actors))
        price = 50 - row
        if price > guest.purse:
            row, price = self.rows - 1, 5
        self.income += price
        self.seats[row] += 1

    def evening(self, lines):
        votes = defaultdict(int)
        for line in lines:
            guest = Guest(line)
            self.seat(guest)
            votes[guest.favourite] += 1
        self.cast.applaud(votes)
        return self.programme()

    def programme(self):
        best = self.cast.ranking()[:3]
        return ", ".join(f"{actor.name} ({self.cast.score(actor)})" for actor in best)


def tickets(count, actors, random):
    for number in range(count):
        favourite = min(random.below(actors), random.below(actors))
        yield json.dumps({"number": number, "favourite": f"actor{favourite:03d}", "purse": 10 + random.below(50)})


def main():
    evenings = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    random = Random(1599)
    stage = Stage(Cast(220, random))
    programme = ""
    for _ in range(evenings):
        programme = stage.evening(tickets(120, 220, random))
    print("income", stage.income, "first row", stage.seats[0], "best", programme)


if __name__ == "__main__":
    main()
