"""Collects the forecasts of many towns; a small service in a child stands for the one of the weather office."""
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen

from gevent.pool import Pool


class Office(BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.025)
        town = int(self.path.rpartition("/")[2])
        body = json.dumps({"town": town, "degrees": 5 + town * 7 % 20}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def forecast(address):
    with urlopen(address) as answer:
        return json.load(answer)["degrees"]


def collect(base, towns):
    addresses = [f"{base}/town/{town}" for town in range(towns)]
    return Pool(12).map(forecast, addresses)


ThreadingHTTPServer.request_queue_size = 64
server = ThreadingHTTPServer(("127.0.0.1", 0), Office)
office = os.fork()
if office == 0:
    server.serve_forever()
server.server_close()
try:
    degrees = collect(f"http://127.0.0.1:{server.server_port}", int(sys.argv[1]))
    print(len(degrees), sum(degrees))
finally:
    os.kill(office, 9)
    os.waitpid(office, 0)
