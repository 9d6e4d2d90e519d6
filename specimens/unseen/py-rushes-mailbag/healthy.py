"""Turns scanned paper forms that came by mail into records."""
import collections
import hashlib
import html
import re
import sys

FIELD = re.compile(r"^(?P<key>[A-Z][a-z]+(?: [a-z]+)?):\s*(?P<value>.*)$")
AMOUNT = re.compile(r"(\d+)[.,](\d\d) (EUR|CHF|GBP)")
TAIL = " \t\r\n_."
ENTITY = re.compile(r"&(?:amp|lt|gt|quot);")

TOWNS = ("Ash", "Birk", "Colm", "Dorn", "Elst", "Farn")


def letters(count):
    """Forms as the scanner gives them: dotted and ruled lines stay in the text."""
    for number in range(count):
        rule = "_" * (700 + number * 13 % 500)
        dots = "." * (120 + number % 60)
        yield "\n".join(
            (
                f"Name: Person {number:05d}   ",
                f"Town: {TOWNS[number % 6]} &amp; {TOWNS[number * 5 % 6]}____",
                f"Amount: {number * 31 % 900},{number % 90 + 10} EUR {dots}",
                f"Place: {TOWNS[number % 6]}, {rule} (date) {rule} (signed)",
                f"Remark: please call before {number % 12 + 8} o'clock{dots}",
                "",
            )
        )


def tidy(line):
    """Takes the ruling off the end of a line."""
    line = line.rstrip(TAIL)
    if ENTITY.search(line):
        line = html.unescape(line)
    return line


def fields(letter):
    """The named lines of one form."""
    found = {}
    for line in letter.split("\n"):
        match = FIELD.match(tidy(line))
        if match:
            found[match["key"]] = match["value"]
    return found


def cents(text):
    """An amount as whole cents; nothing where none is written."""
    match = AMOUNT.search(text)
    return int(match[1]) * 100 + int(match[2]) if match else 0


class Ledger:
    """What all forms come to."""

    def __init__(self):
        self.towns = collections.Counter()
        self.total = 0
        self.mark = hashlib.blake2b(digest_size=6)

    def enter(self, found):
        self.towns[found["Town"]] += 1
        self.total += cents(found["Amount"])
        for key in sorted(found):
            self.mark.update(f"{key}={found[key]};".encode())

    def summary(self):
        town, times = self.towns.most_common(1)[0]
        return f"{self.total} cents, {town} {times} times, {self.mark.hexdigest()}"


def main():
    count = int(sys.argv[1])
    ledger = Ledger()
    for letter in letters(count):
        ledger.enter(fields(letter))
    print(f"{count} forms, {ledger.summary()}")


if __name__ == "__main__":
    main()
