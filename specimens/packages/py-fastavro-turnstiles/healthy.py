"""Packs what the turnstiles of a metro report into messages, unpacks them and counts the passengers."""
import io
import sys

from fastavro import parse_schema, schemaless_reader, schemaless_writer

PASSAGE = {
    "type": "record",
    "name": "Passage",
    "namespace": "metro.gates",
    "fields": [
        {"name": "gate", "type": "int"},
        {"name": "second", "type": "long"},
        {"name": "card", "type": ["null", "string"], "default": None},
        {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["SINGLE", "DAY", "MONTH"]}},
        {"name": "way", "type": {"type": "enum", "name": "Way", "symbols": ["IN", "OUT"]}},
        {"name": "place", "type": {"type": "record", "name": "Place", "fields": [
            {"name": "station", "type": "string"},
            {"name": "line", "type": "int"},
            {"name": "exits", "type": {"type": "array", "items": "int"}},
        ]}},
        {"name": "fare", "type": {"type": "record", "name": "Fare", "fields": [
            {"name": "pence", "type": "int"},
            {"name": "zones", "type": {"type": "array", "items": "int"}},
        ]}},
    ],
}


def passage(number):
    return {
        "gate": number % 40,
        "second": 21600 + number // 3,
        "card": None if number % 4 == 0 else f"C{number * 31 % 9000:05d}",
        "kind": ("SINGLE", "DAY", "MONTH")[number % 3],
        "way": ("IN", "OUT")[number % 2],
        "place": {"station": f"Station {number % 60}", "line": number % 7, "exits": [1, 2 + number % 3]},
        "fare": {"pence": 180 + number % 5 * 40, "zones": [1, 1 + number % 4]},
    }


def message_form():
    return parse_schema(PASSAGE)


def pack(form, report):
    out = io.BytesIO()
    schemaless_writer(out, form, report)
    return out.getvalue()


def unpack(form, message):
    return schemaless_reader(io.BytesIO(message), form, None)


def main():
    form = message_form()
    messages = [pack(form, passage(number)) for number in range(int(sys.argv[1]))]
    pence, inward = 0, 0
    for message in messages:
        report = unpack(form, message)
        pence += report["fare"]["pence"]
        inward += report["way"] == "IN"
    print(len(messages), "messages,", sum(map(len, messages)), "bytes,", inward, "in,", pence, "pence")


main()
