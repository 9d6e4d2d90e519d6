"""Families of units; each is a module of its own."""

import importlib

NAMES = ("calendars", "colours", "currencies", "length", "letters")


def find(name):
    if name not in NAMES:
        raise SystemExit(f"no such family: {name}")
    return importlib.import_module(f"{__name__}.{name}")
