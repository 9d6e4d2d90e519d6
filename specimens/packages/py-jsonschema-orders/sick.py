"""Checks the orders of a feed against the schema of the shop."""
import sys

import jsonschema

ADDRESS = {"type": "object", "required": ["street", "city"], "properties": {
    "street": {"type": "string", "minLength": 1}, "city": {"type": "string"}, "zip": {"type": "string", "pattern": "^[0-9]{5}$"}}}
LINE = {"type": "object", "required": ["sku", "count"], "properties": {
    "sku": {"type": "string", "maxLength": 12}, "count": {"type": "integer", "minimum": 1}}}
ORDER = {"type": "object", "required": ["id", "lines", "ship"], "additionalProperties": False, "properties": {
    "id": {"type": "integer"}, "ship": ADDRESS, "bill": ADDRESS, "lines": {"type": "array", "minItems": 1, "items": LINE}}}


def feed(count):
    for number in range(count):
        yield {
            "id": number,
            "ship": {"street": f"Main {number}", "city": "Ulm", "zip": f"{10000 + number % 80000}"},
            "lines": [{"sku": f"s{number % 90}", "count": number % 7}],
        }


def good(order):
    try:
        jsonschema.validate(order, ORDER)
    except jsonschema.ValidationError:
        return False
    return True


print(sum(good(order) for order in feed(int(sys.argv[1]))))
