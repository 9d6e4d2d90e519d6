"""Checks member rows against the parish register over HTTP, with a pool of threads."""
import http.client
import json
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Register(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        number = int(self.path.rsplit("/", 1)[1])
        time.sleep(0.009)
        body = json.dumps({"parish": number, "name": f"parish {number}", "quota": number * 7 % 31}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True


class Directory:
    """What is known about parishes; shared by all threads."""

    def __init__(self, port):
        self.port = port
        self.known = {}
        self.guard = threading.Lock()
        self.local = threading.local()

    def fetch(self, number):
        line = getattr(self.local, "line", None)
        if line is None:
            line = self.local.line = http.client.HTTPConnection("127.0.0.1", self.port)
        line.request("GET", f"/parish/{number}")
        return json.loads(line.getresponse().read())

    def lookup(self, number):
        with self.guard:
            entry = self.known.get(number)
        if entry is None:
            entry = self.fetch(number)
            with self.guard:
                entry = self.known.setdefault(number, entry)
        return entry

    def close(self):
        line = getattr(self.local, "line", None)
        if line is not None:
            line.close()


class Tally:
    def __init__(self):
        self.guard = threading.Lock()
        self.accepted = 0
        self.refused = 0
        self.points = 0

    def add(self, accepted, points):
        with self.guard:
            if accepted:
                self.accepted += 1
                self.points += points
            else:
                self.refused += 1


def check(member, entry):
    age, since = member["age"], member["since"]
    score = (age * 3 + since * 11 + len(entry["name"])) % 37
    return score >= entry["quota"], score


def worker(rows, directory, tally):
    while True:
        member = rows.get()
        if member is None:
            break
        entry = directory.lookup(member["parish"])
        accepted, points = check(member, entry)
        tally.add(accepted, points)
    directory.close()


def members(count):
    for i in range(count):
        yield {"id": i, "age": 18 + i * 7 % 70, "since": i * 13 % 40, "parish": (i * i + i // 3) % 211 + i % 2}


def main():
    count = int(sys.argv[1])
    server = Server(("127.0.0.1", 0), Register)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    directory, tally, rows = Directory(server.server_port), Tally(), queue.Queue()
    threads = [threading.Thread(target=worker, args=(rows, directory, tally)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for member in members(count):
        rows.put(member)
    for _ in threads:
        rows.put(None)
    for thread in threads:
        thread.join()
    server.shutdown()
    print(tally.accepted, tally.refused, tally.points, len(directory.known))


if __name__ == "__main__":
    main()
