"""Checks the settings of all beacons along a coast before the keepers leave for the winter."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml


@dataclass
class Beacon:
    name: str
    colour: str
    flashes: list[dict[str, float]]
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def period(self) -> float:
        return sum(flash["lit"] + flash["dark"] for flash in self.flashes)


def settings_of(number: int) -> str:
    colour = ("white", "red", "green")[number % 3]
    lines = [f"name: beacon-{number:03d}", f"colour: {colour}", "flashes:"]
    for flash in range(6 + number % 5):
        lines.append(f"  - lit: {0.5 + flash * 0.25}")
        lines.append(f"    dark: {1.5 + (number + flash) % 4 * 0.5}")
    lines.append("notes:")
    lines.extend(f"  keeper{k}: \"watch {k} of {number}\"" for k in range(8))
    return "\n".join(lines) + "\n"


def parse(text: str) -> dict:
    return yaml.load(text, Loader=yaml.CSafeLoader)


def load(texts: Iterator[str]) -> list[Beacon]:
    return [Beacon(**parse(text)) for text in texts]


def clashes(beacons: list[Beacon]) -> list[tuple[str, str]]:
    """Neighbours that a sailor could take for each other."""
    pairs = zip(beacons, beacons[1:])
    return [(a.name, b.name) for a, b in pairs if a.colour == b.colour or abs(a.period - b.period) < 0.5]


def seal(beacon: Beacon) -> str:
    digest = beacon.name.encode()
    for _ in range(600):
        digest = hashlib.sha256(digest + beacon.colour.encode()).digest()
    return digest.hex()[:8]


def winter_book(count: int) -> list[str]:
    beacons = load(settings_of(number) for number in range(count))
    book = [f"{beacon.name} {beacon.period:.2f} {seal(beacon)}" for beacon in beacons]
    book.append(f"clashes {len(clashes(beacons))}")
    return book


if __name__ == "__main__":
    pages = winter_book(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
    print(pages[-1], hashlib.md5("\n".join(pages).encode()).hexdigest())
