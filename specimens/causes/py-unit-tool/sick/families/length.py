"""Lengths, in metres."""

from fractions import Fraction

FACTORS = {
    "inch": Fraction(254, 10000),
    "foot": Fraction(3048, 10000),
    "yard": Fraction(9144, 10000),
    "mile": Fraction(1609344, 1000),
}
