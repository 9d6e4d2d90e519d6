import sys
import threading
import time

import rpyc
from rpyc.utils.server import ThreadedServer


class Warehouse:
    def __init__(self, size):
        self.articles = [
            {"sku": f"A-{n:05d}", "price": 100 + n * 37 % 900, "stock": n * 13 % 50}
            for n in range(size)
        ]

    def list_articles(self):
        return self.articles


def open_warehouse(size):
    warehouse = Warehouse(size)

    class WarehouseService(rpyc.Service):
        def exposed_warehouse(self):
            return warehouse

    server = ThreadedServer(
        WarehouseService,
        hostname="127.0.0.1",
        port=0,
        protocol_config={"allow_all_attrs": True, "allow_pickle": True},
    )
    threading.Thread(target=server.start, daemon=True).start()
    while not server.active:
        time.sleep(0.005)
    return server


def value_stock(connection):
    articles = connection.root.warehouse().list_articles()
    total = 0
    missing = 0
    for article in articles:
        if article["stock"] == 0:
            missing += 1
        total += article["price"] * article["stock"]
    return total, missing, len(articles)


def main():
    size = int(sys.argv[1])
    server = open_warehouse(size)
    connection = rpyc.connect("127.0.0.1", server.port, config={"allow_pickle": True})
    total, missing, count = value_stock(connection)
    connection.close()
    server.close()
    print(f"articles={count} value={total} missing={missing}")


if __name__ == "__main__":
    main()
