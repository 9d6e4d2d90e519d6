"""Measures how green the meadows on a set of aerial photographs are, and how bright each photograph is on the whole."""
import sys

from PIL import Image

SIZE = (420, 300)


def photographs(count):
    grass = Image.linear_gradient("L").resize(SIZE)
    sky = Image.radial_gradient("L").resize(SIZE)
    for number in range(count):
        soil = Image.new("L", SIZE, 20 + number * 9 % 120)
        yield Image.merge("RGB", (soil, grass.rotate(number * 90 % 360, expand=False), sky))


def channel_means(photograph):
    width, height = photograph.size
    sums = [0, 0, 0]
    for y in range(height):
        for x in range(width):
            red, green, blue = photograph.getpixel((x, y))
            sums[0] += red
            sums[1] += green
            sums[2] += blue
    return [total / (width * height) for total in sums]


def survey(count):
    green = bright = 0
    for photograph in photographs(count):
        means = channel_means(photograph)
        green += means[1] > means[0]
        bright += sum(means) / 3
    return green, bright / count


green, bright = survey(int(sys.argv[1]))
print(f"{green} green photographs, brightness {bright:.2f}")
