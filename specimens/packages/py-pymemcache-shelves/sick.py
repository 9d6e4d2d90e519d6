"""Puts the front page of a second-hand bookshop together from what the memcached beside it knows."""
import socketserver
import sys
import threading
import time

from pymemcache.client.base import Client

TRIP = 0.002


class Shelf(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        books = self.server.books
        for line in self.rfile:
            verb, *keys = line.split()
            if verb in (b"get", b"gets"):
                time.sleep(TRIP)
                answer = b"".join(b"VALUE %s 0 %d\r\n%s\r\n" % (key, len(books[key]), books[key])
                                  for key in keys if key in books)
                self.wfile.write(answer + b"END\r\n")
            elif verb == b"set":
                books[keys[0]] = self.rfile.read(int(keys[3]) + 2)[:-2]
                if keys[-1] != b"noreply":
                    self.wfile.write(b"STORED\r\n")
            elif verb == b"quit":
                return


def serve():
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Shelf)
    server.daemon_threads = True
    server.books = {}
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server


def stock(client, count):
    for number in range(count):
        client.set(f"book:{number}", f"Volume {number};{3 + number * 7 % 40}", noreply=True)


def prices(client, numbers):
    found = {}
    for number in numbers:
        value = client.get(f"book:{number}")
        if value is not None:
            found[number] = int(value.decode().rpartition(";")[2])
    return found


def front_page(client, visitor, books):
    numbers = sorted({(visitor * 17 + place * 29) % (books + 20) for place in range(30)})
    return sum(prices(client, numbers).values())


def main():
    visitors, books = int(sys.argv[1]), 400
    server = serve()
    client = Client(server.server_address)
    stock(client, books)
    total = sum(front_page(client, visitor, books) for visitor in range(visitors))
    client.quit()
    server.shutdown()
    server.server_close()
    print(visitors, "pages,", total, "pounds on offer")


main()
