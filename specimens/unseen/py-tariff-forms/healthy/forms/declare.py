"""A declaration and its sums."""

from collections import defaultdict


class Declaration:
    def __init__(self, catalogue):
        self.catalogue = catalogue
        self.lines = []

    def add(self, item):
        kind = self.catalogue.form(item["code"])
        self.lines.append((item["code"], kind(item["weight"], item["value"], item["origin"])))

    def by_code(self):
        sums = defaultdict(int)
        for code, line in self.lines:
            sums[code] += line.duty()
        return sums

    def total(self):
        return sum(self.by_code().values())
