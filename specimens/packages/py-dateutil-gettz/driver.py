"""Turns the log lines of many stations into local time."""
import sys
from datetime import datetime, timedelta

from dateutil import tz

ZONES = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney"]


def lines(count):
    start = datetime(2017, 3, 1)
    for number in range(count):
        yield ZONES[number % len(ZONES)], start + timedelta(minutes=7 * number)


def local(zone, moment):
    return moment.replace(tzinfo=tz.tzutc()).astimezone(tz.gettz(zone))


print(sum(local(zone, moment).hour for zone, moment in lines(int(sys.argv[1]))))
