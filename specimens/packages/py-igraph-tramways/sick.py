"""Builds the tram network of a town from its timetable and says how far apart its stops are."""
import sys

import igraph


def stop_of(number, stops):
    return number * 37 % stops


def rides(stops):
    for number in range(stops * 3):
        yield stop_of(number, stops), stop_of(number * 5 + 1, stops), 2 + number % 7


def network(stops):
    town = igraph.Graph(n=stops)
    for start, end, minutes in rides(stops):
        town.add_edge(start, end, minutes=minutes)
    return town


def main():
    town = network(int(sys.argv[1]))
    away = town.distances(source=0, weights="minutes")[0]
    away = [minutes for minutes in away if minutes < float("inf")]
    print(town.vcount(), "stops,", town.ecount(), "rides, farthest", max(away), "minutes")


main()
