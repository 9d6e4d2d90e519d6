"""Packs the papers of an office into bundles, with an index that can be searched."""
import concurrent.futures
import hashlib
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
import zlib

WORDS = [f"{a}{b}" for a in ("lar", "pin", "oak", "bir", "haz", "elm") for b in ("ch", "e", "en", "el", "tree", "wood")]


def paper(number):
    """The text of one paper: about a hundred kilobytes of words."""
    source = random.Random(number)
    return " ".join(source.choices(WORDS, k=15000)).encode()


class Tally:
    """Counts over all workers."""

    def __init__(self):
        self.guard = threading.Lock()
        self.before = 0
        self.after = 0

    def add(self, before, after):
        with self.guard:
            self.before += before
            self.after += after


def pack(number, tally):
    """One packed paper with its mark."""
    text = paper(number)
    mark = hashlib.sha256(text).hexdigest()
    packed = zlib.compress(text, 6)
    tally.add(len(text), len(packed))
    return number, mark, packed


class Index:
    """Where each paper lies in which bundle."""

    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.execute("CREATE TABLE paper (mark TEXT PRIMARY KEY, bundle INTEGER, start INTEGER, length INTEGER)")
        self.rows = []

    def note(self, mark, bundle, start, length):
        self.rows.append((mark, bundle, start, length))

    def save(self):
        with self.db:
            self.db.executemany("INSERT INTO paper VALUES (?, ?, ?, ?)", self.rows)

    def find(self, mark):
        return self.db.execute("SELECT bundle, start, length FROM paper WHERE mark = ?", (mark,)).fetchone()


def write(folder, papers, index):
    """Appends papers to bundles of about a megabyte."""
    bundle, start = 0, 0
    out = open(os.path.join(folder, "bundle-0"), "wb")
    for _, mark, packed in papers:
        if start > 1 << 20:
            out.close()
            bundle, start = bundle + 1, 0
            out = open(os.path.join(folder, f"bundle-{bundle}"), "wb")
        out.write(packed)
        index.note(mark, bundle, start, len(packed))
        start += len(packed)
    out.close()
    index.save()


def check(folder, index, marks):
    """Takes a few papers out again."""
    good = 0
    for mark in marks:
        bundle, start, length = index.find(mark)
        with open(os.path.join(folder, f"bundle-{bundle}"), "rb") as source:
            source.seek(start)
            good += hashlib.sha256(zlib.decompress(source.read(length))).hexdigest() == mark
    return good


def main():
    count = int(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="bundles")
    try:
        tally = Tally()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            papers = list(pool.map(pack, range(count), [tally] * count))
        index = Index(os.path.join(folder, "index.db"))
        write(folder, papers, index)
        good = check(folder, index, [mark for number, mark, _ in papers if number % 10 == 0])
        print(f"{count} papers, {tally.before} to {tally.after} bytes, {good} checked")
        index.db.close()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
