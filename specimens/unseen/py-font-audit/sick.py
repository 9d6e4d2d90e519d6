"""Audits a folder of font files: duplicates, broken table directories, sizes."""

import hashlib
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

TAGS = (b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", b"name")


def forge(folder, count):
    """Writes font-like files; some are copies of others."""
    for number in range(count):
        kind = number % 60 if number % 7 == 0 else number
        tables = []
        offset = 12 + 16 * len(TAGS)
        body = bytearray()
        for place, tag in enumerate(TAGS):
            size = 64 + (kind * 37 + place * 11) % 900
            body += bytes((kind + place + k) & 0xFF for k in range(size))
            tables.append(struct.pack(">4sIII", tag, kind * 31 + place, offset, size))
            offset += size
        header = struct.pack(">IHHHH", 0x00010000, len(TAGS) + (number % 97 == 5), 128, 3, 0)
        (folder / f"font{number:04d}.ttf").write_bytes(header + b"".join(tables) + body)


def digest(path):
    answer = subprocess.run(["sha256sum", "-b", str(path)], capture_output=True, text=True, check=True)
    mark, _ = answer.stdout.split()
    return mark


class Font:
    def __init__(self, path):
        self.path = path
        self.tables = {}
        self.fault = None

    def parse(self):
        data = self.path.read_bytes()
        _, count, *_ = struct.unpack_from(">IHHHH", data)
        for place in range(count):
            tag, check, offset, size = struct.unpack_from(">4sIII", data, 12 + 16 * place)
            if offset + size > len(data):
                self.fault = f"table {place} ends outside"
                return self
            self.tables[tag] = (check, offset, size, sum(data[offset:offset + size]) & 0xFFFF)
        return self


def inspect(path):
    font = Font(path).parse()
    return digest(path), font


def audit(folder):
    copies, faults, glyphs = defaultdict(list), [], 0
    for path in sorted(folder.glob("*.ttf")):
        mark, font = inspect(path)
        copies[mark].append(path.name)
        if font.fault:
            faults.append(path.name)
        elif b"glyf" in font.tables:
            glyphs += font.tables[b"glyf"][2]
    return copies, faults, glyphs


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        forge(folder, count)
        copies, faults, glyphs = audit(folder)
    twins = sum(len(names) > 1 for names in copies.values())
    print("fonts", count, "distinct", len(copies), "twins", twins, "faults", len(faults), "glyph bytes", glyphs)


if __name__ == "__main__":
    main()
