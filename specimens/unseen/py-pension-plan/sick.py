"""Projects the pension pots of the members of a fund, month by month."""

import functools
import sys
from decimal import ROUND_HALF_EVEN, Decimal, getcontext

getcontext().prec = 40
CENT = Decimal("0.01")


class Member:
    def __init__(self, number):
        self.number = number
        self.age = 22 + number * 7 % 38
        self.salary = Decimal(1900 + number * 137 % 4100)
        self.rate = Decimal(4 + number % 5) / 100
        self.risk = number % 3


@functools.lru_cache(maxsize=None)
def survival(age):
    """A Gompertz curve, per mille and year."""
    hazard = Decimal("0.00022") * (Decimal("1.094") ** (age - 20))
    return max(Decimal(0), 1 - hazard)


@functools.lru_cache(maxsize=None)
def yearly(risk, year):
    wave = (year * 37 + risk * 11) % 19 - 7
    return Decimal("0.018") + Decimal(risk) * Decimal("0.009") + Decimal(wave) / 1000


def project(member, until=67):
    """The pot at retirement: exact decimals, rounded to cents once a year as the rules ask."""
    balance = Decimal(0)
    salary = member.salary
    for age in range(member.age, until):
        growth = 1 + yearly(member.risk, age) / 12
        for month in range(12):
            balance = balance * growth + salary * member.rate
        balance = (balance * survival(age)).quantize(CENT, ROUND_HALF_EVEN)
        salary = (salary * Decimal("1.021")).quantize(CENT, ROUND_HALF_EVEN)
    return balance


def annuity(pot, age=67):
    """Monthly pension paid out of a pot."""
    expected, alive = Decimal(0), Decimal(1)
    for year in range(age, 105):
        alive *= survival(year)
        expected += 12 * alive
    return (pot / expected).quantize(CENT)


def bands(pensions):
    out = {}
    for pension in pensions:
        key = int(pension) // 250 * 250
        out[key] = out.get(key, 0) + 1
    return sorted(out.items())


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    pots = [project(Member(number)) for number in range(count)]
    expected = annuity(Decimal(1))
    pensions = [annuity(pot) if number % 40 == 0 else (pot * expected).quantize(CENT) for number, pot in enumerate(pots)]
    print("members", count, "fund", sum(pots), "mean", sum(pots) / count // 1, "bands", len(bands(pensions)))


if __name__ == "__main__":
    main()
