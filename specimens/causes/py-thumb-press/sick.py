"""Makes thumbnails of generated pictures with a pool of workers."""

import multiprocessing
import sys
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

WIDTH, HEIGHT, FACTOR = 320, 240, 8


def picture(number):
    """A grey picture with a pattern that differs for each number."""
    seed = number * 2654435761 & 0xFFFFFFFF
    row = bytes((x * x * (1 + seed % 7) >> 3 ^ seed >> 9) & 0xFF for x in range(WIDTH))
    return b"".join(bytes((row[(y * 3 + seed) % WIDTH:] + row)[:WIDTH]) for y in range(HEIGHT))


def shrink(pixels, width, height, factor):
    """Each pixel of the thumbnail is the mean of a square."""
    out = bytearray()
    area = factor * factor
    for top in range(0, height, factor):
        for left in range(0, width, factor):
            total = 0
            for y in range(top, top + factor):
                begin = y * width + left
                for value in pixels[begin:begin + factor]:
                    total += value
            out.append(total // area)
    return bytes(out)


def sharpen(pixels, width):
    out = bytearray(pixels)
    for place in range(1, len(pixels) - 1):
        if place % width in (0, width - 1):
            continue
        value = 2 * pixels[place] - (pixels[place - 1] + pixels[place + 1]) // 2
        out[place] = min(255, max(0, value))
    return bytes(out)


def thumb(number):
    small = shrink(picture(number), WIDTH, HEIGHT, FACTOR)
    return number, zlib.crc32(sharpen(small, WIDTH // FACTOR)), len(small)


def press(count):
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(thumb, range(count)))


class Reporter(threading.Thread):
    """Would draw a progress bar; here it only counts its own beats."""

    def __init__(self):
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.beats = 0

    def run(self):
        while not self.over.wait(0.02):
            self.beats += 1


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    reporter = Reporter()
    reporter.start()
    thumbs = press(count)
    check = 0
    for number, mark, size in thumbs:
        check = zlib.crc32(f"{number} {mark} {size}".encode(), check)
    reporter.over.set()
    reporter.join()
    print("thumbs", len(thumbs), "bytes", sum(size for _, _, size in thumbs), "check", f"{check:08x}")


if __name__ == "__main__":
    main()
