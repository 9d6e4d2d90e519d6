"""Takes the weighing slips of a fruit cooperative into a data base and writes what each grower is owed."""

import decimal
import hashlib
import os
import shutil
import sqlite3
import sys
import tempfile

FRUITS = ("apple", "pear", "quince", "plum", "cherry", "medlar")
GRADES = ("first", "second", "press")
CENT = decimal.Decimal("0.01")


def open_books(folder):
    db = sqlite3.connect(os.path.join(folder, "harvest.sqlite"))
    db.executescript(
        """
        PRAGMA synchronous = NORMAL;
        CREATE TABLE rates (fruit TEXT, grade TEXT, rate INTEGER, PRIMARY KEY (fruit, grade)) WITHOUT ROWID;
        CREATE TABLE slips (
            id INTEGER PRIMARY KEY,
            grower INTEGER NOT NULL,
            fruit TEXT NOT NULL,
            grade TEXT NOT NULL,
            grams INTEGER NOT NULL
        );
        """
    )
    return db


def slip_lines(count):
    """The slips as the scales print them."""
    state = 31_337
    for number in range(count):
        state = (state * 48_271) % 2_147_483_647
        grower = state % 900
        fruit = FRUITS[state // 900 % 6]
        grade = GRADES[state // 5_400 % 3]
        yield f"{number};{grower};{fruit};{grade};{200 + state // 7 % 40_000}"


def parse(line):
    number, grower, fruit, grade, grams = line.split(";")
    if fruit not in FRUITS or grade not in GRADES:
        raise ValueError(line)
    return int(number), int(grower), fruit, grade, int(grams)


def take_in(db, count):
    """Books the rates and the slips of the day."""
    with db:
        db.executemany(
            "INSERT INTO rates VALUES (?, ?, ?)",
            [(f, g, 40 + 13 * i - 9 * j) for i, f in enumerate(FRUITS) for j, g in enumerate(GRADES)],
        )
        db.executemany("INSERT INTO slips VALUES (?, ?, ?, ?, ?)", map(parse, slip_lines(count)))
        db.execute("CREATE INDEX by_grower ON slips (grower, fruit, grade, grams)")


def owed(db):
    """What each grower is owed."""
    return db.execute(
        """
        SELECT grower, sum(grams * rate), count(*), max(grams)
        FROM slips JOIN rates USING (fruit, grade)
        GROUP BY grower ORDER BY grower
        """
    )


def as_money(gram_rates):
    return (decimal.Decimal(gram_rates) / 100_000).quantize(CENT, rounding=decimal.ROUND_HALF_EVEN)


def statements(db):
    for grower, gram_rates, slips, most in owed(db):
        yield grower, f"grower {grower}: {as_money(gram_rates)} for {slips} slips, largest {most} g\n"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
    folder = tempfile.mkdtemp(prefix="harvest-")
    try:
        db = open_books(folder)
        take_in(db, count)
        digest = hashlib.sha256()
        growers = 0
        with open(os.path.join(folder, "statements.txt"), "w", encoding="ascii") as target:
            for _, text in statements(db):
                target.write(text)
                digest.update(text.encode())
                growers += 1
        db.close()
        print(f"{count} slips, {growers} growers, {digest.hexdigest()[:12]}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
