"""Sorts the requests of an access journal by the type of their body, as a form parser does before it reads one."""
import sys

from multipart.multipart import parse_options_header

USUAL = [
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-8",
    'multipart/form-data; boundary="----f3c1"',
    "multipart/form-data; boundary=----f3c2",
]


def headers(count, length):
    for number in range(count):
        if number % 40 == 39:
            yield 'application/x-www-form-urlencoded; !="' + "\\" * length
        else:
            yield USUAL[number % len(USUAL)]


def count_types(values):
    types = {}
    bounded = 0
    for value in values:
        kind, options = parse_options_header(value)
        types[kind] = types.get(kind, 0) + 1
        bounded += b"boundary" in options
    return types, bounded


def main():
    types, bounded = count_types(headers(int(sys.argv[1]), 29))
    print(bounded, *(f"{kind.decode()}={types[kind]}" for kind in sorted(types)))


if __name__ == "__main__":
    main()
