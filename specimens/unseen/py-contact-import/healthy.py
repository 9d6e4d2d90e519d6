"""Imports contacts from a CSV export of the old CRM: cleans each field, checks it, counts what was refused and why."""
import csv
import io
import re
import sys
import unicodedata
from collections import Counter

FIRST = ("anna", "bernd", "chloe", "dmitri", "elena", "farid", "greta", "hugo", "inés", "jürgen", "katya", "léo")
LAST = ("abel", "brandt", "castro", "dubois", "egger", "fischer", "garcia", "hoffmann", "ivanova", "jansen")
HOSTS = ("example.com", "mail.example.org", "post.example.net", "corp.example.co.uk")

PHONE = re.compile(r"^\+?\d{2,3}[ /-]?\d{2,4}(?:[ -]?\d{2,4}){1,3}$")
POSTCODE = re.compile(r"^(?:[A-Z]{1,2}-)?\d{4,5}$")
MAILBOX = re.compile(r"^([A-Za-z0-9]+(?:[._+-][A-Za-z0-9]+)*[._+-]?)@((?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})$")
SPACES = re.compile(r"\s+")


def sample(count):
    """What the old system exports: mostly proper, some with a login name where the address belongs."""
    state = 4711
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("name", "mail", "phone", "postcode"))
    for i in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        first, last = FIRST[state % len(FIRST)], LAST[(state >> 8) % len(LAST)]
        plain = unicodedata.normalize("NFKD", first).encode("ascii", "ignore").decode()
        mail = f"{plain}.{last}{i}@{HOSTS[(state >> 16) % len(HOSTS)]}"
        if i % 500 == 17:
            mail = f"{last}{plain}{i:05d}2023"[-18:]
        elif i % 211 == 5:
            mail = f"{plain}..{last}@{HOSTS[0]}"
        phone = f"+49 {100 + state % 900} {1000 + (state >> 4) % 9000}"
        if i % 97 == 3:
            phone = phone.replace(" ", "  ")
        code = f"{10000 + (state >> 9) % 89999}"
        writer.writerow((f"  {first.title()}  {last.title()} ", mail, phone, code if i % 61 else "D"))
    return text.getvalue()


def tidy_name(raw):
    name = SPACES.sub(" ", raw).strip()
    return unicodedata.normalize("NFC", name)


def sort_key(name):
    folded = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


def check_mail(raw):
    found = MAILBOX.match(raw)
    if found is None:
        return None
    return found.group(2).lower()


def check_phone(raw):
    return PHONE.match(raw) is not None


def check_postcode(raw):
    return POSTCODE.match(raw) is not None


class Importer:
    def __init__(self):
        self.refused = Counter()
        self.hosts = Counter()
        self.accepted = []

    def take(self, row):
        name = tidy_name(row["name"])
        host = check_mail(row["mail"].strip())
        if host is None:
            self.refused["mail"] += 1
            return
        if not check_phone(row["phone"]):
            self.refused["phone"] += 1
            return
        if not check_postcode(row["postcode"]):
            self.refused["postcode"] += 1
            return
        self.hosts[host] += 1
        self.accepted.append((sort_key(name), name, row["mail"]))

    def run(self, text):
        for row in csv.DictReader(io.StringIO(text)):
            self.take(row)
        self.accepted.sort()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30000
    importer = Importer()
    importer.run(sample(count))
    refused = " ".join(f"{why}={n}" for why, n in sorted(importer.refused.items()))
    first = importer.accepted[0][1]
    print(f"accepted {len(importer.accepted)} hosts {len(importer.hosts)} refused {refused} first {first}")


if __name__ == "__main__":
    main()
