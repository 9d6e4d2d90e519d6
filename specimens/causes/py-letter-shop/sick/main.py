"""Writes the letters of a mailing in the language of each reader."""

import random
import sys
import tempfile
import textwrap
import zlib

from phrases import Phrases, write_catalogues

LANGUAGES = ("de", "en", "fr", "nl")
BODY = (
    "{opening} {name}, {thanks} {order}. {delivery} {days} {unit}. {filler} "
    "{filler} {closing}"
)


def readers(count):
    draw = random.Random(3003)
    for number in range(count):
        yield {
            "name": f"reader {number}",
            "language": draw.choice(LANGUAGES),
            "order": draw.randrange(10 ** 6),
            "days": draw.randrange(1, 9),
            "loyal": draw.random() < 0.4,
        }


def greeting(phrases, reader):
    key = "greeting.loyal" if reader["loyal"] else "greeting.plain"
    return phrases.phrase(reader["language"], key)


def delivery(phrases, reader):
    language = reader["language"]
    unit = "unit.day" if reader["days"] == 1 else "unit.days"
    return phrases.phrase(language, "delivery"), phrases.phrase(language, unit)


def paragraph(phrases, reader):
    sentence, unit = delivery(phrases, reader)
    text = BODY.format(
        opening=greeting(phrases, reader),
        name=reader["name"],
        thanks=phrases.phrase(reader["language"], "thanks"),
        order=reader["order"],
        delivery=sentence,
        days=reader["days"],
        unit=unit,
        filler="We print on paper from forests that are looked after. " * 12,
        closing=phrases.phrase(reader["language"], "closing"),
    )
    return textwrap.fill(text, width=60 if reader["loyal"] else 72)


def page(text, reader):
    """Frames the letter, as the printer in the cellar wants it."""
    width = max(map(len, text.splitlines())) + 4
    lines = ["+" + "-" * width + "+"]
    for line in text.splitlines():
        lines.append("| " + line.ljust(width - 2) + " |")
    lines.append("+" + "-" * width + "+")
    lines.append(f"{reader['order']:06d}".rjust(width + 2))
    return "\n".join(lines)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 900
    with tempfile.TemporaryDirectory() as folder:
        write_catalogues(folder, LANGUAGES)
        phrases = Phrases(folder)
        total, check = 0, 0
        for reader in readers(count):
            letter = page(paragraph(phrases, reader), reader)
            total += letter.count("\n")
            check = zlib.crc32(letter.encode(), check)
    print("letters", count, "lines", total, "check", f"{check:08x}")


if __name__ == "__main__":
    main()
