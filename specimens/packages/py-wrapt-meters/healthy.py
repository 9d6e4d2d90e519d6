"""Adds up what the water meters of a street show; a small server in a thread stands for the gateway that reads them."""
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen

from wrapt import synchronized


class Gateway(BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.02)
        body = str(100 + int(self.path[1:]) * 13 % 90).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Street:
    def __init__(self, base):
        self.base = base
        self.litres = 0
        self.highest = 0

    def read(self, meter):
        with urlopen(f"{self.base}/{meter}") as answer:
            shown = int(answer.read())
        with synchronized(self):
            self.litres += shown
            self.highest = max(self.highest, shown)


def round_of(street, meters):
    with ThreadPoolExecutor(8) as readers:
        list(readers.map(street.read, range(meters)))


ThreadingHTTPServer.request_queue_size = 64
server = ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
threading.Thread(target=server.serve_forever, daemon=True).start()
street = Street(f"http://127.0.0.1:{server.server_port}")
round_of(street, int(sys.argv[1]))
print(street.litres, street.highest)
