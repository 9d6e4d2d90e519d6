"""Takes a census of braid words: reduces each to a short form and counts the forms."""

import hashlib
import sys
import threading
from collections import Counter
from multiprocessing import get_context


def word(number, length=240):
    """A pseudo-random braid word on four strands; negative letters undo positive ones."""
    state, out = number * 2654435761 + 1, []
    for _ in range(length):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        letter = 1 + (state >> 33) % 3
        out.append(letter if state >> 61 & 1 else -letter)
    return out


def reduce_word(letters):
    """Cancels neighbours that undo each other and moves far letters past each other, until nothing changes."""
    letters = list(letters)
    changed = True
    while changed:
        changed = False
        kept = []
        for letter in letters:
            if kept and kept[-1] == -letter:
                kept.pop()
                changed = True
            elif kept and abs(abs(kept[-1]) - abs(letter)) > 1 and abs(kept[-1]) > abs(letter):
                last = kept.pop()
                kept.extend((letter, last))
                changed = True
            else:
                kept.append(letter)
        letters = kept
    return letters


def form(letters):
    counts = Counter(letters)
    writhe = sum(1 if letter > 0 else -1 for letter in letters)
    return len(letters), writhe, counts[1] - counts[-1]


class Heartbeat(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(0.1):
            pass


def treat(number):
    return number, form(reduce_word(word(number)))


class Crew:
    """Workers that share the numbers of the words among them."""

    def __init__(self, numbers, size=4):
        self.numbers = numbers
        self.size = size

    def run(self):
        with get_context("fork").Pool(self.size) as pool:
            return dict(pool.imap_unordered(treat, self.numbers, chunksize=16))


def census(results):
    table = Counter(shape[0] // 10 for shape in results.values())
    digest = hashlib.sha1(repr(sorted(results.items())).encode()).hexdigest()
    return table, digest


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    crew = Crew(range(count))
    heart = Heartbeat()
    heart.start()
    results = crew.run()
    heart.over.set()
    heart.join()
    table, digest = census(results)
    print("words", len(results), "classes", len(table), "common", table.most_common(1)[0], digest[:12])


if __name__ == "__main__":
    main()
