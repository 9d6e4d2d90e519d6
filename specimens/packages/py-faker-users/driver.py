"""Makes test users, each with a generator and a seed of its own so that they can be made again one by one."""
import sys

from faker import Faker


def user(number):
    fake = Faker("en_US")
    fake.seed_instance(number)
    return {"name": fake.name(), "city": fake.city(), "mail": fake.email()}


def users(count):
    return [user(number) for number in range(count)]


made = users(int(sys.argv[1]))
print(len(made), made[0]["name"], made[-1]["city"])
