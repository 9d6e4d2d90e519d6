"""Prices consignments of a railway: the way with the least toll, and a premium for the goods."""

import heapq
import sys
from functools import lru_cache

GOODS = {"coal": 3, "glass": 11, "cattle": 9, "timber": 4, "mail": 6}


class Leg:
    """From one yard to another, with what the wagon may weigh."""

    def __init__(self, origin, target, axle):
        self.origin = origin
        self.target = target
        self.axle = axle

    def __repr__(self):
        return f"{self.origin}-{self.target}/{self.axle}"


class Railway:
    def __init__(self, yards):
        self.yards = yards
        self.tracks = {yard: [] for yard in range(yards)}
        state = 77
        for yard in range(yards):
            for other in (yard + 1, yard + 7, yard * 3 + 1):
                state = (state * 69069 + 5) % 4294967296
                self.join(yard, other % yards, 10 + state // 4096 % 90, 12 + state % 3 * 6)

    def join(self, one, other, toll, axle):
        self.tracks[one].append((other, toll, axle))
        self.tracks[other].append((one, toll + 2, axle))

    def cheapest(self, origin, target, axle):
        best = {origin: 0}
        queue = [(0, origin)]
        while queue:
            paid, yard = heapq.heappop(queue)
            if yard == target:
                return paid
            if paid > best[yard]:
                continue
            for other, toll, limit in self.tracks[yard]:
                # A light track costs a change of wagon.
                total = paid + toll + (25 if limit < axle else 0)
                if total < best.get(other, 1 << 30):
                    best[other] = total
                    heapq.heappush(queue, (total, other))
        return None


class Tariff:
    def __init__(self, railway):
        self.railway = railway
        self.toll = lru_cache(maxsize=4096)(self.find_toll)

    def find_toll(self, leg):
        return self.railway.cheapest(leg.origin, leg.target, leg.axle)

    def quote(self, consignment):
        leg = Leg(consignment["from"], consignment["to"], consignment["axle"])
        toll = self.toll(leg)
        if toll is None:
            return 0
        return toll * consignment["wagons"] + premium(consignment)


def premium(consignment):
    """Insurance, compounded over the days of the way."""
    value = consignment["wagons"] * GOODS[consignment["goods"]] * 100
    risk = value
    for _ in range(12):
        risk += risk // 90 + 1
    return risk - value


def consignments(count, yards):
    state = 4711
    goods = sorted(GOODS)
    for _ in range(count):
        state = (state * 69069 + 1) % 4294967296
        pair = state // 8192 % 60
        yield {
            "from": pair * 5 % yards,
            "to": pair * 11 % yards + (1 if pair % 2 else 2),
            "axle": (14, 18)[state // 64 % 2],
            "wagons": 1 + state // 512 % 14,
            "goods": goods[state // 1048576 % len(goods)],
        }


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    railway = Railway(700)
    tariff = Tariff(railway)
    income = {}
    for consignment in consignments(count, railway.yards - 10):
        price = tariff.quote(consignment)
        income[consignment["goods"]] = income.get(consignment["goods"], 0) + price
    print(", ".join(f"{goods} {pence}" for goods, pence in sorted(income.items())))


if __name__ == "__main__":
    main()
