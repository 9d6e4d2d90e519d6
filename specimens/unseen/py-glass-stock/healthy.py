"""The stock of a glass maker: panes, their cuts and the deliveries of a season."""

import sys


class Cut:
    __slots__ = ("wide", "high", "pane")

    def __init__(self, wide, high, pane):
        self.wide = wide
        self.high = high
        self.pane = pane


class Pane:
    def __init__(self, number):
        self.number = number
        self.cuts = []
        self.marks = {"tint": number % 9, "thick": 3 + number % 4}

    def cut(self, wide, high):
        self.cuts.append(Cut(wide, high, self))


class Store:
    def __init__(self, panes):
        self.panes = [Pane(number) for number in range(panes)]
        self.given = 0
        self.polish = 0
        for pane in self.panes:
            for turn in range(3):
                pane.cut(10 + turn * 7, 20 + pane.number % 30)

    def deliver(self, batch):
        """Takes every twentieth pane's first cut for this batch."""
        crate = []
        for pane in self.panes[batch % 20 :: 20]:
            first = pane.cuts[0]
            crate.append((pane.number, first.wide * first.high, pane.marks["tint"]))
        return crate

    def finish(self, crate):
        for number, area, tint in crate:
            self.polish = (self.polish * 31 + number + area * tint) % 1000003
        self.given += len(crate)

    def take_back(self, crate):
        broken = [number for number, area, _ in crate if (number + area) % 17 == 0]
        for number in broken:
            self.panes[number].marks["thick"] += 1
        crate.clear()
        return len(broken)


def season(store, batches):
    broken = 0
    for batch in range(batches):
        crate = store.deliver(batch)
        store.finish(crate)
        broken += store.take_back(crate)
    return broken


def main():
    batches = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    store = Store(36000)
    broken = season(store, batches)
    thick = sum(pane.marks["thick"] for pane in store.panes)
    print(f"given {store.given}, broken {broken}, polish {store.polish}, thick {thick}")


if __name__ == "__main__":
    main()
