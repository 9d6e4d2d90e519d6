"""Draws the seating plan of a concert hall on one slide, a square for each seat."""
import os
import sys
import tempfile

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE

POINT, INCH = 12700, 914400
PRICES = (18, 24, 32, 45)


def blank_slide(presentation):
    return presentation.slides.add_slide(presentation.slide_layouts[6])


def draw(slide, rows, seats):
    side = 8 * POINT
    for row in range(rows):
        for seat in range(seats):
            left, top = INCH // 3 + side * seat, INCH // 2 + side * row
            square = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, left, top, side, side)
            square.name = f"{chr(65 + row % 26)}{seat + 1} {PRICES[(row + seat) % 4]}"


def main():
    presentation = Presentation()
    slide = blank_slide(presentation)
    draw(slide, int(sys.argv[1]), 40)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hall.pptx")
        presentation.save(path)
        print(len(slide.shapes), os.path.getsize(path) > 10000)


main()
