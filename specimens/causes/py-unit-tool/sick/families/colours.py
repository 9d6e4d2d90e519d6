"""Colours of the web palette, as hue, lightness and saturation."""

import colorsys
import xml.etree.ElementTree as tree


def build():
    table = {}
    for red in range(0, 256, 5):
        for green in range(0, 256, 10):
            for blue in range(0, 256, 10):
                table[f"#{red:02x}{green:02x}{blue:02x}"] = colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)
    return table


FACTORS = build()
SHAPE = tree.Element("svg")
