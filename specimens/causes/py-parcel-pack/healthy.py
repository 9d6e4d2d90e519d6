"""Packs generated measurement files into framed, compressed blocks and unpacks them again."""

import random
import struct
import sys
import zlib

BLOCK = 1 << 15
MAGIC = b"PK5\0"


def table():
    entries = []
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (0xEDB88320 if number & 1 else 0)
        entries.append(number)
    return entries


TABLE = table()


def checksum(payload):
    return zlib.crc32(payload)


def measurements(number):
    """A slow drift with some noise, in 16-bit steps."""
    draw = random.Random(number)
    value, out = 20000, bytearray()
    for _ in range(5200):
        value = max(0, min(65535, value + draw.randrange(-30, 31)))
        out += struct.pack("<HI", value, value * 3)
    return bytes(out)


def blocks(content):
    for begin in range(0, len(content), BLOCK):
        yield content[begin:begin + BLOCK]


def frame(payload):
    packed = zlib.compress(payload, 6)
    return struct.pack("<4sIII", MAGIC, len(payload), len(packed), checksum(payload)) + packed


def pack(content):
    return b"".join(frame(block) for block in blocks(content))


def unpack(packed):
    place, out = 0, []
    while place < len(packed):
        magic, size, length, mark = struct.unpack_from("<4sIII", packed, place)
        place += 16
        if magic != MAGIC:
            raise ValueError("no block begins here")
        payload = zlib.decompress(packed[place:place + length])
        place += length
        if len(payload) != size or checksum(payload) != mark:
            raise ValueError("a block is damaged")
        out.append(payload)
    return b"".join(out)


def spoiled(packed):
    """Whether a flipped bit in the stored checksum is noticed."""
    copy = bytearray(packed)
    copy[13] ^= 1
    try:
        unpack(bytes(copy))
    except ValueError:
        return True
    return False


def main():
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    raw = small = 0
    marks = []
    for number in range(files):
        content = measurements(number)
        packed = pack(content)
        if unpack(packed) != content:
            raise SystemExit("a file came back changed")
        raw += len(content)
        small += len(packed)
        marks.append(struct.unpack_from("<I", packed, 12)[0])
    print("files", files, "raw", raw, "ratio kept", small < raw, "noticed", spoiled(packed))
    print("marks", f"{sum(marks) & 0xFFFFFFFF:08x}")


if __name__ == "__main__":
    main()
