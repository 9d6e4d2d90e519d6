"""Sends the orders of a restaurant to its kitchen, a table's next order when the one before has been served."""
import socket
import sys
import threading

from kombu import Connection

MINUTES = {"soup": 4, "trout": 11, "pie": 7}


def connect():
    return Connection("memory://", transport_options={"polling_interval": 0.005})


def kitchen(closed):
    with connect() as connection:
        orders = connection.SimpleQueue("orders")
        plates = connection.SimpleQueue("plates")

        def cook(order, message):
            plates.put({"table": order["table"], "minutes": MINUTES[order["dish"]]})
            message.ack()

        orders.consumer.register_callback(cook)
        orders.consumer.consume()
        while not closed.is_set():
            try:
                connection.drain_events(timeout=0.1)
            except socket.timeout:
                pass


def served(plates):
    while True:
        try:
            return plates.get(timeout=0.25)
        except plates.Empty:
            pass


def evening(count):
    minutes = 0
    dishes = sorted(MINUTES)
    with connect() as connection:
        orders = connection.SimpleQueue("orders")
        plates = connection.SimpleQueue("plates")
        for table in range(count):
            orders.put({"table": table, "dish": dishes[table % 3]})
            plate = served(plates)
            minutes += plate.payload["minutes"]
            plate.ack()
    return minutes


closed = threading.Event()
cook = threading.Thread(target=kitchen, args=(closed,))
cook.start()
print(evening(int(sys.argv[1])))
closed.set()
cook.join()
