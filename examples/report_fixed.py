"""report.py with its one slow step mended: python3 examples/report_fixed.py ORDERS

`slowpath verify RUN -- python3 examples/report_fixed.py 20000` proves that it helped.
"""

import report


def customers(rows):
    """Every customer once, in the order of their first order: a dict keeps that order."""
    return list(dict.fromkeys(email for _, email, _ in rows))


report.customers = customers
report.main()
