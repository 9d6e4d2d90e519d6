"""Issues signed tickets for a handful of venues and checks them at the door."""

import base64
import hashlib
import hmac
import json
import random
import sys
import zlib

VENUES = {"arena": 12000, "opera": 1800, "club": 300, "park": 40000}
ROUNDS = 900


def seat(draw, size):
    """Row letters and a number, as printed on the chairs."""
    place = draw.randrange(size)
    row, chair = divmod(place, 40)
    letters = ""
    while True:
        row, rest = divmod(row, 26)
        letters = chr(ord("A") + rest) + letters
        if not row:
            return f"{letters}-{chair + 1:02d}"
        row -= 1


def orders(count):
    draw = random.Random(61)
    names = sorted(VENUES)
    for number in range(count):
        venue = draw.choice(names)
        yield {"venue": venue, "seat": seat(draw, VENUES[venue]), "number": number, "guest": f"g{draw.randrange(9999)}"}


class Office:
    def __init__(self, secret):
        self.secret = secret
        self.keys = {}

    def key_for(self, venue):
        return hashlib.pbkdf2_hmac("sha256", self.secret, venue.encode(), ROUNDS)

    def sign(self, venue, body):
        if venue not in self.keys:
            self.keys[venue] = self.key_for(venue)
        key = self.keys[venue]
        return hmac.new(key, body, "sha256").digest()[:12]

    def issue(self, order):
        body = json.dumps(order, sort_keys=True).encode()
        mark = self.sign(order["venue"], body)
        return base64.urlsafe_b64encode(mark + zlib.compress(body)).decode()

    def admit(self, ticket):
        raw = base64.urlsafe_b64decode(ticket)
        body = zlib.decompress(raw[12:])
        order = json.loads(body)
        if not hmac.compare_digest(self.sign(order["venue"], body), raw[:12]):
            return None
        return order


def spoil(ticket, number):
    """Every fiftieth guest comes with a bad copy."""
    if number % 50:
        return ticket
    raw = bytearray(base64.urlsafe_b64decode(ticket))
    raw[3] ^= 0x40
    return base64.urlsafe_b64encode(bytes(raw)).decode()


def seating(admitted):
    """A picture of each venue: how many guests sit in which block of rows."""
    blocks = {}
    for order in admitted:
        row = order["seat"].split("-")[0]
        place = 0
        for letter in row:
            place = place * 26 + ord(letter) - ord("A") + 1
        key = (order["venue"], place // 10)
        blocks[key] = blocks.get(key, 0) + 1
    return blocks


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2600
    office = Office(b"a secret for the spring season")
    tickets = [office.issue(order) for order in orders(count)]
    admitted, refused = [], 0
    for number, ticket in enumerate(tickets):
        order = office.admit(spoil(ticket, number))
        if order is None:
            refused += 1
        else:
            admitted.append(order)
    digest = hashlib.sha256("".join(tickets).encode()).hexdigest()[:16]
    print("issued", len(tickets), "admitted", len(admitted), "refused", refused)
    print("fullest", max(seating(admitted).items(), key=lambda item: (item[1], item[0])))
    print("digest", digest)


if __name__ == "__main__":
    main()
