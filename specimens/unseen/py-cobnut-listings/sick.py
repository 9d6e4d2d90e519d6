"""Makes the evening's listing of a small cinema chain: asks the box office for each screening and lays out the sheet."""

import asyncio
import hashlib
import json
import socketserver
import sys
import textwrap
import threading
import time
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler

FILMS = ["The Long Jetty", "Marzipan", "Nine Owls", "A Field in June", "Tramway", "The Understudy", "Salt"]


class BoxOffice(BaseHTTPRequestHandler):
    """The chain's box office: counts the free seats of a screening in its own slow books."""

    protocol_version = "HTTP/1.0"

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        number = int(query["screening"][0])
        time.sleep(0.018)
        taken = [seat for seat in range(120) if (seat * 37 + number * 11) % 7 < 4]
        body = json.dumps({"film": FILMS[number % len(FILMS)], "taken": taken, "start": 840 + number * 5 % 500}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Office(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True


class Listing:
    """Collects the screenings of one evening, at most so many questions at a time."""

    def __init__(self, base, at_once):
        self.base = base
        self.gate = asyncio.Semaphore(at_once)
        self.clerks = ThreadPoolExecutor(at_once)
        self.asked = 0

    async def screening(self, number):
        async with self.gate:
            self.asked += 1
            answer = await self.ask(number)
        return number, answer["film"], answer["start"], self.rows(answer["taken"])

    async def ask(self, number):
        url = f"{self.base}/seats?screening={number}"
        return fetch(url)

    def rows(self, taken):
        """Free seats next to each other, row by row: the best row is where a party of four finds room."""
        free = set(range(120)) - set(taken)
        best = 0
        for row in range(0, 120, 12):
            run = 0
            for seat in range(row, row + 12):
                run = run + 1 if seat in free else 0
                best = max(best, run)
        return len(free), best

    async def evening(self, count):
        return await asyncio.gather(*(self.screening(number) for number in range(count)))


def fetch(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def clock(minute):
    return f"{minute // 60:02d}:{minute % 60:02d}"


def sheet(screenings):
    lines = []
    for number, film, start, (free, best) in sorted(screenings, key=lambda one: (one[2], one[0])):
        note = "sold out" if not free else f"{free} seats" + (", parties welcome" if best >= 4 else "")
        lines += textwrap.wrap(f"{clock(start)} {film} (house {number % 6 + 1}): {note}", 40, subsequent_indent="      ")
    return "\n".join(lines)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    office = Office(("127.0.0.1", 0), BoxOffice)
    threading.Thread(target=office.serve_forever, args=(0.02,), daemon=True).start()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    urllib.request.install_opener(opener)

    async def evening():
        listing = Listing(f"http://127.0.0.1:{office.server_address[1]}", 16)
        return await listing.evening(count), listing.asked

    screenings, asked = asyncio.run(evening())
    text = sheet(screenings)
    office.shutdown()
    office.server_close()
    print("screenings", asked, "lines", text.count("\n") + 1, "check", hashlib.md5(text.encode()).hexdigest()[:10])


if __name__ == "__main__":
    main()
