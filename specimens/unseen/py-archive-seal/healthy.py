"""Seals an archive: writes it once and checks the seal of every box while reading it in order."""

import hashlib
import os
import sys
import tempfile

BLOCK = 4 << 20
BOX = 64 << 20


def fill(path, megabytes):
    pattern = bytes(range(256)) * (BLOCK // 256)
    with open(path, "wb") as out:
        written = 0
        while written < min(megabytes << 20, BOX):
            out.write(pattern)
            written += len(pattern)


def blocks(path):
    buffer = bytearray(BLOCK)
    view = memoryview(buffer)
    with open(path, "rb", buffering=0) as box:
        while size := box.readinto(view):
            yield view[:size]


def seal_box(path, number):
    digest = hashlib.sha256(number.to_bytes(4, "big"))
    for block in blocks(path):
        digest.update(block)
    return digest.hexdigest()


def seal_archive(path, boxes):
    whole = hashlib.sha256()
    for number in range(boxes):
        whole.update(bytes.fromhex(seal_box(path, number)))
    return whole.hexdigest()


def main():
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "box")
        fill(path, megabytes)
        seal = seal_archive(path, max(1, megabytes // 64))
    print(f"{megabytes} MB, seal {seal[:24]}")


if __name__ == "__main__":
    main()
