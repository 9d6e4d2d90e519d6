"""Serves the thumbnails of a picture library, of which the most wanted ones stay in memory."""
import sys
from random import Random

from cachetools import LFUCache


class Thumbnails:
    def __init__(self, room):
        self.kept = LFUCache(maxsize=room)
        self.drawn = 0

    def draw(self, picture):
        self.drawn += 1
        return bytes((picture * step) % 251 for step in range(1, 17))

    def get(self, picture):
        try:
            return self.kept[picture]
        except KeyError:
            thumbnail = self.draw(picture)
            self.kept[picture] = thumbnail
            return thumbnail


def visits(pictures):
    chance = Random(11)
    for _ in range(pictures // 2):
        yield int(chance.random() ** 4 * pictures)


def serve(pictures):
    thumbnails = Thumbnails(pictures // 20)
    served = 0
    for picture in visits(pictures):
        served += len(thumbnails.get(picture))
    return served, len(thumbnails.kept)


print(*serve(int(sys.argv[1])))
