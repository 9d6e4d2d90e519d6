"""Reads the positions of a comet hunter's notebook and says which lie near the plane of the galaxy."""
import sys

import astropy.units as u
from astropy.coordinates import SkyCoord


def notebook(nights):
    for night in range(nights):
        yield night * 7.31 % 360, night * 3.77 % 160 - 80


def latitudes(places):
    found = []
    for right_ascension, declination in places:
        place = SkyCoord(ra=right_ascension * u.deg, dec=declination * u.deg, frame="icrs")
        found.append(place.galactic.b.deg)
    return found


def main():
    found = latitudes(list(notebook(int(sys.argv[1]))))
    near = sum(abs(latitude) < 15 for latitude in found)
    print(len(found), "places,", near, "near the plane, northernmost", round(float(max(found)), 3))


main()
