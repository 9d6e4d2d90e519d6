"""Serves the air pressure of a harbour's buoys to its ships; a buoy takes a moment to answer."""
import multiprocessing
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from socket import create_connection, create_server, socket
from urllib.request import urlopen

from bottle import Bottle, run

harbour = Bottle()


def buoy(line):
    with line:
        number = int(line.makefile().readline())
        time.sleep(0.02)
        line.sendall(b"%d\n" % (980 + number % 60))


def buoys(listener):
    while True:
        line, _ = listener.accept()
        threading.Thread(target=buoy, args=(line,), daemon=True).start()


@harbour.get("/pressure/<number:int>")
def pressure(number):
    with create_connection(harbour.config["buoys"]) as line:
        line.sendall(b"%d\n" % number)
        return {"buoy": number, "hectopascal": int(line.makefile().readline())}


def serve():
    run(harbour, host="127.0.0.1", port=8791, server="waitress", threads=8, quiet=True)


def wait_until_open():
    while socket().connect_ex(("127.0.0.1", 8791)):
        time.sleep(0.02)


def ask(number):
    with urlopen(f"http://127.0.0.1:8791/pressure/{number}") as answer:
        return len(answer.read())


def main():
    listener = create_server(("127.0.0.1", 0), backlog=64)
    multiprocessing.Process(target=buoys, args=(listener,), daemon=True).start()
    harbour.config["buoys"] = listener.getsockname()
    threading.Thread(target=serve, daemon=True).start()
    wait_until_open()
    with ThreadPoolExecutor(8) as ships:
        print(sum(ships.map(ask, range(int(sys.argv[1])))))


main()
