"""Signs the tickets of a ferry at the till, and checks them at the pier."""
import hashlib
import sys

import ecdsa

PORTS = ["north quay", "island", "lighthouse", "south quay"]


def till():
    secret = hashlib.sha256(b"the ferry's till").digest()
    return ecdsa.SigningKey.from_string(secret, curve=ecdsa.NIST256p, hashfunc=hashlib.sha256)


def ticket(key, number):
    text = f"{number:05} {PORTS[number % 4]} to {PORTS[(number + 1) % 4]}".encode()
    return text, key.sign_deterministic(text)


def may_board(key, text, signature):
    try:
        return key.verify(signature, text)
    except ecdsa.BadSignatureError:
        return False


def boarding(count):
    key = till()
    pier = key.get_verifying_key()
    tickets = [ticket(key, number) for number in range(count)]
    return sum(may_board(pier, text, signature) for text, signature in tickets)


print(boarding(int(sys.argv[1])))
