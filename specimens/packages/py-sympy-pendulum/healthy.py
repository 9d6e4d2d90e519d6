"""Follows a playground swing: derives its speed and pull from the formula of its angle, then samples one afternoon."""
import sys

import sympy as sp

TIME, LENGTH = sp.symbols("t l", positive=True)


def angle():
    return sp.Rational(1, 2) * sp.exp(-TIME / 40) * sp.cos(sp.sqrt(sp.Rational(981, 100) / LENGTH) * TIME)


def formulas():
    swing = angle()
    speed = LENGTH * sp.diff(swing, TIME)
    pull = sp.Rational(981, 100) * sp.cos(swing) + speed**2 / LENGTH
    return speed, pull


def moments(count):
    return [0.05 + 0.11 * number for number in range(count)]


def sample(formula, length, times):
    evaluate = sp.lambdify((TIME, LENGTH), formula, "math")
    return [evaluate(time, length) for time in times]


def describe(speeds, pulls):
    fastest = max(range(len(speeds)), key=lambda at: abs(speeds[at]))
    return f"fastest {abs(speeds[fastest]):.4f} m/s, pull {min(pulls):.4f} to {max(pulls):.4f}, {len(pulls)} moments"


def main():
    speed, pull = formulas()
    times = moments(int(sys.argv[1]))
    print(describe(sample(speed, 2.4, times), sample(pull, 2.4, times)))


main()
