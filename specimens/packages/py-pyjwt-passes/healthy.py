"""Writes the signed day passes for the visitors of a fair."""
import pathlib
import sys
import tempfile

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

HALLS = ["books", "boats", "bees"]


def new_key(file):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(pem)


def gate_key(file):
    return serialization.load_pem_private_key(file.read_bytes(), password=None)


def day_pass(key, visitor):
    claims = {"sub": f"visitor-{visitor}", "hall": HALLS[visitor % 3], "day": 1 + visitor % 2}
    return jwt.encode(claims, key, algorithm="RS256")


def print_passes(file, count):
    key = gate_key(file)
    return sum(day_pass(key, visitor).count(".") for visitor in range(count))


with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "gate.pem")
    new_key(file)
    print(print_passes(file, int(sys.argv[1])))
