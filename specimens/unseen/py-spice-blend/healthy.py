"""Runs a small macro language that describes spice blends."""

import re
import sys
import threading
import unicodedata
from collections import ChainMap, Counter

TOKEN = re.compile(r"\s*(?:(\d+)|([a-z_]\w*)|(.))")


class Parser:
    """expression := term (('+' | '-') term)*"""

    def __init__(self, text):
        self.tokens = [match.groups() for match in TOKEN.finditer(text)]
        self.place = 0

    def peek(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else (None, None, None)

    def take(self):
        token = self.peek()
        self.place += 1
        return token

    def expression(self):
        left = self.term()
        while self.peek()[2] in ("+", "-"):
            sign = self.take()[2]
            left = (sign, left, self.term())
        return left

    def term(self):
        left = self.atom()
        while self.peek()[2] == "*":
            self.take()
            left = ("*", left, self.atom())
        return left

    def atom(self):
        number, name, mark = self.take()
        if number:
            return int(number)
        if name:
            return name
        if mark == "(":
            inner = self.expression()
            self.take()
            return inner
        raise SyntaxError(f"unexpected {mark!r}")


class Scope:
    def __init__(self, builtin):
        self.names = ChainMap({}, builtin)

    def define(self, name, value):
        self.names[name] = value

    def look_up(self, name):
        return self.names[name]

    def __len__(self):
        return len(self.names)


class Kitchen:
    MODULUS = 1_000_003

    def __init__(self):
        self.scope = Scope({"salt": 3, "sugar": 5, "pinch": 1, "spoon": 15})
        self.uses = Counter()

    def value(self, node):
        if isinstance(node, int):
            return node
        if isinstance(node, str):
            self.uses[node] += 1
            return self.scope.look_up(node)
        sign, left, right = node
        one, other = self.value(left), self.value(right)
        if sign == "+":
            return (one + other) % self.MODULUS
        return (one - other if sign == "-" else one * other) % self.MODULUS

    def run(self, line):
        name, _, text = line.partition("=")
        self.scope.define(name.strip(), self.value(Parser(text).expression()))


def script(count):
    yield "base = salt * 4 + sugar"
    for number in range(count):
        name = f"blend_{number % (count // 2)}"
        early = f"blend_{number // 3 % max(number, 1)}" if number > 3 else "base"
        yield f"{name} = (base + {early}) * {number % 17 + 2} - spoon * pinch + {number}"


def index(names, found):
    """Searchable names for the printed list."""
    for name in names:
        plain = unicodedata.normalize("NFKD", name.title())
        found[plain[0]] = found.get(plain[0], 0) + len(plain)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    kitchen, found = Kitchen(), {}
    clerk = threading.Thread(target=index, args=([f"épice {number}" for number in range(20_000)], found))
    clerk.start()
    for line in script(count):
        kitchen.run(line)
    clerk.join()
    total = sum(kitchen.scope.look_up(f"blend_{number}") for number in range(0, count // 2, 7))
    print("blends", len(kitchen.scope), "total", total, "uses", sum(kitchen.uses.values()), "index", sum(found.values()))


if __name__ == "__main__":
    main()
