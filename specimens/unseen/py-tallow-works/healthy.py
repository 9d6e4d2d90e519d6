"""Tallow works: pours candles in batches and keeps a journal of each one on disk."""

import os
import sys
import tempfile
import threading
import zlib


class Journal:
    """An append-only file with a checksum on each record."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "ab", buffering=0)
        self.records = 0

    def append(self, record):
        body = record.encode()
        self.file.write(b"%08x %s\n" % (zlib.crc32(body), body))
        self.records += 1

    def seal(self):
        """The end of a batch."""
        os.fsync(self.file.fileno())

    def close(self):
        self.file.close()

    def replay(self):
        with open(self.path, "rb") as file:
            for line in file:
                check, _, body = line.rstrip(b"\n").partition(b" ")
                if int(check, 16) != zlib.crc32(body):
                    raise ValueError("torn record")
                yield body.decode()


class Progress(threading.Thread):
    """Counts how long the pouring takes, for a display that is not attached."""

    def __init__(self, journal):
        super().__init__(daemon=True)
        self.journal = journal
        self.over = threading.Event()
        self.seen = []

    def run(self):
        while not self.over.wait(0.25):
            self.seen.append(self.journal.records)


def mould(number, size):
    """How much tallow goes into the mould, by its shape."""
    volume = 0.0
    radius = 8 + number % 5
    for slice_number in range(size):
        radius += (slice_number * 7 % 3 - 1) * 0.05
        volume += radius * radius * 3.14159 * 0.5
    return volume


class Works:
    def __init__(self, journal, batch=300):
        self.journal = journal
        self.batch = batch
        self.used = 0.0

    def pour(self, number):
        volume = mould(number, 60 + number % 40)
        self.used += volume
        self.journal.append(f"candle {number} volume {volume:.2f} wick {number % 4}")

    def run(self, candles):
        for number in range(candles):
            self.pour(number)
            if number % self.batch == self.batch - 1:
                self.journal.seal()
        self.journal.seal()


def main():
    candles = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(os.path.join(folder, "journal"))
        progress = Progress(journal)
        progress.start()
        works = Works(journal)
        works.run(candles)
        progress.over.set()
        progress.join()
        journal.close()
        letters = sum(len(record) for record in journal.replay())
    print(journal.records, "candles", round(works.used), "used", letters, "letters")


if __name__ == "__main__":
    main()
