"""Simulates the dispatch desk of an ambulance service."""

import math
import random
import sys
from collections import Counter
from dataclasses import dataclass
from heapq import heappop, heappush


@dataclass(frozen=True)
class Call:
    number: int
    minute: float
    grade: int
    x: float
    y: float


@dataclass
class Car:
    name: str
    x: float = 0.0
    y: float = 0.0
    free_at: float = 0.0
    runs: int = 0


class Desk:
    """Waiting calls, the most urgent first."""

    def __init__(self):
        self._waiting = []
        self.longest = 0

    @staticmethod
    def urgency(call):
        return call.grade, call.minute, call.number

    def push(self, call):
        heappush(self._waiting, (self.urgency(call), call))
        self.longest = max(self.longest, len(self._waiting))

    def pop(self):
        return heappop(self._waiting)[1]

    def __len__(self):
        return len(self._waiting)


def calls(count, seed=7):
    """Calls come in faster during the storm in the middle of the day."""
    source = random.Random(seed)
    minute = 0.0
    for number in range(count):
        busy = 6.0 if count * 0.1 < number < count * 0.9 else 0.9
        minute += source.expovariate(busy)
        yield Call(number, minute, source.choice((1, 2, 2, 3, 3, 3)), source.uniform(-9, 9), source.uniform(-9, 9))


def travel(car, call):
    """Minutes from the car to the call over a street grid with a river."""
    straight = math.hypot(car.x - call.x, car.y - call.y)
    blocks = abs(car.x - call.x) + abs(car.y - call.y)
    river = 2.5 if car.y * call.y < 0 else 0.0
    lights = sum(0.05 for step in range(int(blocks)) if step % 3 == 0)
    return 0.6 * straight + 0.5 * blocks + river + lights


def nearest(cars, call):
    return min(cars, key=lambda car: travel(car, call))


def simulate(stream, cars):
    desk, waits = Desk(), []
    now = 0.0

    def serve(until):
        nonlocal now
        while len(desk):
            car_free = min(car.free_at for car in cars)
            if car_free > until:
                return
            now = max(now, car_free)
            ready = [car for car in cars if car.free_at <= now]
            call = desk.pop()
            car = nearest(ready, call)
            drive = travel(car, call)
            waits.append((call.grade, now + drive - call.minute))
            car.x, car.y, car.free_at = call.x, call.y, now + drive + 8.0
            car.runs += 1

    for call in stream:
        desk.push(call)
        serve(call.minute)
    serve(float("inf"))
    return desk, waits


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    cars = [Car(f"A{number}", x=number - 3, y=3 - number) for number in range(6)]
    desk, waits = simulate(calls(count), cars)
    worst = Counter()
    for grade, wait in waits:
        worst[grade] = max(worst[grade], round(wait))
    print("calls", len(waits), "queue", desk.longest, "worst", sorted(worst.items()), "runs", [car.runs for car in cars])


if __name__ == "__main__":
    main()
