"""Follows the barrels of a vineyard through the autumn; the state on disk survives a power cut at any moment."""

import hashlib
import json
import os
import random
import sys
import tempfile

GRAPES = ["pinot", "riesling", "silvaner", "gamay", "chasselas"]


class Barrel:
    def __init__(self, number, grape):
        self.number = number
        self.grape = grape
        self.sugar = 190 + number % 60
        self.alcohol = 0.0
        self.notes = []

    def ferment(self, warmth):
        burnt = min(self.sugar, 2 + warmth % 7)
        self.sugar -= burnt
        self.alcohol = round(self.alcohol + burnt * 0.059, 3)
        return burnt

    def taste(self, day, mark):
        self.notes.append([day, mark])
        if len(self.notes) > 6:
            self.notes.pop(0)

    def as_dict(self):
        return {"number": self.number, "grape": self.grape, "sugar": self.sugar, "alcohol": self.alcohol, "notes": self.notes}


class Cellar:
    def __init__(self, folder, barrels):
        self.files = [open(os.path.join(folder, f"cellar-{side}.json"), "w+", encoding="utf-8") for side in range(2)]
        self.journal = open(os.path.join(folder, "journal.jsonl"), "w", encoding="utf-8")
        self.barrels = [Barrel(number, GRAPES[number % len(GRAPES)]) for number in range(barrels)]
        self.steps = 0

    def step(self, event):
        number, day, warmth = event
        barrel = self.barrels[number]
        burnt = barrel.ferment(warmth)
        if warmth % 3 == 0:
            barrel.taste(day, (burnt * 7 + day) % 20)
        self.steps += 1
        self.keep(event)

    def keep(self, event):
        self.journal.write(json.dumps(event) + "\n")
        self.journal.flush()

    def save(self):
        state = {"steps": self.steps, "barrels": [barrel.as_dict() for barrel in self.barrels]}
        file = self.files[self.steps % 2]  # the other one holds the state before
        file.seek(0)
        file.write(json.dumps(state))
        file.truncate()
        file.flush()

    def close(self):
        self.journal.close()
        self.save()
        for file in self.files:
            file.close()


def autumn(count, barrels):
    chance = random.Random(1811)
    for place in range(count):
        yield chance.randrange(barrels), place // 40, chance.randrange(100)


def forecast(cellar):
    """A rough guess of when each barrel is dry; runs now and then."""
    days = 0
    for barrel in cellar.barrels:
        sugar = barrel.sugar
        while sugar > 0:
            sugar -= 9
            days += 1
    return days


def main():
    count = int(sys.argv[1])
    guesses = 0
    with tempfile.TemporaryDirectory() as folder:
        cellar = Cellar(folder, 420)
        for place, event in enumerate(autumn(count, 420)):
            cellar.step(event)
            if place % 100 == 0:
                guesses += forecast(cellar)
        cellar.close()
        with open(cellar.files[cellar.steps % 2].name, "rb") as file:
            seal = hashlib.sha256(file.read()).hexdigest()[:12]
    print("steps", cellar.steps, "guesses", guesses, "seal", seal)


if __name__ == "__main__":
    main()
