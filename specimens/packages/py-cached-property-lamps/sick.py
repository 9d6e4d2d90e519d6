"""Asks each lamp of a house for its state; a server in a thread stands for the lamps, which take their time."""
import socket
import socketserver
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from cached_property import threaded_cached_property


class Lamps(socketserver.StreamRequestHandler):
    def handle(self):
        number = int(self.rfile.readline())
        time.sleep(0.04)
        self.wfile.write(b"on\n" if number % 3 == 0 else b"off\n")


class Lamp:
    def __init__(self, address, number):
        self.address = address
        self.number = number

    @threaded_cached_property
    def state(self):
        with socket.create_connection(self.address) as connection, connection.makefile("rw") as stream:
            stream.write(f"{self.number}\n")
            stream.flush()
            return stream.readline().strip()


def states(lamps):
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda lamp: lamp.state, lamps))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


with Server(("127.0.0.1", 0), Lamps) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    lamps = [Lamp(server.server_address, number) for number in range(int(sys.argv[1]))]
    print(states(lamps).count("on"))
