"""Prices shipments of many carriers; each carrier writes its tariff as a small formula."""
import functools
import random
import re
import sys

TOKEN = re.compile(r"\s*(?:(\d+\.\d+|\d+)|([a-z_]+)|(<=|>=|[-+*/<>(),?:]))")
FUNCTIONS = {"min": min, "max": max, "abs": abs}


def tokens_of(text):
    out = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        found = TOKEN.match(text, position)
        if found is None:
            raise ValueError("bad tariff near %r" % text[position:position + 12])
        number, word, sign = found.groups()
        if number:
            out.append(("num", float(number)))
        elif word:
            out.append(("name", word))
        else:
            out.append(("op", sign))
        position = found.end()
    out.append(("end", None))
    return out


class Reader:
    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at][1]

    def take(self):
        token = self.tokens[self.at]
        self.at += 1
        return token

    def expect(self, sign):
        if self.take()[1] != sign:
            raise ValueError("expected " + sign)

    def choice(self):
        test = self.compare()
        if self.peek() != "?":
            return test
        self.take()
        yes = self.choice()
        self.expect(":")
        no = self.choice()
        return lambda env: yes(env) if test(env) else no(env)

    def compare(self):
        left = self.total()
        sign = self.peek()
        if sign not in ("<", ">", "<=", ">="):
            return left
        self.take()
        right = self.total()
        if sign == "<":
            return lambda env: left(env) < right(env)
        if sign == ">":
            return lambda env: left(env) > right(env)
        if sign == "<=":
            return lambda env: left(env) <= right(env)
        return lambda env: left(env) >= right(env)

    def total(self):
        left = self.product()
        while self.peek() in ("+", "-"):
            left = self.join(self.take()[1], left, self.product())
        return left

    def product(self):
        left = self.atom()
        while self.peek() in ("*", "/"):
            left = self.join(self.take()[1], left, self.atom())
        return left

    @staticmethod
    def join(sign, left, right):
        if sign == "+":
            return lambda env: left(env) + right(env)
        if sign == "-":
            return lambda env: left(env) - right(env)
        if sign == "*":
            return lambda env: left(env) * right(env)
        return lambda env: left(env) / right(env)

    def atom(self):
        kind, value = self.take()
        if kind == "num":
            return lambda env: value
        if kind == "name" and self.peek() == "(":
            self.take()
            arguments = [self.choice()]
            while self.peek() == ",":
                self.take()
                arguments.append(self.choice())
            self.expect(")")
            call = FUNCTIONS[value]
            return lambda env: call([part(env) for part in arguments])
        if kind == "name":
            return lambda env: env[value]
        if value == "(":
            inner = self.choice()
            self.expect(")")
            return inner
        raise ValueError("unexpected %r" % (value,))


def tariff_book(carriers, seed):
    rng = random.Random(seed)
    book = {}
    for number in range(carriers):
        book["carrier-%02d" % number] = (
            "max(%d.%02d, weight * %d.%d + volume * %d / 1000) + (zone > %d ? zone * %d.5 : %d)"
            " + (weight > %d ? (weight - %d) * 0.%d : 0) - min(%d, volume / 90)" % (
                rng.randrange(3, 9), rng.randrange(100), rng.randrange(1, 4), rng.randrange(10),
                rng.randrange(80, 200), rng.randrange(2, 6), rng.randrange(1, 4), rng.randrange(1, 5),
                rng.randrange(20, 40), rng.randrange(10, 20), rng.randrange(1, 9), rng.randrange(1, 6)))
    return book


@functools.lru_cache(maxsize=256)
def formula_for(text):
    return Reader(text).choice()


def shipments(count, seed):
    rng = random.Random(seed)
    for number in range(count):
        yield {"weight": rng.randrange(1, 60), "volume": rng.randrange(5, 900), "zone": rng.randrange(1, 9)}


def cheapest(book, shipment):
    best = None
    for carrier, text in book.items():
        price = round(formula_for(text)(shipment), 2)
        if best is None or price < best[0]:
            best = (price, carrier)
    return best


def main():
    count = int(sys.argv[1])
    book = tariff_book(40, 7)
    won = {}
    cents = 0
    for shipment in shipments(count, 11):
        price, carrier = cheapest(book, shipment)
        won[carrier] = won.get(carrier, 0) + 1
        cents += round(price * 100)
    top = max(won, key=lambda name: (won[name], name))
    print("shipments=%d cents=%d carriers=%d top=%s" % (count, cents, len(won), top))


if __name__ == "__main__":
    main()
