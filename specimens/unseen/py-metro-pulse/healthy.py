"""Gives the pulse of a metro line: every beat a train may leave, and the board shows where the trains are."""

import sys
import threading
import time
from collections import deque
from queue import SimpleQueue

BEAT = 0.03
STOPS = 24


class Train:
    def __init__(self, number):
        self.number = number
        self.stop = 0
        self.riders = 0

    def move(self, crowd):
        """To the next stop; some get off, the crowd gets on."""
        self.riders -= self.riders // 3
        self.riders = min(900, self.riders + crowd)
        self.stop += 1
        return self.stop < STOPS


class Line:
    def __init__(self):
        self.trains = deque()
        self.waiting = [0] * STOPS
        self.carried = 0
        self.state = 1863

    def crowd(self):
        for stop in range(STOPS):
            self.state = (self.state * 1103515245 + 12345) % 2147483648
            self.waiting[stop] += self.state // 4096 % 30

    def beat(self, number):
        self.crowd()
        if number % 3 == 0:
            self.trains.append(Train(number // 3))
        for _ in range(len(self.trains)):
            train = self.trains.popleft()
            boarding = min(self.waiting[train.stop], 250)
            self.waiting[train.stop] -= boarding
            self.carried += boarding
            if train.move(boarding):
                self.trains.append(train)
        return [(train.number, train.stop, train.riders) for train in self.trains]


class Board:
    """Shows the trains; a thread of its own, as the lamps are slow."""

    def __init__(self):
        self.news = SimpleQueue()
        self.shown = 0
        self.thread = threading.Thread(target=self.show)
        self.thread.start()

    def show(self):
        while (trains := self.news.get()) is not None:
            lamps = ["."] * STOPS
            for number, stop, riders in trains:
                if stop < STOPS:
                    lamps[stop] = "#" if riders > 400 else "+"
                self.shown += number % 7
            self.shown += lamps.count("#")

    def close(self):
        self.news.put(None)
        self.thread.join()


def run(line, board, beats):
    """The timetable is the contract: beat n is due n * BEAT after the first, neither sooner nor later."""
    begin = time.monotonic()
    for number in range(beats):
        ahead = begin + number * BEAT - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        board.news.put(line.beat(number))


def main():
    beats = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    line = Line()
    board = Board()
    run(line, board, beats)
    board.close()
    print(f"{beats} beats, {line.carried} carried, {len(line.trains)} under way, {board.shown} lamps")


if __name__ == "__main__":
    main()
