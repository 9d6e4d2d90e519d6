"""Scores the recordings of choirs against the written melody, with a few worker processes."""

import multiprocessing
import sys
import zlib
from typing import NamedTuple


class Song(NamedTuple):
    ident: int
    bars: int


class Result(NamedTuple):
    ident: int
    cost: int
    worker: int


def melody(song):
    note, out = 60 + song.ident % 12, []
    for bar in range(song.bars):
        note += ((song.ident * 31 + bar * bar * 7) % 9) - 4
        out.append(max(40, min(90, note)))
    return out


def recording(song):
    """What the choir sang: some notes off, some left out."""
    return [note + (place % 11 == 3) - (place % 7 == 2) for place, note in enumerate(melody(song)) if place % 23 != 5]


def align(want, have, gap=3):
    """Dynamic time warping of two note lists."""
    last = [gap * place for place in range(len(have) + 1)]
    for row, note in enumerate(want, 1):
        line = [gap * row]
        for column, sung in enumerate(have, 1):
            best = last[column - 1] + abs(note - sung)
            if last[column] + gap < best:
                best = last[column] + gap
            if line[column - 1] + gap < best:
                best = line[column - 1] + gap
            line.append(best)
        last = line
    return last[-1]


def score(song):
    return Result(song.ident, align(melody(song), recording(song)), 0)


def programme(count):
    """Short songs first, the long works after the break."""
    half = count // 2
    return [Song(number, 30 + number % 5 if number < half else 260 + number % 9) for number in range(count)]


def score_all(songs, workers=2):
    context = multiprocessing.get_context("fork")
    with context.Pool(workers) as pool:
        results = pool.map(score, songs, chunksize=(len(songs) + workers - 1) // workers)
    return results


def ranking(results):
    return sorted(results, key=lambda result: (result.cost, result.ident))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    songs = programme(count)
    results = ranking(score_all(songs))
    print("songs", len(songs), "best", results[0].ident, "worst", results[-1].ident,
          "check", f"{zlib.crc32(repr([r[:2] for r in results]).encode()):08x}")


if __name__ == "__main__":
    main()
