"""Reads the descriptions of a fleet's vehicles, a YAML document for each depot, and counts what has to be serviced."""
import sys

import yaml

VEHICLE = """  - plate: {plate}
    model: {{maker: Volta, type: "van {kind}"}}
    kilometres: {kilometres}
    inspected: {inspected}
    tyres: [{tyre}, {tyre}, {tyre}, {tyre}]
"""


def document(depot, vehicles):
    lines = [f"depot: number {depot}\nvehicles:\n"]
    for number in range(vehicles):
        lines.append(
            VEHICLE.format(
                plate=f"K-{depot}-{number}",
                kind=number % 4,
                kilometres=number * 977 % 90000,
                inspected="true" if number % 3 else "false",
                tyre=number % 8 + 1,
            )
        )
    return "".join(lines)


def read(text):
    return yaml.load(text, Loader=yaml.SafeLoader)


def due(depots):
    count = 0
    for depot in depots:
        for vehicle in read(depot)["vehicles"]:
            count += vehicle["kilometres"] > 60000 or not vehicle["inspected"] or min(vehicle["tyres"]) < 3
    return count


print(due([document(depot, 100) for depot in range(int(sys.argv[1]))]))
