"""Measures how green the meadows on a set of aerial photographs are, and how bright each photograph is on the whole."""
import sys

from PIL import Image, ImageStat

SIZE = (420, 300)


def photographs(count):
    grass = Image.linear_gradient("L").resize(SIZE)
    sky = Image.radial_gradient("L").resize(SIZE)
    for number in range(count):
        soil = Image.new("L", SIZE, 20 + number * 9 % 120)
        yield Image.merge("RGB", (soil, grass.rotate(number * 90 % 360, expand=False), sky))


def channel_means(photograph):
    return ImageStat.Stat(photograph).mean


def survey(count):
    green = bright = 0
    for photograph in photographs(count):
        means = channel_means(photograph)
        green += means[1] > means[0]
        bright += sum(means) / 3
    return green, bright / count


green, bright = survey(int(sys.argv[1]))
print(f"{green} green photographs, brightness {bright:.2f}")
