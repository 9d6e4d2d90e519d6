"""What stands on a form."""

COMMON = [("weight", int), ("value", int), ("origin", str)]
EXTRA = [("pieces", int), ("proof", float), ("area", float), ("litres", float), ("pairs", int), ("licence", str)]


def fields_of(heading):
    chosen = [field for place, field in enumerate(EXTRA) if heading >> place & 1]
    return COMMON + [(name, kind, kind()) for name, kind in chosen]


def rate_of(heading):
    return (heading * 37 % 181 + 5, 1000)
