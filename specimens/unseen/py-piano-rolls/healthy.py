"""Plays piano rolls to the hammer box of a player piano, in time: each note has to leave at its own moment."""

import heapq
import os
import socket
import struct
import sys
import threading
import time
import zlib

FRAME = struct.Struct("<IHBB")
SCALE = [0, 2, 4, 5, 7, 9, 11, 12]


class HammerBox(threading.Thread):
    """The piano's side: strikes what comes in and remembers it."""

    def __init__(self, link):
        super().__init__()
        self.link = link
        self.check = 0
        self.struck = 0

    def run(self):
        with self.link, self.link.makefile("rb") as source:
            while raw := source.read(FRAME.size):
                self.check = zlib.crc32(raw, self.check)
                self.struck += 1


class Hand:
    """One hand of the roll: its notes, in beats."""

    def __init__(self, octave, pace, count):
        self.octave = octave
        self.pace = pace
        self.count = count

    def notes(self):
        beat, state = 0, self.octave * 131 + 7
        for _ in range(self.count):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            yield beat, self.octave * 12 + SCALE[(state >> 12) % 8], 40 + (state >> 20) % 60
            beat += self.pace * (1 + (state >> 16) % 3)


class Roll:
    def __init__(self, hands, beat_ms):
        self.hands = hands
        self.beat_ms = beat_ms

    def score(self):
        """All notes in the order in which they sound, with their time in milliseconds."""
        for beat, key, force in heapq.merge(*(hand.notes() for hand in self.hands)):
            yield beat * self.beat_ms, key, force


class Pedal:
    """Holds the long notes; works out which are still sounding."""

    def __init__(self):
        self.ends = {}

    def press(self, moment, key, force):
        self.ends = {k: end for k, end in self.ends.items() if end > moment}
        self.ends[key] = moment + force * 4
        return len(self.ends)


def play(roll, link):
    start = time.monotonic()
    pedal = Pedal()
    sent, thickest, late = 0, 0, 0
    for moment, key, force in roll.score():
        ahead = start + moment / 1000 - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        elif ahead < -0.25:
            late += 1
        link.sendall(FRAME.pack(moment, sent & 0xFFFF, key, force))
        thickest = max(thickest, pedal.press(moment, key, force))
        sent += 1
    return sent, thickest, late


def measure(roll):
    """The length of the roll and its busiest second, for the label on the box."""
    seconds = {}
    last = 0
    for moment, _, _ in roll.score():
        seconds[moment // 1000] = seconds.get(moment // 1000, 0) + 1
        last = moment
    return last, max(seconds.values())


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    roll = Roll([Hand(3, 4, count // 2), Hand(5, 2, count), Hand(6, 3, count // 3)], 20)
    ours, theirs = socket.socketpair()
    box = HammerBox(theirs)
    box.start()
    length, busiest = measure(roll)
    with ours:
        sent, thickest, late = play(roll, ours)
    box.join()
    if late:
        print("late", late, "of", sent, "in", os.path.basename(sys.argv[0]), file=sys.stderr)
    print("length", length, "busiest", busiest, "struck", box.struck, "thickest", thickest, "check", f"{box.check:08x}")


if __name__ == "__main__":
    main()
