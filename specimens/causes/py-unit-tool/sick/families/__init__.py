"""Families of units; each is a module of its own."""

from . import calendars, colours, currencies, letters, length

NAMES = ("calendars", "colours", "currencies", "length", "letters")
LOADED = {module.__name__.rsplit(".", 1)[1]: module for module in (calendars, colours, currencies, length, letters)}


def find(name):
    if name not in NAMES:
        raise SystemExit(f"no such family: {name}")
    return LOADED[name]
