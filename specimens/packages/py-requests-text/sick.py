"""Fetches the day's log from a local service and counts its warnings."""
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests

LINE = "{:06d} warning: Zähler {} überschritten, Station Köln, naïve Schätzung 3 µs\n"


class Logs(BaseHTTPRequestHandler):
    def do_GET(self):
        body = "".join(LINE.format(number, number % 40) for number in range(self.server.lines)).encode("latin-1")
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def warnings(address):
    response = requests.get(address, timeout=60)
    return sum("warning" in line for line in response.text.splitlines())


server = HTTPServer(("127.0.0.1", 0), Logs)
server.lines = int(sys.argv[1])
threading.Thread(target=server.serve_forever, daemon=True).start()
print(warnings(f"http://127.0.0.1:{server.server_port}/log"))
