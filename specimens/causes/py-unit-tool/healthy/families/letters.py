"""Alphabets: how a letter is written in another script."""

import re
import unicodedata
import unittest.mock


def build():
    names = {}
    for point in range(0x41, 0x1F000):
        name = unicodedata.name(chr(point), "")
        found = re.match(r"(GREEK|CYRILLIC|LATIN|ARMENIAN|GEORGIAN) .*LETTER (\w+)$", name)
        if found:
            names[found.group(1).lower(), found.group(2).lower()] = chr(point)
    return names


FACTORS = build()
STAND_IN = unittest.mock.Mock
