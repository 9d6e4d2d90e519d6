"""Keeps the scaled pictures of an image server on disk, and drops those of an album whenever somebody changes it."""
import shutil
import sys
import tempfile

from diskcache import Cache


def open_cache(folder):
    return Cache(folder, eviction_policy="none")


def fill(cache, albums, sizes):
    with cache.transact():
        for album in range(albums):
            for size in sizes:
                cache.set(f"{album}/{size}", b"JPEG" * 8, tag=f"album {album}")


def change(cache, albums):
    dropped = 0
    for album in albums:
        dropped += cache.evict(f"album {album}")
    return dropped


folder = tempfile.mkdtemp(prefix="pictures-")
try:
    albums = int(sys.argv[1])
    with open_cache(folder) as cache:
        fill(cache, albums, [64, 128, 256, 512])
        print(change(cache, range(0, albums, 6)), len(cache))
finally:
    shutil.rmtree(folder)
