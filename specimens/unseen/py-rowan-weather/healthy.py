"""Collects the morning readings of all weather stations and writes the bulletin."""
import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DELAY = 0.015


class Station(BaseHTTPRequestHandler):
    def do_GET(self):
        number = int(self.path.rsplit("/", 1)[1])
        time.sleep(DELAY)
        body = json.dumps({"station": number, "hours": [(number * 37 + hour * 11) % 340 for hour in range(24)]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def network():
    class Server(ThreadingHTTPServer):
        request_queue_size = 256
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Station)
    print(server.server_port, flush=True)
    server.serve_forever()


class Feed:
    def __init__(self, port):
        self.base = f"http://127.0.0.1:{port}/station/"
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def fetch(self, number):
        with self.opener.open(self.base + str(number), timeout=20) as answer:
            return json.load(answer)


class Bulletin:
    def __init__(self, feed, limit=12):
        self.feed = feed
        self.slots = asyncio.Semaphore(limit)
        self.readings = {}

    async def reading(self, number):
        async with self.slots:
            return await asyncio.to_thread(self.feed.fetch, number)

    async def station(self, number):
        report = await self.reading(number)
        hours = [tenths / 10 for tenths in report["hours"]]
        self.readings[number] = (min(hours), max(hours), smooth(hours))

    async def collect(self, stations):
        await asyncio.gather(*(self.station(number) for number in range(stations)))

    def text(self):
        lines = []
        for number, (low, high, trend) in sorted(self.readings.items()):
            lines.append(f"station {number:03d} low {low:5.1f} high {high:5.1f} trend {trend:6.2f}")
        return "\n".join(lines)


def smooth(hours, rounds=30):
    values = list(hours)
    for _ in range(rounds):
        values = [(values[at - 1] + 2 * values[at] + values[(at + 1) % 24]) / 4 for at in range(24)]
    return values[-1] - values[0]


async def morning(port, stations):
    bulletin = Bulletin(Feed(port))
    await bulletin.collect(stations)
    return bulletin


def main():
    if sys.argv[1:] == ["network"]:
        network()
        return
    stations = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    child = subprocess.Popen([sys.executable, __file__, "network"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(child.stdout.readline())
        bulletin = asyncio.run(morning(port, stations))
    finally:
        child.terminate()
        child.wait()
    text = bulletin.text()
    print(f"stations {len(bulletin.readings)} letters {len(text)} last {text.splitlines()[-1]}")


main()
