"""Fetches the tiles of a map from a store of objects and adds up what they weigh; a child process is the store."""
import multiprocessing
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import fsspec


class Store(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536

    def do_GET(self):
        time.sleep(0.012)
        body = self.path.encode() * 40
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def store(ports):
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", 0), Store)
    ports.put(server.server_port)
    server.serve_forever()


def addresses(port, count):
    return [f"http://127.0.0.1:{port}/tiles/{number % 30}/{number}.png" for number in range(count)]


def download(files, tiles):
    found = {}
    for tile in tiles:
        found[tile] = files.cat_file(tile)
    return found


def main(count):
    ports = multiprocessing.Queue()
    child = multiprocessing.Process(target=store, args=(ports,), daemon=True)
    child.start()
    found = download(fsspec.filesystem("http"), addresses(ports.get(), count))
    print(len(found), sum(body.count(b"/") for body in found.values()))
    child.terminate()


if __name__ == "__main__":
    main(int(sys.argv[1]))
