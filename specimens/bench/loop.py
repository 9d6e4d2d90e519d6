"""A small loop in CPython: mostly start-up, some arithmetic. `loop.py ROUNDS`"""

import sys

total = 0
for number in range(int(sys.argv[1])):
    total += number * number % 7
