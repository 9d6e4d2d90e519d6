"""Drives a pipetting robot through a protocol (here the controller is simulated by a thread)."""

import queue
import sys
import threading
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    verb: str
    well: str
    volume: int = 0


class Controller(threading.Thread):
    """Takes commands, needs a moment for each, and then reports the arm as idle."""

    def __init__(self):
        super().__init__(name="controller", daemon=True)
        self.inbox = queue.SimpleQueue()
        self.idle = threading.Event()
        self.idle.set()
        self.log = []

    def run(self):
        while (step := self.inbox.get()) is not None:
            time.sleep(0.0008 + 0.000004 * step.volume)
            self.log.append((step.verb, step.well))
            self.idle.set()


class Arm:
    def __init__(self, controller):
        self.controller = controller
        self.moves = 0

    def move(self, step):
        self.controller.idle.clear()
        self.controller.inbox.put(step)
        self.moves += 1
        self.wait_idle()

    def wait_idle(self):
        self.controller.idle.wait()


def wells(count):
    for number in range(count):
        yield f"{chr(65 + number % 8)}{number // 8 + 1}"


def protocol(count):
    """Take from the trough, put into each well, wash the tip after every fourth."""
    for number, well in enumerate(wells(count)):
        yield Step("aspirate", "trough", 40 + number % 30)
        yield Step("dispense", well, 40 + number % 30)
        if number % 4 == 3:
            yield Step("wash", "sink", 10)


def absorbance(log):
    """Pretends to read the plate: a value for each filled well."""
    return {well: (ord(well[0]) * 13 + int(well[1:]) * 7) % 100 / 50 for verb, well in log if verb == "dispense"}


def fit(values, rounds=400):
    """Least squares line through the readings by plain descent."""
    points = [(place / len(values), value) for place, value in enumerate(values.values())]
    slope = offset = 0.0
    for _ in range(rounds):
        ds = do = 0.0
        for x, y in points:
            miss = slope * x + offset - y
            ds += miss * x
            do += miss
        slope -= 0.4 * ds / len(points)
        offset -= 0.4 * do / len(points)
    return round(slope, 3), round(offset, 3)


def run_protocol(arm, steps):
    for step in steps:
        arm.move(step)
    return arm.moves


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    controller = Controller()
    controller.start()
    moves = run_protocol(Arm(controller), protocol(count))
    controller.inbox.put(None)
    controller.join()
    print("moves", moves, "logged", len(controller.log), "fit", *fit(absorbance(controller.log)))


if __name__ == "__main__":
    main()
