"""Plans street lanterns: each street is lit by a worker that looks into one table of lamps."""

import sys
from concurrent.futures import ProcessPoolExecutor

STREETS_PER_TOWN = 6


def lamp_table(kinds):
    table = {}
    state = 5
    for number in range(kinds):
        state = (state * 69069 + 1) % 4294967296
        table[f"lamp-{number}"] = (state % 40 + 5, state // 64 % 900 + 100, f"maker {number % 37}")
    return table


def streets(count):
    for number in range(count):
        yield {"name": f"street {number}", "length": 80 + number * 37 % 400, "first": number * 101}


def light(street, table):
    """The cheapest row of lamps that lights the street."""
    watts = pence = 0
    place = street["first"]
    for metre in range(0, street["length"], 4):
        reach, price, _ = table[f"lamp-{place % len(table)}"]
        watts += reach * 3 + metre % 5
        pence += price
        place += reach
    return watts, pence


def order_all(count, table):
    with ProcessPoolExecutor(max_workers=2) as pool:
        orders = [pool.submit(light, street, table) for street in streets(count)]
        return [order.result() for order in orders]


def by_town(results):
    towns = {}
    for number, (watts, pence) in enumerate(results):
        town = towns.setdefault(number // STREETS_PER_TOWN, [0, 0])
        town[0] += watts
        town[1] += pence
    return towns


def budget(towns):
    total = 0
    for town, (watts, pence) in towns.items():
        for year in range(200):
            pence += watts * (year % 7) // 100
        total += pence * (1 + town % 2)
    return total


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    table = lamp_table(45000)
    towns = by_town(order_all(count, table))
    print(f"{len(towns)} towns, budget {budget(towns)}")


if __name__ == "__main__":
    main()
