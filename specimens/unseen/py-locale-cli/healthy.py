"""locale-cli: formats amounts in the way of a locale."""

import argparse
import decimal
import email.message  # noqa: F401
import json
import logging
import re
import sys
import xml.etree.ElementTree  # noqa: F401
from string import Template

log = logging.getLogger("locale-cli")

LANGUAGES = [a + b for a in "abcdefghikx" for b in "aeinorhu"]
REGIONS = ["MT", "SE", "BR", "KE", "NZ", "PT", "IS", "LU", "CH", "AR", "JP"]


def plural_rule(language, region):
    """A pattern that tells which plural form a number takes."""
    digit = (ord(language[0]) + ord(region[1])) % 5
    few = "|".join(f"{digit + k}(?!\\d)" for k in range(4))
    return (rf"^(?P<one>(?:1|{digit}1)$)|(?P<few>(?:{few}|[02-9]*[{digit}-9](?:\.0+)?)$)"
            rf"|(?P<{language}>-?\d{{1,3}}(?:[.,'\u202f]\d{{3}})*(?:[.,]\d+)?\s?(?:%|{region})?$)|(?P<other>.*)")


class Rules:
    def __init__(self, tag, pattern, shape):
        self.tag = tag
        self.pattern = pattern
        self.shape = shape

    def form(self, text):
        return self.pattern.match(text).lastgroup


class RuleBook(dict):
    def __missing__(self, tag):
        language, region = tag.split("-")
        if language not in LANGUAGES or region not in REGIONS:
            raise KeyError(tag)
        self[tag] = Rules(tag, re.compile(plural_rule(language, region)), Template(f"$amount {region}"))
        return self[tag]


RULES = RuleBook()


def group(number):
    text = f"{number:,.2f}"
    return text.replace(",", "\u202f")


def render(rules, number):
    amount = group(number)
    return rules.form(str(number)), rules.shape.substitute(amount=amount)


def amounts(count):
    for place in range(count):
        yield decimal.Decimal(place * 7919 % 100_000) / 4


def parse_args(argv):
    parser = argparse.ArgumentParser(prog="locale-cli")
    parser.add_argument("tag")
    parser.add_argument("count", type=int)
    parser.add_argument("--debug", action="store_true")
    return parser.parse_args(argv)


def main(argv=None):
    options = parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if options.debug else logging.WARNING)
    rules = RULES[options.tag]
    forms, width = {}, 0
    for number in amounts(options.count):
        form, text = render(rules, number)
        forms[form] = forms.get(form, 0) + 1
        width = max(width, len(text))
    log.debug("forms %s", forms)
    print(json.dumps({"tag": options.tag, "forms": dict(sorted(forms.items())), "width": width}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
