"""Joins the villages of a district to parishes: those on the shortest roads first, until few enough are left."""
import sys

import networkx as nx


def district(side):
    roads = nx.Graph()
    for row in range(side):
        for column in range(side):
            here = row * side + column
            roads.add_node(here, people=80 + here * 37 % 400)
            if column + 1 < side:
                roads.add_edge(here, here + 1, miles=1 + here * 29 % 97)
            if row + 1 < side:
                roads.add_edge(here, here + side, miles=1 + here * 53 % 89)
    return roads


def shortest_roads(roads):
    return sorted(roads.edges(data="miles"), key=lambda road: (road[2], road[0], road[1]))


def seat(parish_of, village):
    while parish_of[village] != village:
        village = parish_of[village]
    return village


def join(roads, keeper, joined):
    people = roads.nodes[keeper]["people"] + roads.nodes[joined]["people"]
    roads = nx.contracted_nodes(roads, keeper, joined, self_loops=False, copy=False)
    roads.nodes[keeper]["people"] = people
    roads.nodes[keeper].pop("contraction", None)
    return roads


def parishes(roads, wanted):
    parish_of = {village: village for village in roads}
    for one, other, _ in shortest_roads(roads):
        if len(roads) <= wanted:
            break
        keeper, joined = sorted((seat(parish_of, one), seat(parish_of, other)))
        if keeper != joined:
            roads = join(roads, keeper, joined)
            parish_of[joined] = keeper
    return roads


def main():
    roads = parishes(district(int(sys.argv[1])), 90)
    largest = max(roads, key=lambda village: (roads.nodes[village]["people"], village))
    print(len(roads), roads.number_of_edges(), largest, roads.nodes[largest]["people"])


main()
