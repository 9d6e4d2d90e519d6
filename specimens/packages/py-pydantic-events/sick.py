"""Reads the events of a feed, each a JSON text with a list of changes."""
import sys
from datetime import datetime
from typing import Dict, List, Optional, Tuple, Union

from pydantic import TypeAdapter
from typing_extensions import TypedDict


class Change(TypedDict):
    at: datetime
    field: str
    value: Union[int, str, None]
    where: Optional[Tuple[float, float]]


def feed(count):
    for number in range(count):
        yield (
            f'{{"u{number % 40}": [{{"at": "2023-05-0{number % 9 + 1}T10:00:00", "field": "size", '
            f'"value": {number}, "where": [1.5, {number % 90}]}}]}}'
        )


def changes(text):
    return TypeAdapter(Dict[str, List[Change]]).validate_json(text)


total = 0
for text in feed(int(sys.argv[1])):
    for done in changes(text).values():
        total += done[0]["value"] + done[0]["at"].day
print(total)
