"""Writes hotel bills: what was taken from the minibar is priced by the house's price desk over HTTP."""

import http.client
import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SHELF = ("water", "cola", "nuts", "wine", "gin", "crisps", "juice", "chocolate")


class PriceDesk(BaseHTTPRequestHandler):
    """Looks a price up in the house's books, which takes a moment."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self):
        _, _, room, article = self.path.split("/")
        time.sleep(0.012)
        price = 150 + SHELF.index(article) * 85 + int(room) % 4 * 20
        body = json.dumps({"article": article, "price": price}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def run_desk():
    desk = ThreadingHTTPServer(("127.0.0.1", 0), PriceDesk)
    print(desk.server_address[1], flush=True)
    threading.Thread(target=desk.serve_forever, daemon=True).start()
    sys.stdin.read()


class Prices:
    """The desk's client; each thread keeps a connection of its own."""

    def __init__(self, port):
        self.port = port
        self.local = threading.local()

    def of(self, room, article):
        if not hasattr(self.local, "line"):
            self.local.line = http.client.HTTPConnection("127.0.0.1", self.port)
        self.local.line.request("GET", f"/price/{room}/{article}")
        return json.load(self.local.line.getresponse())["price"]


class Taken:
    """One article that a guest took."""

    def __init__(self, room, article, pieces, prices):
        self.room = room
        self.article = article
        self.pieces = pieces
        self.prices = prices
        self.known = None

    @property
    def price(self):
        if self.known is None:
            self.known = self.prices.of(self.room, self.article)
        return self.known

    @property
    def amount(self):
        return self.price * self.pieces


class Bill:
    def __init__(self, room, nights):
        self.room = room
        self.nights = nights
        self.taken = []

    def add(self, taken):
        self.taken.append(taken)

    def total(self):
        return self.nights * (9000 + self.room % 5 * 800) + sum(taken.amount for taken in self.taken)


def stay(room, prices):
    bill = Bill(room, 1 + room % 4)
    for place, article in enumerate(SHELF):
        if (room * 7 + place * 3) % 4 != 0:
            bill.add(Taken(room, article, 1 + (room + place) % 3, prices))
    return bill


def tax(total):
    return total * 19 // 119


def main():
    if sys.argv[1:] == ["desk"]:
        run_desk()
        return
    rooms = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    desk = subprocess.Popen([sys.executable, __file__, "desk"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    prices = Prices(int(desk.stdout.readline()))
    bills = [stay(room, prices) for room in range(100, 100 + rooms)]
    with ThreadPoolExecutor(max_workers=8) as pool:
        totals = list(pool.map(Bill.total, bills))
    desk.communicate()
    print(f"{len(bills)} bills, {sum(totals)} pence, of it tax {sum(map(tax, totals))}")


if __name__ == "__main__":
    main()
