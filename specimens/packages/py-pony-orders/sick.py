"""Prints how many large orders the customers of a bookshop have placed, town by town."""
import sys

from pony.orm import Database, PrimaryKey, Required, Set, db_session, select

db = Database()


class Customer(db.Entity):
    id = PrimaryKey(int)
    town = Required(str)
    orders = Set("Order")


class Order(db.Entity):
    id = PrimaryKey(int)
    customer = Required(Customer)
    pence = Required(int)


def fill(customers):
    numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
    db.execute(f"INSERT INTO Customer (id, town) {numbers % customers} SELECT i, 'Town ' || (i % 9) FROM n")
    db.execute(f'INSERT INTO "Order" (id, customer, pence) {numbers % (2 * customers)} SELECT i, (i + 1) / 2, i % 700 FROM n')


def large_orders(pence):
    towns = {}
    for customer in select(c for c in Customer):
        large = customer.orders.filter(lambda order: order.pence >= pence).count()
        towns[customer.town] = towns.get(customer.town, 0) + large
    return towns


db.bind("sqlite", ":memory:")
db.generate_mapping(create_tables=True)
with db_session:
    fill(int(sys.argv[1]))
    print(*(f"{town}: {orders}" for town, orders in sorted(large_orders(300).items())), sep="\n")
