"""Relays the signals of a railway: each window is handed to a scribe first and shown on the board once it is kept."""

import asyncio
import hashlib
import json
import logging
import queue
import sys
import tempfile
import threading
import zlib
from collections import defaultdict
from concurrent.futures import Future
from dataclasses import dataclass, field

log = logging.getLogger("relay")
KINDS = ("depart", "arrive", "delay", "cancel", "platform")


@dataclass
class Window:
    number: int
    signals: list = field(default_factory=list)

    def encode(self):
        return "\n".join(json.dumps(signal, sort_keys=True) for signal in self.signals).encode()


@dataclass(frozen=True)
class Receipt:
    window: int
    start: int
    size: int


class Scribe(threading.Thread):
    """Packs windows and appends them to one file, in the order in which they come."""

    def __init__(self, out):
        super().__init__(name="scribe", daemon=True)
        self.out = out
        self.inbox = queue.SimpleQueue()
        self.digest = hashlib.sha256()

    def hand_over(self, window):
        ticket = Future()
        self.inbox.put((ticket, window))
        return ticket

    def keep(self, window):
        plain = window.encode()
        packed = zlib.compress(plain, 6)
        start = self.out.tell()
        self.out.write(packed)
        self.digest.update(plain)
        return Receipt(window.number, start, len(packed))

    def run(self):
        while (job := self.inbox.get()) is not None:
            ticket, window = job
            try:
                ticket.set_result(self.keep(window))
            except Exception as problem:
                ticket.set_exception(problem)

    def stop(self):
        self.inbox.put(None)
        self.join()


class Board:
    """What the travellers see; must never be ahead of what is kept."""

    def __init__(self):
        self.handlers = {kind: getattr(self, f"on_{kind}") for kind in KINDS}
        self.minutes = defaultdict(int)
        self.running = set()
        self.changes = 0

    def on_depart(self, signal):
        self.running.add(signal["train"])

    def on_arrive(self, signal):
        self.running.discard(signal["train"])

    def on_delay(self, signal):
        self.minutes[signal["train"]] += signal["minutes"]

    def on_cancel(self, signal):
        self.running.discard(signal["train"])
        self.minutes.pop(signal["train"], None)

    def on_platform(self, signal):
        self.changes += 1

    def show(self, window):
        for signal in window.signals:
            self.handlers[signal["kind"]](signal)


class Relay:
    def __init__(self, scribe, board):
        self.scribe = scribe
        self.board = board
        self.packed = 0
        self.over = asyncio.Event()

    async def kept(self, window):
        ticket = self.scribe.hand_over(window)
        return await asyncio.wrap_future(ticket)

    async def forward(self, windows):
        while (window := await windows.get()) is not None:
            receipt = await self.kept(window)
            self.packed += receipt.size
            self.board.show(window)
        self.over.set()

    async def heartbeat(self):
        beats = 0
        while not self.over.is_set():
            try:
                await asyncio.wait_for(self.over.wait(), 0.3)
            except asyncio.TimeoutError:
                beats += 1
                log.info("beat %d, %d bytes", beats, self.packed)


def signals(count):
    seed = 9
    for number in range(count):
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
        yield {
            "train": f"IC{(seed >> 6) % 180:03d}",
            "kind": KINDS[(seed >> 15) % len(KINDS)],
            "minutes": (seed >> 21) % 55,
            "stops": [f"stop-{(seed >> shift) % 400}" for shift in range(0, 24, 4)],
        }


async def collect(windows, count, size=80):
    window = Window(0)
    for signal in signals(count * size):
        window.signals.append(signal)
        if len(window.signals) == size:
            await windows.put(window)
            window = Window(window.number + 1)
    await windows.put(None)


async def relay_all(count, scribe, board):
    windows = asyncio.Queue(maxsize=4)
    relay = Relay(scribe, board)
    await asyncio.gather(collect(windows, count), relay.forward(windows), relay.heartbeat())
    return relay.packed


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    board = Board()
    with tempfile.TemporaryFile() as out:
        scribe = Scribe(out)
        scribe.start()
        packed = asyncio.run(relay_all(count, scribe, board))
        scribe.stop()
        whole = out.seek(0, 2) == packed
    late = max(sorted(board.minutes), key=board.minutes.get)
    print(whole, late, board.minutes[late], len(board.running), board.changes, scribe.digest.hexdigest()[:12])


if __name__ == "__main__":
    main()
