"""Three counters sell tickets for a raft from one roll, which lies in a shared file."""

import contextlib
import fcntl
import hashlib
import multiprocessing
import os
import sys
import tempfile
import time


class Roll:
    """The roll of tickets: a file that holds the next number and what was taken so far."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "roll")
        self.guard = os.path.join(folder, "roll.guard")

    def begin(self):
        with open(self.path, "w") as file:
            file.write(f"{0:9} {0:9}")

    @contextlib.contextmanager
    def held(self):
        """Only one counter has the roll in hand."""
        with open(self.guard, "w") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            yield

    def tear(self, fare):
        with self.held():
            with open(self.path) as file:
                number, taken = map(int, file.read().split())
            receipt(number, fare)
            with open(self.path, "r+") as file:
                file.write(f"{number + 1:9} {taken + fare:9}")
        return number

    def totals(self):
        with open(self.path) as file:
            return file.read().split()


def receipt(number, fare):
    """The receipt goes on the roll with a mark that is hard to forge."""
    return hashlib.pbkdf2_hmac("sha256", b"raft", f"{number}/{fare}".encode(), 3000)


def fares(counter, count):
    state = counter * 7919 + 11
    for _ in range(count):
        state = (state * 48271) % 2147483647
        yield 40 + state % 5 * 15


def talk_to_guest(fare):
    """Points out the way to the landing stage while the guest looks for coins."""
    steps = fare
    for _ in range(300):
        steps = (steps * 17 + 3) % 1009
    time.sleep(0.002)
    return steps


def counter(roll, name, count, results):
    sold = 0
    way = 0
    for fare in fares(name, count):
        roll.tear(fare)
        way += talk_to_guest(fare)
        sold += 1
    results.put((name, sold, way))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder:
        roll = Roll(folder)
        roll.begin()
        results = multiprocessing.SimpleQueue()
        people = [multiprocessing.Process(target=counter, args=(roll, name, count, results)) for name in range(3)]
        for person in people:
            person.start()
        sold = sorted(results.get() for _ in people)
        for person in people:
            person.join()
        print(roll.totals(), sold)


if __name__ == "__main__":
    main()
