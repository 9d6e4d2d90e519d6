"""Routes support mails to a team by what they say and who signed them."""

import random
import re
import sys
from collections import Counter

ORDER = re.compile(r"\b(?:order|invoice)\s+#?(\d{6})\b", re.I)
URGENT = re.compile(r"\b(?:urgent|immediately|asap|as soon as possible)\b", re.I)
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
SIGNED = re.compile(r"^((?:[A-Za-z]+[ ]?)+), (support|sales|accounts)$")

WORDS = (
    "the printer still shows an error after we changed cartridge paper tray please advise when "
    "technician could visit our office because nobody here knows how to reset it thanks for helping"
).split()
TEAMS = {"support": "desk", "sales": "field", "accounts": "books"}


def sentence(draw, words):
    return " ".join(draw.choice(WORDS) for _ in range(words))


def message(draw, number):
    lines = ["Dear team,"]
    for _ in range(draw.randrange(12, 24)):
        lines.append(sentence(draw, draw.randrange(8, 14)) + draw.choice(".!?"))
    if number % 3 == 0:
        lines.append(f"This is about order #{draw.randrange(10 ** 6):06d}, urgent!")
    lines.append(f"Reply to user{number}@mail{draw.randrange(9)}.example.org or call us.")
    if number % 9 == 7:
        lines.append(draw.choice(("kind regards from us;", "many thanks from Anna;", "best wishes to all in;")))
    lines.append(draw.choice(("Jo Park", "Maria del Mar", "Tom")) + ", " + draw.choice(sorted(TEAMS)))
    return lines


def inbox(count):
    draw = random.Random(90125)
    return [message(draw, number) for number in range(count)]


def orders(lines):
    return [int(found) for line in lines for found in ORDER.findall(line)]


def urgent(lines):
    return any(URGENT.search(line) for line in lines)


def sender(lines):
    for line in reversed(lines):
        found = ADDRESS.search(line)
        if found:
            return found.group()
    return None


def signature(lines):
    """Name and department, taken from the last lines of the mail."""
    for line in lines[-4:]:
        if len(line) > 24:
            continue
        found = SIGNED.match(line)
        if found:
            return found.group(1), found.group(2)
    return None, None


def route(lines):
    name, department = signature(lines)
    team = TEAMS.get(department, "triage")
    if urgent(lines):
        team += "!"
    return team, name, sender(lines), orders(lines)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    mails = inbox(count)
    teams, names, total = Counter(), Counter(), 0
    senders = set()
    for lines in mails:
        team, name, mail, numbers = route(lines)
        teams[team] += 1
        names[name] += 1
        senders.add(mail)
        total += sum(numbers)
    for team, size in sorted(teams.items()):
        print(f"{team:8} {size}")
    print("names", sorted((str(name), size) for name, size in names.items()))
    print("senders", len(senders), "orders", total)


if __name__ == "__main__":
    main()
