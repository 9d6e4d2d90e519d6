"""Keeps a table of share quotes fresh with several workers and computes indicators from it."""

import multiprocessing
import socket
import sys
import threading
import time

WORKERS = 6


def converse(connection):
    """The peer's side of one connection."""
    with connection, connection.makefile("rw") as wire:
        for line in wire:
            time.sleep(0.008)
            name = line.strip()
            cents = sum(ord(letter) * (place + 3) for place, letter in enumerate(name)) % 9000 + 100
            wire.write(f"{name} {cents}\n")
            wire.flush()


def exchange(listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=converse, args=(connection,), daemon=True).start()


class Feed:
    def __init__(self, port):
        self.wire = socket.create_connection(("127.0.0.1", port)).makefile("rw")

    def quote(self, name):
        self.wire.write(name + "\n")
        self.wire.flush()
        return int(self.wire.readline().split()[1])


class Cache:
    def __init__(self):
        self.guard = threading.Lock()
        self.quotes = {}
        self.changes = 0

    def refresh(self, feed, name):
        with self.guard:
            cents = feed.quote(name)
            if self.quotes.get(name) != cents:
                self.quotes[name] = cents
                self.changes += 1


def work(cache, port, names):
    feed = Feed(port)
    for name in names:
        cache.refresh(feed, name)


def refresh_all(cache, port, names):
    threads = []
    for number in range(WORKERS):
        part = names[number::WORKERS]
        threads.append(threading.Thread(target=work, args=(cache, port, part), name=f"feed-{number}"))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def indicator(cents, days):
    """A moving mean over made-up past days, the same for the same quote."""
    past, mean = cents, 0.0
    for day in range(days):
        past = (past * 1103515245 + 12345) % (1 << 31)
        mean += (past % 200 - 100 - mean) / (day + 1)
    return round(mean, 3)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 160
    names = [f"{chr(65 + n % 26)}{chr(65 + n // 26 % 26)}{n}" for n in range(count)]
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    peer = multiprocessing.get_context("fork").Process(target=exchange, args=(listener,), daemon=True)
    peer.start()
    cache = Cache()
    try:
        refresh_all(cache, port, names)
    finally:
        peer.terminate()
        peer.join()
    marks = {name: indicator(cache.quotes[name], 3000) for name in names}
    best = max(marks.items(), key=lambda item: (item[1], item[0]))
    print("quotes", len(cache.quotes), "changes", cache.changes, "best", best, "sum", round(sum(marks.values()), 3))


if __name__ == "__main__":
    main()
