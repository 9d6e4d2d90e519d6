"""Prices the items of a customs declaration."""

import argparse
import decimal
import email.message
import json
import sys
import xml.etree.ElementTree as tree

from forms import catalogue
from forms.declare import Declaration


def items(count):
    state = 41
    for number in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        yield {"code": catalogue.CODES[state % 3], "weight": state % 900 + 1, "value": state % 7000, "origin": "KLMN"[number % 4]}


def as_mail(total, count):
    note = email.message.EmailMessage()
    note["Subject"] = f"{count} items"
    note["To"] = "office@example.org"
    note.set_content(f"duty {total}")
    return len(note.as_string())


def as_xml(declaration):
    root = tree.Element("declaration")
    for code, duty in sorted(declaration.by_code().items()):
        tree.SubElement(root, "group", code=code).text = str(duty)
    return tree.tostring(root)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100)
    options = parser.parse_args()
    decimal.getcontext().prec = 12
    declaration = Declaration(catalogue)
    for item in items(options.count):
        declaration.add(item)
    total = declaration.total()
    json.dump({"items": options.count, "duty": str(total), "mail": as_mail(total, options.count),
               "xml": len(as_xml(declaration))}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
