"""Prices the ticket queues of several counters; fares come from a tariff service and are kept once known."""

import socket
import socketserver
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

COUNTERS = 6


class TariffHandler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            route = int(line)
            time.sleep(0.009)
            self.wfile.write(b"%d\n" % (250 + route * 37 % 911))


class TariffService(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


class TariffClient:
    """One open connection for each thread that asks."""

    def __init__(self, address):
        self._address = address
        self._local = threading.local()
        self._open = []

    def _channel(self):
        channel = getattr(self._local, "channel", None)
        if channel is None:
            peer = socket.create_connection(self._address)
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            channel = self._local.channel = peer.makefile("rwb")
            self._open.append((peer, channel))
        return channel

    def base_fare(self, route):
        channel = self._channel()
        channel.write(b"%d\n" % route)
        channel.flush()
        return int(channel.readline())

    def close(self):
        for peer, channel in self._open:
            channel.close()
            peer.close()


class FareBook:
    def __init__(self, client):
        self._client = client
        self._lock = threading.Lock()
        self._fares = {}

    def fare(self, route):
        with self._lock:
            known = self._fares.get(route)
        if known is None:
            known = self._client.base_fare(route)
            with self._lock:
                self._fares[route] = known
        return known

    def known(self):
        with self._lock:
            return len(self._fares)


class Takings:
    def __init__(self):
        self._lock = threading.Lock()
        self.tickets = 0
        self.cents = 0

    def add(self, tickets, cents):
        with self._lock:
            self.tickets += tickets
            self.cents += cents


class Counter:
    def __init__(self, number, book, takings):
        self.number = number
        self.book = book
        self.takings = takings

    def queue(self, routes):
        """Passengers in the order they come: every route of this counter turns up many times."""
        state = self.number + 11
        for turn in range(routes * 20):
            state = state * 16807 % 2147483647
            yield (turn % routes) * COUNTERS + self.number, 1 + state % 4

    def discount(self, fare, party):
        for step in range(party):
            fare -= fare * step // 100
        return fare * party

    def serve(self, routes):
        tickets = cents = 0
        for route, party in self.queue(routes):
            cents += self.discount(self.book.fare(route), party)
            tickets += party
        self.takings.add(tickets, cents)


def main():
    routes = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    service = TariffService(("127.0.0.1", 0), TariffHandler)
    threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    client = TariffClient(service.server_address)
    book = FareBook(client)
    takings = Takings()
    counters = [Counter(number, book, takings) for number in range(COUNTERS)]
    with ThreadPoolExecutor(COUNTERS) as pool:
        for done in [pool.submit(counter.serve, routes) for counter in counters]:
            done.result()
    client.close()
    service.shutdown()
    service.server_close()
    print(f"routes {book.known()} tickets {takings.tickets} cents {takings.cents}")


if __name__ == "__main__":
    main()
