"""Stores the scores of a chess club; a child stands for the club's server, a millisecond away."""
import multiprocessing
import socket
import sys
import time

import redis


def serve(listener):
    line, _ = listener.accept()
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while data := line.recv(1 << 20):
        time.sleep(0.001)
        line.sendall(b"+OK\r\n" * data.count(b"*"))


def scores(count):
    for game in range(count):
        yield f"game:{game}", f"{game % 3 / 2}-{1 - game % 3 / 2}"


def store(club, count):
    saved = 0
    for game, score in scores(count):
        saved += club.set(game, score)
    return saved


listener = socket.create_server(("127.0.0.1", 0))
server = multiprocessing.Process(target=serve, args=(listener,), daemon=True)
server.start()
club = redis.Redis(port=listener.getsockname()[1])
print(store(club, int(sys.argv[1])))
club.close()
