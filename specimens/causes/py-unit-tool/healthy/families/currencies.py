"""Currencies: cross rates of a few days, and the client that would renew them."""

import asyncio
import decimal
import http.client
import ssl
import urllib.request

CODES = ("CHF", "DKK", "EUR", "GBP", "JPY", "NOK", "PLN", "SEK", "USD")


def spread(day):
    rates = {}
    for place, one in enumerate(CODES):
        for other_place, other in enumerate(CODES):
            ratio = decimal.Decimal(place + 2 + day) / decimal.Decimal(other_place + 3)
            rates[one + other] = ratio.quantize(decimal.Decimal("0.0001"))
    return rates


FACTORS = {day: spread(day) for day in range(700)}
LOOP = asyncio.AbstractEventLoop
PEER = http.client.HTTPSConnection
SAFE = ssl.OP_ALL
OPEN = urllib.request.urlopen
