"""Matches a bank statement against open invoices and lists what is still owed."""

import csv
import io
import random
import sys
import unicodedata
from collections import defaultdict
from decimal import Decimal

NAMES = ["Müller & Söhne", "Ångström AB", "Société Générale", "Håkon Ødegård", "Żubr Sp. z o.o.", "Peña Hermanos"]


def invoices_text(count):
    draw = random.Random(77)
    out = io.StringIO()
    writer = csv.writer(out)
    for number in range(count):
        writer.writerow([f"R{number:06d}", draw.choice(NAMES), f"{draw.randrange(500, 90000) / 100:.2f}"])
    return out.getvalue()


def statement_text(count):
    """Nine of ten invoices are paid, some in two parts, in any order."""
    draw = random.Random(77)
    rows = []
    for number in range(count):
        name = draw.choice(NAMES)
        cents = draw.randrange(500, 90000)
        if number % 10 == 9:
            continue
        parts = [cents] if number % 4 else [cents // 2, cents - cents // 2]
        for part in parts:
            rows.append([f"payment  R{number:06d}", name.upper(), f"{part / 100:.2f}"])
    random.Random(5).shuffle(rows)
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def plain(name):
    """A name without accents, case and double blanks."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())


def read_invoices(text):
    return [
        {"number": number, "customer": plain(name), "amount": Decimal(amount), "paid": Decimal(0)}
        for number, name, amount in csv.reader(io.StringIO(text))
    ]


def read_statement(text):
    payments = []
    for purpose, name, amount in csv.reader(io.StringIO(text)):
        payments.append({
            "reference": purpose.split()[-1],
            "payer": plain(name),
            "amount": Decimal(amount),
        })
    return payments


def fits(invoice, payment):
    return invoice["number"] == payment["reference"]


def settle(invoices, payments):
    by_reference = defaultdict(list)
    for payment in payments:
        by_reference[payment["reference"]].append(payment)
    for invoice in invoices:
        for payment in by_reference[invoice["number"]]:
            if fits(invoice, payment):
                invoice["paid"] += payment["amount"]


def reminders(invoices):
    letters = []
    for invoice in invoices:
        owed = invoice["amount"] - invoice["paid"]
        if owed > 0:
            fee = max(Decimal(5), (owed * Decimal("0.02")).quantize(Decimal("0.01")))
            letters.append((invoice["customer"], invoice["number"], owed + fee))
    return sorted(letters)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1900
    invoices, letters = [], []
    # The books of twelve branches are kept apart, but only the first is big.
    for branch in range(12):
        size = count if branch == 0 else count // 3
        invoices = read_invoices(invoices_text(size))
        payments = read_statement(statement_text(size))
        if branch == 0:
            settle(invoices, payments)
            letters = reminders(invoices)
    print("letters", len(letters), "sum", sum(amount for _, _, amount in letters))
    print("first", *letters[0])
    print("last branch", len(invoices), invoices[-1]["customer"])


if __name__ == "__main__":
    main()
