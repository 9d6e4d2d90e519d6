"""Checks batches of citations against a library of works that is held in memory."""

import gc
import hashlib
import pickle
import re
import sys
import threading
from collections import ChainMap, Counter
from contextlib import contextmanager
from dataclasses import dataclass, field

TOPICS = ("tides", "moulting", "nesting", "flight", "diet", "song", "plumage")
REFERENCE = re.compile(r"\[(?P<author>[A-Z][a-z]+)(?P<year>\d{4})/(?P<page>\d+)\]")


@dataclass
class Work:
    author: str
    year: int
    pages: int
    topics: list = field(default_factory=list)
    cited_by: list = field(default_factory=list)


class Library:
    def __init__(self, size):
        self.works = {}
        self.recent = {}
        for number in range(size):
            author = f"{'BCDFGKLMNPRST'[number % 13]}{'aeiou'[number // 13 % 5]}{'lmnrst'[number // 65 % 6]}{'ae'[number % 2]}"
            work = Work(author, 1800 + number // 390 % 220, number % 300 + 20, [TOPICS[number % 7], TOPICS[number % 5]])
            self.works[(author, work.year, number // 390)] = work
            self.recent.setdefault((author, work.year), []).append(work)

    def find(self, author, year):
        return self.recent.get((author, year), ())

    def seal(self):
        """A digest over a sample of the works, to show that nothing in the library was changed."""
        sample = [(work.author, work.year, work.pages) for work in list(self.works.values())[::500]]
        return hashlib.sha256(pickle.dumps(sample, protocol=4)).hexdigest()[:10]


class Page:
    """A page of a manuscript and its neighbours."""

    def __init__(self, number, text):
        self.number = number
        self.text = text
        self.before = None
        self.after = None
        self.notes = []


class Desk:
    """Where one batch is laid out while it is worked on."""

    def __init__(self, name):
        self.name = name
        self.pages = []
        self.findings = ChainMap({}, {"missing": 0, "beyond": 0, "good": 0})

    def lay_out(self, texts):
        last = None
        for number, text in enumerate(texts):
            page = Page(number, text)
            page.before = last
            if last is not None:
                last.after = page
            self.pages.append(page)
            last = page

    def clear(self):
        for page in self.pages:
            page.before = page.after = None
        self.pages.clear()


@contextmanager
def desk(name):
    table = Desk(name)
    try:
        yield table
    finally:
        table.clear()
        gc.collect()


class Checker:
    def __init__(self, library):
        self.library = library
        self.totals = Counter()
        self.digest = hashlib.sha256()

    def look_up(self, page, match):
        works = self.library.find(match["author"], int(match["year"]))
        if not works:
            return "missing"
        if all(int(match["page"]) > work.pages for work in works):
            return "beyond"
        return "good"

    def check(self, table):
        for page in table.pages:
            for match in REFERENCE.finditer(page.text):
                verdict = self.look_up(page, match)
                page.notes.append((match.start(), verdict))
                table.findings[verdict] += 1
            self.digest.update(repr(page.notes).encode())
        self.totals.update(dict(table.findings))

    def run(self, batches):
        for name, texts in batches:
            with desk(name) as table:
                table.lay_out(texts)
                self.check(table)
            yield name


def manuscripts(count, pages=40):
    seed = 31
    for number in range(count):
        texts = []
        for _ in range(pages):
            words = []
            for _ in range(12):
                seed = (seed * 22695477 + 1) & 0xFFFFFFFF
                author = "BCDFGKLMNPRST"[seed % 13] + "aeiou"[(seed >> 8) % 5] + "lmnrst"[(seed >> 12) % 6] + "aei"[(seed >> 16) % 3]
                words.append(f"the {TOPICS[(seed >> 5) % 7]} of gannets [{author}{1790 + (seed >> 7) % 240}/{(seed >> 9) % 340}]")
            texts.append(", ".join(words))
        yield f"m{number}", texts


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    library = Library(90_000)
    over = threading.Event()
    watch = threading.Thread(target=over.wait, daemon=True)
    watch.start()
    checker = Checker(library)
    names = list(checker.run(manuscripts(count)))
    over.set()
    watch.join()
    print(len(names), checker.totals["good"], checker.totals["beyond"], checker.totals["missing"], checker.digest.hexdigest()[:12], library.seal())


if __name__ == "__main__":
    main()
