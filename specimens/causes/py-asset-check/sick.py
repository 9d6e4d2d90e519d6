"""Makes the picture assets of a site and writes the manifest that its cache relies on."""

import colorsys
import os
import subprocess
import sys
import tempfile
import zlib

SIDE = 8


def swatch(number):
    """A small picture in the plain PPM format."""
    lines = [f"P3 {SIDE} {SIDE} 255"]
    for y in range(SIDE):
        row = []
        for x in range(SIDE):
            hue = (number * 0.137 + x / SIDE / 3) % 1
            red, green, blue = colorsys.hls_to_rgb(hue, 0.3 + y / SIDE / 2, 0.8)
            row.append(f"{int(red * 255)} {int(green * 255)} {int(blue * 255)}")
        lines.append("  ".join(row))
    return "\n".join(lines) + "\n"


def write_assets(folder, count):
    paths = []
    for number in range(count):
        path = os.path.join(folder, f"swatch-{number:04d}.ppm")
        with open(path, "w", encoding="ascii") as file:
            file.write(swatch(number))
        paths.append(path)
    return paths


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env={"LC_ALL": "C", "PATH": os.environ["PATH"]})
    return done.stdout.decode()


def parsed(line):
    """`cksum` prints a sum, a size and a name."""
    mark, size, path = line.split(" ", 2)
    return os.path.basename(path), int(mark), int(size)


def sum_of(path):
    return parsed(run(["cksum", path]).rstrip("\n"))


def sums(paths):
    return [sum_of(path) for path in paths]


def manifest(entries):
    lines = []
    for name, mark, size in sorted(entries):
        lines.append(f"{name}?v={mark:08x} {size}")
    return "\n".join(lines)


def doubles(entries):
    """Pictures with equal content need to be sent only once."""
    seen, found = {}, 0
    for name, mark, size in entries:
        if (mark, size) in seen:
            found += 1
        seen[mark, size] = name
    return found


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 420
    with tempfile.TemporaryDirectory() as folder:
        paths = write_assets(folder, count)
        entries = sums(paths)
    text = manifest(entries)
    print("assets", len(entries), "doubles", doubles(entries), "bytes", sum(size for _, _, size in entries))
    print("manifest", f"{zlib.crc32(text.encode()):08x}")


if __name__ == "__main__":
    main()
