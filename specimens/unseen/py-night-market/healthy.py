"""Asks all stalls of a night market for a price and buys the cheapest menu."""

import asyncio
import http.client
import http.server
import multiprocessing
import sys
import time


class Stall(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        number = int(self.path.rsplit("/", 1)[1])
        time.sleep(0.018 + number % 4 * 0.002)
        body = str(200 + number * 37 % 300).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Square(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def open_market(pipe):
    server = Square(("127.0.0.1", 0), Stall)
    pipe.send(server.server_address[1])
    server.serve_forever()


def ask(port, number):
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request("GET", f"/stall/{number}")
        return int(line.getresponse().read())
    finally:
        line.close()


async def stall_price(port, number):
    price = await asyncio.to_thread(ask, port, number)
    return number, price


async def lanterns(lit):
    while True:
        lit.append(len(lit) % 7)
        await asyncio.sleep(0.01)


async def shop(port, count):
    lit = []
    lamp = asyncio.create_task(lanterns(lit))
    prices = await asyncio.gather(*(stall_price(port, number) for number in range(count)))
    lamp.cancel()
    return dict(prices)


def menu(prices, dishes):
    """The cheapest choice of neighbouring stalls."""
    best = None
    order = sorted(prices)
    for start in range(len(order) - dishes):
        cost = sum(prices[number] for number in order[start : start + dishes])
        for walk in range(300):
            cost += (start * walk) % 3
        if best is None or cost < best:
            best = cost
    return best


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    here, there = multiprocessing.Pipe()
    market = multiprocessing.Process(target=open_market, args=(there,), daemon=True)
    market.start()
    port = here.recv()
    prices = asyncio.run(shop(port, count))
    market.terminate()
    market.join()
    print(f"{len(prices)} stalls, menu {menu(prices, 5)}")


if __name__ == "__main__":
    main()
