"""Answers requests for freight quotes and keeps the last answers for questions that come back."""

import random
import sys
import zlib
from collections import OrderedDict

HARBOURS = ["Riga", "Oslo", "Gent", "Porto", "Bari", "Varna", "Cork", "Turku", "Split", "Malmo"]


def tariffs():
    """Cents for a kilogram between each two harbours and for each week."""
    draw = random.Random(1)
    table = {}
    for start in HARBOURS:
        for goal in HARBOURS:
            for week in range(52):
                table[start, goal, week] = 20 + draw.randrange(400)
    return table


def requests(count):
    draw = random.Random(2)
    for number in range(count):
        if number > 40 and draw.random() < 0.1:
            yield ("again", number - 1 - draw.randrange(40))
        else:
            yield ("quote", number, draw.choice(HARBOURS), draw.choice(HARBOURS), draw.randrange(52), draw.randrange(1, 9000))


class Desk:
    def __init__(self, table):
        self.table = table
        self.past = OrderedDict()
        self.repeated = 0

    def letter(self, number, start, goal, week, kilograms):
        """The quote as the customer gets it: a line for each weight class."""
        rate = self.table[start, goal, week]
        lines = [f"quote {number}: {start} to {goal}, week {week}"]
        for step in range(12):
            weight = kilograms * (step + 1) // 12
            lines.append(f"{weight:>8} kg {weight * rate / 100:>12.2f}")
        text = "\n".join(lines)
        terms = "The carrier is not liable for delay caused by ice, strike or war. "
        return text + "\n" + terms * 320

    def remember(self, number, text):
        self.past[number] = text
        if len(self.past) > 64:
            self.past.popitem(last=False)

    def answer(self, request):
        if request[0] == "again":
            text = self.past.get(request[1])
            if text is None:
                return "unknown"
            self.repeated += 1
            return text
        _, number, *question = request
        text = self.letter(number, *question)
        self.remember(number, text)
        return text


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 24000
    desk = Desk(tariffs())
    check, size = 0, 0
    for request in requests(count):
        text = desk.answer(request)
        size += len(text)
        check = zlib.crc32(text[:400].encode(), check)
    print("answered", count, "repeated", desk.repeated, "characters", size, "check", f"{check:08x}")


if __name__ == "__main__":
    main()
