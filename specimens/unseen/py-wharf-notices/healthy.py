"""Sorts the notices of a harbour to the offices that asked for them: by ship, berth, and kind of notice."""

import random
import re
import sys
import zlib
from dataclasses import dataclass, field

SHIPS = ["Auk", "Brent", "Curlew", "Dunlin", "Eider", "Fulmar", "Gadwall", "Heron", "Ibis", "Jackdaw",
         "Kittiwake", "Linnet", "Merlin", "Nightjar", "Osprey", "Plover", "Quail", "Redshank", "Smew", "Teal"]
KINDS = ["arrives", "departs", "waits", "unloads", "bunkers", "shifts"]
CARGO = ["timber", "coal", "wool", "salt", "grain", "iron", "slate", "fish"]


@dataclass
class Office:
    number: int
    wish: re.Pattern
    taken: list = field(default_factory=list)


def make_offices(count, draw):
    offices = []
    for number in range(count):
        ship = draw.choice(SHIPS)
        kind = draw.choice(KINDS)
        berth = draw.randrange(60)
        if number % 3 == 0:
            wish = rf"\b{ship} \d+ {kind} at berth {berth:02d}\b"
        elif number % 3 == 1:
            wish = rf"^{ship} {number % 97}\b.*\b({draw.choice(CARGO)}|{draw.choice(CARGO)})$"
        else:
            wish = rf"\b{kind} at berth {berth // 10}\d\b.*{draw.choice(CARGO)} {number}?"
        offices.append(Office(number, re.compile(wish)))
    return offices


def make_notice(draw):
    ship = f"{draw.choice(SHIPS)} {draw.randrange(97)}"
    return f"{ship} {draw.choice(KINDS)} at berth {draw.randrange(60):02d} with {draw.choice(CARGO)}"


def tidy(text):
    """Some notices come over the radio and have odd spacing."""
    return " ".join(text.replace("\t", " ").split())


def wanted(office, text):
    return office.wish.search(text) is not None


def post(offices, notices):
    sent = 0
    for serial, text in enumerate(notices):
        text = tidy(text)
        for office in offices:
            if wanted(office, text):
                office.taken.append((serial, text))
                sent += 1
    return sent


def digest(office):
    """The sheet that hangs in the office: the notices by berth."""
    berths = {}
    for serial, text in office.taken:
        berth = text.partition(" at berth ")[2][:2]
        berths.setdefault(berth, []).append(serial)
    lines = [f"office {office.number}"]
    for berth in sorted(berths):
        lines.append(f"  {berth}: " + ", ".join(str(serial) for serial in berths[berth]))
    return "\n".join(lines)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    draw = random.Random(1805)
    offices = make_offices(680, draw)
    notices = [make_notice(draw) for _ in range(count)]
    sent = post(offices, notices)
    check = 0
    for office in offices:
        check = zlib.crc32(digest(office).encode(), check)
    print("notices", count, "sent", sent, "check", f"{check:08x}")


if __name__ == "__main__":
    main()
