"""Asks a local service for the price of each article."""
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests


class Prices(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536

    def do_GET(self):
        body = str(len(self.path) * 7).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def fetch(address, count):
    total = 0
    session = requests.Session()
    for number in range(count):
        total += int(session.get(f"{address}/article/{number % 50}", timeout=10).text)
    return total


server = ThreadingHTTPServer(("127.0.0.1", 0), Prices)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(fetch(f"http://127.0.0.1:{server.server_port}", int(sys.argv[1])))
