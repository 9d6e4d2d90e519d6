"""Mixes short tone messages into a stream of samples, as a door intercom would."""

import array
import math
import random
import sys
import zlib

ROOM = 8 << 20


def tone(hertz, samples):
    """One period after another, with a soft beginning and end."""
    wave = array.array("h")
    step = 2 * math.pi * hertz / 8000
    for place in range(samples):
        fade = min(1.0, place / 40, (samples - place) / 40)
        wave.append(int(9000 * fade * math.sin(step * place)))
    return wave


def messages(count):
    draw = random.Random(440)
    for number in range(count):
        yield {
            "number": number,
            "channel": draw.randrange(6),
            "notes": [draw.choice((392, 440, 523, 659)) for _ in range(1 + draw.randrange(3))],
            "gain": 1 + draw.randrange(3),
        }


class Mixer:
    def __init__(self):
        self.tones = {}
        self.levels = [0] * 6
        self.scratch = bytearray(ROOM)

    def tone(self, hertz):
        if hertz not in self.tones:
            self.tones[hertz] = tone(hertz, 900)
        return self.tones[hertz]

    def window(self, size):
        """An empty stretch of at least `size` bytes to write into."""
        self.scratch[:size] = bytes(size)
        return self.scratch

    def mix(self, message):
        waves = [self.tone(hertz) for hertz in message["notes"]]
        size = 2 * sum(map(len, waves))
        window = self.window(size)
        place = 0
        for wave in waves:
            raw = wave.tobytes()
            window[place:place + len(raw)] = raw
            place += len(raw)
        self.levels[message["channel"]] += self.level(window, place) * message["gain"]
        return zlib.crc32(memoryview(window)[:size])

    def level(self, window, size):
        """The mean loudness of what was written, looked at every second sample."""
        samples = memoryview(window)[:size].cast("h")
        total = 0
        for value in samples[::2]:
            total += value if value > 0 else -value
        return total * 2 // max(1, len(samples))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 700
    mixer = Mixer()
    check = 0
    for message in messages(count):
        check = (check * 31 + mixer.mix(message)) & 0xFFFFFFFF
    print("messages", count, "levels", mixer.levels, "check", f"{check:08x}")


if __name__ == "__main__":
    main()
