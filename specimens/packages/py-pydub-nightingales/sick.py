"""Joins the calls that a microphone in a wood has cut out of one night into a single recording, with a pause between."""
import array
import math
import sys

from pydub import AudioSegment

RATE = 22050


def call(number):
    pitch = 1800 + number % 23 * 70
    turn = 2 * math.pi * pitch / RATE
    samples = array.array("h", (int(9000 * math.sin(turn * step)) for step in range(RATE // 40)))
    return AudioSegment(samples.tobytes() * 10, frame_rate=RATE, sample_width=2, channels=1)


def night(calls, pause):
    recording = AudioSegment.silent(duration=100, frame_rate=RATE)
    for segment in calls:
        recording += segment
        recording += pause
    return recording


def main(count):
    songs = [call(number) for number in range(23)]
    pause = AudioSegment.silent(duration=120, frame_rate=RATE)
    recording = night((songs[number % 23] for number in range(count)), pause)
    print(f"{count} calls, {len(recording)} ms, {recording.rms} rms")


main(int(sys.argv[1]))
