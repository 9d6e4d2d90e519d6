"""Writes up the catalogue of a museum: halls with their cases, and all the coins that lie in them."""
import sys

from anytree import Node, PreOrderIter

METALS = ("gold", "silver", "copper", "bronze", "iron")


def coins(count):
    for number in range(count):
        yield f"coin {number:05d}", METALS[number * 7 % 5], 100 + number * 31 % 1700


def furnish(halls):
    museum = Node("museum")
    for number in range(halls):
        hall = Node(f"hall {number}", parent=museum)
        Node("cabinet", parent=hall, weight=0, metal=None)
    return museum


def lay_out(museum, finds):
    cabinets = [hall.children[0] for hall in museum.children]
    for at, (name, metal, year) in enumerate(finds):
        Node(name, parent=cabinets[at % len(cabinets)], metal=metal, weight=2 + at % 9, year=year)


def weigh(museum):
    weights = {}
    for node in PreOrderIter(museum, filter_=lambda node: node.is_leaf):
        weights[node.metal] = weights.get(node.metal, 0) + node.weight
    return weights


def oldest(museum):
    years = [(node.year, node.name) for node in PreOrderIter(museum) if hasattr(node, "year")]
    return min(years)


def main():
    museum = furnish(3)
    lay_out(museum, coins(int(sys.argv[1])))
    weights = weigh(museum)
    print(museum.height, sorted(weights.items()), oldest(museum))


main()
