"""Takes a bakery's orders: each is reckoned by the kitchen, and the counter waits for its slip before the next."""
import logging
import sys

from huey import MemoryHuey

logging.getLogger("huey").setLevel(logging.ERROR)
bakery = MemoryHuey("bakery")

PRICES = {"roll": 45, "loaf": 380, "bun": 120, "pretzel": 95}
MINUTES = {"roll": 1, "loaf": 9, "bun": 3, "pretzel": 2}


@bakery.task()
def reckon(order):
    price = sum(PRICES[name] * count for name, count in order.items())
    minutes = sum(MINUTES[name] * count for name, count in order.items())
    return price, minutes


def orders(count):
    names = sorted(PRICES)
    for number in range(count):
        yield {name: 1 + (number * (at + 3)) % 7 for at, name in enumerate(names)}


def open_kitchen():
    kitchen = bakery.create_consumer(workers=2, periodic=False, check_worker_health=False)
    kitchen.start()
    return kitchen


def slip(order):
    return reckon(order).get(blocking=True, timeout=30)


def serve(count):
    slips = [slip(order) for order in orders(count)]
    return sum(price for price, _ in slips), max(minutes for _, minutes in slips)


def main():
    kitchen = open_kitchen()
    takings, longest = serve(int(sys.argv[1]))
    kitchen.stop(graceful=False)
    print(f"takings {takings / 100:.2f}, longest order {longest} minutes")


main()
