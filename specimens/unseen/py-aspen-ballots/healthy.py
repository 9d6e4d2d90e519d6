"""Counts a ranked election from packed ballot files and writes the protocol."""
import collections
import hashlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
import threading
import queue
import zlib

NAMES = ["ames", "bodil", "cyrus", "dagny", "edith", "farid", "greta", "hugo", "ines"]
LINE = re.compile(r"^(?P<box>\d{3})/(?P<sheet>\d{6}) (?P<ranks>[a-z]+(?:>[a-z]+)*)$")


def pack(folder, boxes, sheets):
    dice = random.Random(5)
    kinds = [">".join(dice.sample(NAMES, 2 + kind % 5)) for kind in range(9000)]
    paths = []
    for box in range(boxes):
        lines = [f"{box:03d}/{sheet:06d} {ranks}" for sheet, ranks in enumerate(dice.choices(kinds, k=sheets))]
        path = os.path.join(folder, f"box-{box:03d}.z")
        with open(path, "wb") as out:
            out.write(zlib.compress("\n".join(lines).encode(), 1))
        paths.append(path)
    return paths


def unpack(path):
    with open(path, "rb") as packed:
        return zlib.decompress(packed.read()).decode()


def parse(text):
    for line in text.split("\n"):
        match = LINE.match(line)
        if match is None:
            raise ValueError(line)
        yield tuple(match["ranks"].split(">"))


class Protocol(threading.Thread):
    """Writes entries in the background, in the order they come."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.entries = queue.Queue()
        self.start()

    def note(self, **entry):
        self.entries.put(entry)

    def run(self):
        with open(self.path, "w") as out:
            while (entry := self.entries.get()) is not None:
                out.write(json.dumps(entry, sort_keys=True) + "\n")

    def close(self):
        self.entries.put(None)
        self.join()


def gather(paths, protocol):
    piles = collections.Counter()
    for path in paths:
        box = collections.Counter(parse(unpack(path)))
        protocol.note(box=os.path.basename(path), sheets=sum(box.values()), kinds=len(box))
        piles.update(box)
    return piles


def first_standing(ranks, standing):
    for name in ranks:
        if name in standing:
            return name
    return None


def count(piles, standing):
    votes = dict.fromkeys(standing, 0)
    for ranks, sheets in piles.items():
        name = first_standing(ranks, standing)
        if name is not None:
            votes[name] += sheets
    return votes


def elect(piles, protocol):
    standing = set(NAMES)
    while True:
        votes = count(piles, standing)
        protocol.note(votes=votes)
        best = max(votes, key=lambda name: (votes[name], name))
        if votes[best] * 2 > sum(votes.values()) or len(standing) == 2:
            return best, votes[best], len(standing)
        standing.discard(min(votes, key=lambda name: (votes[name], name)))


def main():
    folder = tempfile.mkdtemp()
    try:
        paths = pack(folder, int(sys.argv[1]), 4000)
        protocol = Protocol(os.path.join(folder, "protocol.jsonl"))
        piles = gather(paths, protocol)
        winner, votes, left = elect(piles, protocol)
        protocol.close()
        with open(protocol.path, "rb") as written:
            seal = hashlib.sha256(written.read()).hexdigest()[:12]
        print(winner, votes, left, len(piles), seal)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
