"""Writes what the tills of a shop sell to one journal, to which other programs of the shop write as well."""
import logging
import os
import sys
import tempfile

from concurrent_log_handler import ConcurrentRotatingFileHandler

GOODS = ["bread", "butter", "cheese", "honey", "salt", "tea"]


def journal(folder):
    handler = ConcurrentRotatingFileHandler(os.path.join(folder, "sales.log"), "a", 64 << 20, 3)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    log = logging.getLogger("tills")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    return log


def trade(log, count):
    pence = 0
    for sale in range(count):
        goods = GOODS[sale % len(GOODS)]
        price = 80 + sale * 7 % 420
        log.info("till %d sold %s for %d", sale % 8, goods, price)
        pence += price
    return pence


with tempfile.TemporaryDirectory() as folder:
    takings = trade(journal(folder), int(sys.argv[1]))
    with open(os.path.join(folder, "sales.log")) as stream:
        print(takings, sum(1 for _ in stream))
    logging.shutdown()
