"""Turns the amounts of old recipes into grams and millilitres."""
import sys

import pint

UNITS = pint.UnitRegistry()
RECIPES = {
    "bread": [("500 gram", "gram"), ("1.5 cup", "millilitre"), ("2 teaspoon", "millilitre")],
    "soup": [("2 pound", "gram"), ("3 pint", "millilitre"), ("1 tablespoon", "millilitre")],
    "cake": [("8 ounce", "gram"), ("0.5 cup", "millilitre"), ("3 teaspoon", "millilitre")],
}


def metric(amount, unit):
    return UNITS.Quantity(amount).to(unit).magnitude


def weigh(recipe):
    return sum(metric(amount, unit) for amount, unit in RECIPES[recipe])


def book(count):
    names = sorted(RECIPES)
    return sum(weigh(names[number % len(names)]) for number in range(count))


print(round(book(int(sys.argv[1])), 1))
