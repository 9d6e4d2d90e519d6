"""Checks the reference list of a manuscript for entries in the house style."""

import re
import sys
import unicodedata
from collections import Counter

YEAR = re.compile(r"\((1[89]\d\d|20[0-2]\d)[a-z]?\)")
PAGES = re.compile(r"(\d+)\s*[-\u2013]\s*(\d+)\.?$")
DOI = re.compile(r"\b10\.\d{4,9}/[-._;()/:A-Za-z0-9]+")
AUTHORS = re.compile(r"((?:[A-Z]?[a-z]+[ .-]?)+,? ?)+&? ?(?=\()")

SYLLABLES = ["ka", "ro", "li", "ben", "sto", "va", "mer", "in", "da", "tol"]


def surname(number):
    parts = []
    for _ in range(2 + number % 2):
        parts.append(SYLLABLES[number % 10])
        number = number // 10 + 3 * number % 97
    return "".join(parts).capitalize()


def reference(number):
    names = [surname(number * 17 + k) for k in range(1 + number % 3)]
    title = " ".join(surname(number + k).lower() for k in range(5))
    text = f"{', '.join(names)} ({1950 + number % 70}). {title.capitalize()}. J. Mod. {surname(number)} {number % 60}, {number % 900}-{number % 900 + 11}."
    if number % 11 == 0:
        text += f" doi 10.1000/{number:05d}.x"
    if number % 55 == 7:
        text = f"{''.join(surname(number + k).lower() for k in range(3))[:11]}; ed. {text[text.index('('):]}"
    return text


def normal(text):
    return unicodedata.normalize("NFKC", text).strip()


def split_authors(text):
    found = AUTHORS.match(text)
    if found:
        return [part.strip() for part in found.group(0).split(",") if part.strip()]
    return None


def parse(text):
    text = normal(text)
    entry = {"authors": split_authors(text)}
    year = YEAR.search(text)
    entry["year"] = int(year.group(1)) if year else None
    doi = DOI.search(text)
    entry["doi"] = doi.group(0) if doi else None
    body = text[:doi.start()].removesuffix(" doi ") if doi else text
    pages = PAGES.search(body.strip())
    entry["pages"] = (int(pages.group(1)), int(pages.group(2))) if pages else None
    return entry


def check(entries):
    faults = Counter()
    for entry in entries:
        if entry["authors"] is None:
            faults["authors"] += 1
        if entry["year"] is None:
            faults["year"] += 1
        if entry["pages"] is None:
            faults["pages"] += 1
        elif entry["pages"][1] < entry["pages"][0]:
            faults["order"] += 1
    return faults


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    entries = [parse(reference(number)) for number in range(count)]
    faults = check(entries)
    years = Counter(entry["year"] // 10 for entry in entries if entry["year"])
    print("entries", len(entries), "authors", sum(len(e["authors"] or ()) for e in entries), "faults", sorted(faults.items()),
          "decades", len(years), "dois", sum(e["doi"] is not None for e in entries))


if __name__ == "__main__":
    main()
