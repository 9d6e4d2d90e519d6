"""Asks the dispatcher for the way of each courier while an auditor goes through the ledger."""

import hashlib
import os
import socket
import sys
import threading
import time

ROADS = ("quay", "mill", "abbey", "market", "bridge", "tower", "meadow")


def serve(listener):
    """The dispatcher: answers each line with a road and a distance."""
    line, _ = listener.accept()
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with line, line.makefile("rb") as reader:
        for question in reader:
            number = int(question)
            time.sleep(0.0004)  # unfolds the map
            road = ROADS[number * 5 % len(ROADS)]
            line.sendall(f"{road} {number * 37 % 911}\n".encode())


def start_dispatcher():
    listener = socket.create_server(("127.0.0.1", 0))
    child = os.fork()
    if child == 0:
        serve(listener)
        os._exit(0)
    port = listener.getsockname()[1]
    listener.close()
    return port, child


class Dispatcher:
    def __init__(self, port):
        self.line = socket.create_connection(("127.0.0.1", port))
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answers = self.line.makefile("rb")

    def way(self, number):
        self.line.sendall(b"%d\n" % number)
        road, distance = self.answers.readline().split()
        return road.decode(), int(distance)

    def close(self):
        self.answers.close()
        self.line.close()


def proof(pages):
    """Folds the pages of the ledger into one number."""
    total = 7
    for page in range(pages):
        total = (total * 31 + page * page) % 1_000_003
        if total & 1:
            total ^= page & 0xFF
    return total


class Auditor:
    """Goes through the ledger again and again until the office closes."""

    def __init__(self, pages):
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self.audit, args=(pages,))
        self.thread.start()

    def audit(self, pages):
        first = proof(pages)
        while not self.closed.is_set():
            if proof(pages) != first:
                raise ValueError("the ledger has changed")

    def finish(self):
        self.closed.set()
        self.thread.join()


def stamp(name, road, distance):
    return hashlib.sha1(f"{name}:{road}:{distance}".encode()).hexdigest()[:4]


def send_couriers(dispatcher, count):
    roads = {}
    stamps = []
    for number in range(count):
        road, distance = dispatcher.way(number)
        roads[road] = roads.get(road, 0) + distance
        stamps.append(stamp(number, road, distance))
    return roads, stamps


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    port, child = start_dispatcher()
    auditor = Auditor(30000)
    dispatcher = Dispatcher(port)
    roads, stamps = send_couriers(dispatcher, count)
    dispatcher.close()
    os.waitpid(child, 0)
    auditor.finish()
    print(len(set(stamps)), " ".join(f"{road}={roads[road]}" for road in sorted(roads)))


if __name__ == "__main__":
    main()
