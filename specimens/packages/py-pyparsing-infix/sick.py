"""Reads the formulas of a sheet with a small expression grammar."""
import sys

from pyparsing import Word, alphas, infix_notation, nums, one_of, opAssoc


def grammar():
    operand = Word(nums) | Word(alphas)
    return infix_notation(operand, [
        (one_of("+ -"), 1, opAssoc.RIGHT),
        (one_of("* /"), 2, opAssoc.LEFT),
        (one_of("+ -"), 2, opAssoc.LEFT),
        (one_of("< > = <="), 2, opAssoc.LEFT),
    ])


def formulas(count):
    for number in range(count):
        yield f"(rate * ({number} + base)) + total / ((price - {number % 9}) * 3)"


def read(count):
    formula = grammar()
    return sum(len(formula.parse_string(text, parse_all=True)[0]) for text in formulas(count))


print(read(int(sys.argv[1])))
