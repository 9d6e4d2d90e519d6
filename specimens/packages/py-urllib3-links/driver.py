"""Counts the hosts that the entries of a guest book link to."""
import collections
import sys

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

FRIENDS = ["ann", "bo", "cleo", "dan", "eve"]


def entries(count):
    for number in range(count):
        yield f"https://www.site{number % 300}.example.org:8080/home/{number}?from=guests"
        if number % 1000 == 999:
            everyone = [FRIENDS[place % 5] + "@" for place in range(1700)]
            yield "https://" + "".join(everyone) + "home:page/"


def host(link):
    try:
        return parse_url(link).host
    except LocationParseError:
        return None


def popular(count):
    hosts = collections.Counter(host(link) for link in entries(count))
    return hosts.pop(None), hosts.most_common(1)[0]


print(*popular(int(sys.argv[1])))
