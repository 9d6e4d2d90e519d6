"""A reading room: scrolls lie packed in one archive, and readers ask for them by name."""

import io
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path

SCROLLS = 140
LETTERS = "etaoinshrdlucmfwypvbgkqjxz"


def scroll_text(number, size):
    """Some lines of text, different for each scroll."""
    state = number * 7919 + 11
    words = []
    for _ in range(700):
        state = (state * 1103515245 + 12345) % 2147483648
        length = 2 + state // 4096 % 8
        words.append("".join(LETTERS[(state >> shift) % 26] for shift in range(length)))
    block = (" ".join(words) + "\n").encode()
    return (block * (size // len(block) + 1))[:size]


def pack(path):
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for number in range(SCROLLS):
            text = scroll_text(number, 200_000 + number % 9 * 20_000)
            entry = tarfile.TarInfo(f"hall-{number % 7}/scroll-{number:03d}.txt")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))


def slips(count):
    """What the readers ask for, in the order in which they come."""
    for reader in range(min(count, SCROLLS)):
        number = (reader * 53 + 17) % SCROLLS
        yield reader, f"hall-{number % 7}/scroll-{number:03d}.txt"


class Vault:
    def __init__(self, path):
        self.archive = tarfile.open(path, "r:gz")
        self.places = {entry.name: entry for entry in self.archive}

    def read(self, name):
        with self.archive.extractfile(self.places[name]) as scroll:
            return scroll.read()

    def place(self, slip):
        return self.places[slip[1]].offset

    def close(self):
        self.archive.close()


def study(text):
    """What a reader notes down: length, longest line, a seal."""
    lines = text.split(b"\n")
    return len(lines), max(map(len, lines)), zlib.adler32(text)


def serve(vault, wanted):
    notes = {}
    for reader, name in sorted(wanted, key=vault.place):
        notes[reader] = study(vault.read(name))
    return notes


def summary(notes):
    lines = longest = seal = 0
    for reader in sorted(notes):
        count, width, mark = notes[reader]
        lines += count
        longest = max(longest, width)
        seal = (seal * 31 + mark) % 1_000_000_007
    return f"{len(notes)} readers, {lines} lines, longest {longest}, seal {seal}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vault.tar.gz"
        pack(path)
        vault = Vault(path)
        notes = serve(vault, list(slips(count)))
        vault.close()
    print(summary(notes))


if __name__ == "__main__":
    main()
