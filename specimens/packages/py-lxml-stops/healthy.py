"""Finds the longest wait between two stops in the log of a bus line."""
import itertools
import sys

from lxml import etree


def log(count):
    line = etree.Element("line", name="7")
    minute = 0
    for number in range(count):
        stop = etree.SubElement(line, "stop", name=f"Stop {number % 40}")
        stop.text = str(minute)
        minute += 2 + number * 7 % 5
    return etree.tostring(line)


def wait(before, after):
    return int(after.text) - int(before.text)


def longest(line):
    most, place = 0, ""
    for before, after in itertools.pairwise(line):
        minutes = wait(before, after)
        if minutes > most:
            most, place = minutes, after.get("name")
    return most, place


def report(text):
    most, place = longest(etree.fromstring(text))
    return f"{most} minutes before {place}"


print(report(log(int(sys.argv[1]))))
