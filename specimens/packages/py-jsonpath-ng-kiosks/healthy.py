"""Turns the reports of the kiosks of a zoo into rows of a ledger; each column names the place of its value in a report."""
import sys

from jsonpath_ng import parse

PLACES = {
    "kiosk": "$.kiosk.name",
    "area": "$.kiosk.place.area",
    "pence": "$.sales[*].pence",
    "tills": "$.staff[*].till",
    "last": "$.sales[-1:].item",
}
COLUMNS = {name: parse(place) for name, place in PLACES.items()}


def reports(count):
    items = ["ice", "tea", "map", "kite", "postcard"]
    for number in range(count):
        yield {
            "kiosk": {"name": f"kiosk {number % 7}", "place": {"area": ["otters", "owls", "camels"][number % 3]}},
            "sales": [{"item": items[(number + at) % 5], "pence": 120 + 35 * (at + number % 4)} for at in range(4)],
            "staff": [{"till": number % 2 + 1}, {"till": number % 3 + 1}],
        }


def column(report, place):
    return [match.value for match in place.find(report)]


def row(report):
    return {name: column(report, place) for name, place in COLUMNS.items()}


def ledger(count):
    takings = {}
    for report in reports(count):
        entry = row(report)
        area = entry["area"][0]
        takings[area] = takings.get(area, 0) + sum(entry["pence"]) * len(entry["tills"])
    return takings


print(*(f"{area}:{pence}" for area, pence in sorted(ledger(int(sys.argv[1])).items())))
