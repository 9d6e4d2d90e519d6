"""Values portfolios: workers ask a price service over HTTP, through a cache which they share."""

import hashlib
import http.client
import json
import os
import queue
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class PriceDesk(BaseHTTPRequestHandler):
    """The service: takes a few milliseconds for each symbol, and any number of callers at once."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        symbol = self.path.rpartition("/")[2]
        time.sleep(0.007)
        cents = int(hashlib.md5(symbol.encode()).hexdigest()[:6], 16) % 40000 + 100
        body = json.dumps({"symbol": symbol, "price": f"{cents / 100:.2f}"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class DeskServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def start_desk():
    server = DeskServer(("127.0.0.1", 0), PriceDesk)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        server.serve_forever()
    port = server.server_port
    server.socket.close()
    return port, child


class DeskClient:
    """One kept connection for each thread."""

    def __init__(self, port):
        self.port = port
        self.local = threading.local()

    def connection(self):
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        return self.local.connection

    def price(self, symbol):
        connection = self.connection()
        connection.request("GET", f"/price/{symbol}")
        answer = json.loads(connection.getresponse().read())
        return Decimal(answer["price"])


class Quotes:
    """Prices of the day, each asked for when it is first needed."""

    def __init__(self, client):
        self.client = client
        self.known = {}
        self.guard = threading.Lock()

    def __getitem__(self, symbol):
        with self.guard:
            if symbol not in self.known:
                self.known[symbol] = self.client.price(symbol)
            return self.known[symbol]


@dataclass(frozen=True)
class Portfolio:
    number: int
    holdings: tuple


class Journal(threading.Thread):
    """Takes notes from the workers and folds them into one seal that does not depend on their order."""

    def __init__(self):
        super().__init__()
        self.notes = queue.SimpleQueue()
        self.seal = 0

    def run(self):
        while (note := self.notes.get()) is not None:
            self.seal ^= int.from_bytes(hashlib.sha1(note.encode()).digest()[:6], "big")

    def close(self):
        self.notes.put(None)
        self.join()


class Statistics:
    def __init__(self):
        self.lock = threading.Lock()
        self.valued = 0
        self.largest = Decimal(0)

    def add(self, value):
        with self.lock:
            self.valued += 1
            self.largest = max(self.largest, value)


def portfolios(count):
    for number in range(count):
        symbols = [f"S{number:03d}{letter}" for letter in "XYZ"] + ["GOLD", "EUR", "BOND10"]
        yield Portfolio(number, tuple((symbol, (number * 7 + place * 3) % 40 + 1) for place, symbol in enumerate(symbols)))


def value(portfolio, quotes, journal, statistics):
    total = Decimal(0)
    for symbol, pieces in portfolio.holdings:
        total += quotes[symbol] * pieces
    journal.notes.put(f"{portfolio.number}:{total}")
    statistics.add(total)
    return portfolio.number, total


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    port, child = start_desk()
    try:
        quotes = Quotes(DeskClient(port))
        journal, statistics = Journal(), Statistics()
        journal.start()
        with ThreadPoolExecutor(max_workers=8, thread_name_prefix="valuer") as pool:
            jobs = [pool.submit(value, portfolio, quotes, journal, statistics) for portfolio in portfolios(count)]
            totals = dict(job.result() for job in as_completed(jobs))
        journal.close()
    finally:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
    print(statistics.valued, sum(totals.values()), statistics.largest, f"{journal.seal:012x}")


if __name__ == "__main__":
    main()
