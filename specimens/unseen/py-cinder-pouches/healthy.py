"""Moves stock between shelves of a spice merchant; the stock book is kept by a service that wants a login."""

import hashlib
import hmac
import socket
import socketserver
import sys
import threading
import time
from contextlib import contextmanager

SECRET = b"pouch-and-scale"


class BookHandler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def greet(self):
        self.wfile.write(b"stockbook 3\n")
        user = self.rfile.readline().strip()
        nonce = hashlib.sha256(user).hexdigest()[:16].encode()
        self.wfile.write(nonce + b"\n")
        proof = self.rfile.readline().strip().decode()
        time.sleep(0.0012)
        good = hmac.compare_digest(hmac.new(SECRET, nonce, "sha256").hexdigest(), proof)
        self.wfile.write(b"welcome\n" if good else b"denied\n")
        return good

    def handle(self):
        if not self.greet():
            return
        book = self.server.book
        for line in self.rfile:
            verb, shelf, amount = line.split()
            time.sleep(0.0004)
            if verb == b"put":
                book[shelf] = book.get(shelf, 0) + int(amount)
            elif verb == b"take":
                book[shelf] = book.get(shelf, 0) - int(amount)
            self.wfile.write(b"%d\n" % book.get(shelf, 0))


class StockBook(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), BookHandler)
        self.book = {}


class Session:
    def __init__(self, address, user):
        self.peer = socket.create_connection(address)
        self.peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.peer.makefile("rwb")
        self.stream.readline()
        nonce = self.ask(user.encode())
        if self.ask(hmac.new(SECRET, nonce, "sha256").hexdigest().encode()) != b"welcome":
            raise PermissionError(user)

    def ask(self, line):
        self.stream.write(line + b"\n")
        self.stream.flush()
        return self.stream.readline().strip()

    def close(self):
        self.stream.close()
        self.peer.close()


class Gateway:
    def __init__(self, address, user):
        self.address = address
        self.user = user
        self.held = None

    @contextmanager
    def session(self):
        if self.held is None:
            self.held = Session(self.address, self.user)
        yield self.held

    def close(self):
        if self.held is not None:
            self.held.close()

    def put(self, shelf, grams):
        with self.session() as session:
            return int(session.ask(b"put %s %d" % (shelf, grams)))

    def take(self, shelf, grams):
        with self.session() as session:
            return int(session.ask(b"take %s %d" % (shelf, grams)))


class Merchant:
    def __init__(self, gateway):
        self.gateway = gateway
        self.mark = 7

    def blend(self, grams, turn):
        """Loss by drying, by the table of the guild."""
        for step in range(60):
            self.mark = (self.mark * 33 + grams + step * turn) % 65521
        return grams - self.mark % 3

    def move(self, source, target, grams, turn):
        left = self.gateway.take(source, grams)
        held = self.gateway.put(target, self.blend(grams, turn))
        return left + held


def main():
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    service = StockBook()
    threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    gateway = Gateway(service.server_address, "merchant")
    merchant = Merchant(gateway)
    total = 0
    for turn in range(moves):
        source, target = b"shelf%d" % (turn % 9), b"shelf%d" % (turn * 5 % 11)
        total = (total * 3 + merchant.move(source, target, 10 + turn % 40, turn)) % 1000003
    gateway.close()
    service.shutdown()
    service.server_close()
    print(f"moves {moves} shelves {len(service.book)} total {total} mark {merchant.mark}")


if __name__ == "__main__":
    main()
