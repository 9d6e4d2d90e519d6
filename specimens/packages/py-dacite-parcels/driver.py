"""Reads the parcels of a day, as the scanners of a depot report them, and sums up what they weigh for each zone."""
import sys
from dataclasses import dataclass
from typing import Dict, List, Optional

from dacite import from_dict


@dataclass
class Address:
    street: str
    town: str
    zone: int
    floor: Optional[int]


@dataclass
class Scan:
    depot: str
    minute: int


@dataclass
class Parcel:
    number: str
    grams: int
    receiver: Address
    scans: List[Scan]
    labels: Dict[str, str]
    note: Optional[str]


def reports(count):
    for number in range(count):
        yield {
            "number": f"P{number:07}",
            "grams": 200 + number * 37 % 4800,
            "receiver": {"street": f"Lane {number % 90}", "town": "Hull", "zone": number % 12, "floor": None},
            "scans": [{"depot": "north", "minute": number % 1440}, {"depot": "east", "minute": (number + 90) % 1440}],
            "labels": {"size": "S", "kind": "parcel"},
            "note": "ring twice" if number % 5 == 0 else None,
        }


def weigh(count):
    zones = {}
    for report in reports(count):
        parcel = from_dict(Parcel, report)
        zones[parcel.receiver.zone] = zones.get(parcel.receiver.zone, 0) + parcel.grams
    return zones


print(*(f"{zone}:{grams}" for zone, grams in sorted(weigh(int(sys.argv[1])).items())))
