"""Command line tool that sorts telephone numbers by region and kind and writes them in the form of that region."""

import re
import sys

REGION_COUNT = 230
KINDS = ("fixed", "mobile", "freephone", "premium", "shared", "voip")


def region_code(index):
    return chr(65 + index // 26) + chr(65 + index % 26)


def country_prefix(index):
    return 20 + index


def area_groups(index, kind):
    """Leading digits which a kind of number has in a region."""
    start = 1 + KINDS.index(kind)
    spans = []
    for step in range(96):
        low = (index * 4 + step * 71 + start) % 293
        spans.append(f"{start}{low:03d}[{step % 4}-{step % 4 + 5}]")
    return spans


def number_pattern(index, kind):
    areas = "|".join(area_groups(index, kind))
    return rf"(?P<area>{areas})(?P<middle>\d{{3}})(?P<end>\d{{2,4}})(?:x(?P<extension>\d{{1,5}}))?"


class Rule:
    """How the numbers of one kind look in one region."""

    def __init__(self, index, kind):
        self.kind = kind
        self.pattern = re.compile(number_pattern(index, kind))
        self.form = "({area}) {middle}-{end}" if index % 2 else "{area} {middle} {end}"

    def write(self, digits):
        found = self.pattern.fullmatch(digits)
        if found is None:
            return None
        text = self.form.format(**found.groupdict())
        extension = found["extension"]
        return f"{text} ext. {extension}" if extension else text


class Region:
    def __init__(self, index):
        self.index = index
        self.code = region_code(index)
        self.prefix = str(country_prefix(index))
        self.rules = [Rule(index, kind) for kind in KINDS]

    def place(self, digits):
        for rule in self.rules:
            text = rule.write(digits)
            if text is not None:
                return rule.kind, f"+{self.prefix} {text}"
        return "unknown", f"+{self.prefix} {digits}"


class Directory:
    def __init__(self):
        self.regions = {}
        self.places = {region_code(index): index for index in range(REGION_COUNT)}

    def region(self, code):
        if code not in self.regions:
            self.regions[code] = Region(self.places[code])
        return self.regions[code]


def strip(text):
    """Only digits and the mark of an extension stay."""
    return re.sub(r"[^0-9x]", "", text.lower())


def sample_numbers(count):
    state = 911
    for _ in range(count):
        state = (state * 48_271) % 2_147_483_647
        kind = state % 7
        yield f"{1 + kind}{state // 7 % 293:03d}{state // 7_000 % 8}-{state // 3_360 % 1000:03d}.{state % 10_000:04d}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    code = sys.argv[2] if len(sys.argv) > 2 else "CH"
    directory = Directory()
    region = directory.region(code)
    tally = {}
    length = 0
    for number in sample_numbers(count):
        kind, text = region.place(strip(number))
        tally[kind] = tally.get(kind, 0) + 1
        length += len(text)
    print(code, length, " ".join(f"{kind}={tally[kind]}" for kind in sorted(tally)))


if __name__ == "__main__":
    main()
