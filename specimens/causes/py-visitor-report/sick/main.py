"""Summarises a web server's access log: pages, visitors, traffic and slow requests."""

import random
import re
import sys
from collections import Counter, defaultdict

from audience import Audience

LINE = re.compile(
    r'(?P<host>\S+) - (?P<user>\S+) \[(?P<when>[^\]]+)\] '
    r'"(?P<verb>[A-Z]+) (?P<path>\S+) HTTP/1\.[01]" '
    r"(?P<status>\d{3}) (?P<size>\d+) (?P<millis>\d+)"
)
PAGES = ["/", "/search", "/cart", "/item/%d", "/help", "/login", "/feed.xml"]


def written_lines(count):
    """Yields the log a small shop would write on a busy day."""
    draw = random.Random(1807)
    for number in range(count):
        page = draw.choice(PAGES)
        if "%" in page:
            page = page % draw.randrange(400)
        host = "10.%d.%d.%d" % (draw.randrange(4), draw.randrange(256), draw.randrange(64))
        user = "u%05d" % draw.randrange(40000) if draw.random() < 0.7 else "-"
        status = draw.choice((200, 200, 200, 200, 304, 404, 500))
        clock = "12/Mar/2024:%02d:%02d:%02d" % (number * 24 // count, number % 60, number % 59)
        yield '%s - %s [%s] "GET %s HTTP/1.1" %d %d %d' % (
            host, user, clock, page, status, draw.randrange(200, 90000), int(draw.expovariate(0.02)))


def records(lines):
    for line in lines:
        match = LINE.match(line)
        if match is None:
            continue
        record = match.groupdict()
        record["status"] = int(record["status"])
        record["size"] = int(record["size"])
        record["millis"] = int(record["millis"])
        record["hour"] = record["when"].split(":", 1)[1][:2]
        yield record


def family(path):
    """The page without its number, so that all items count as one."""
    return re.sub(r"\d+", "N", path)


class Summary:
    def __init__(self):
        self.hits = Counter()
        self.traffic = Counter()
        self.failures = Counter()
        self.waits = defaultdict(list)
        self.audience = Audience()

    def add(self, record):
        page = family(record["path"])
        self.hits[page] += 1
        self.traffic[record["hour"]] += record["size"]
        if record["status"] >= 400:
            self.failures[page] += 1
        self.waits[page].append(record["millis"])
        self.audience.note(record["host"], record["user"])

    def slowest(self, count):
        ranked = []
        for page, waits in self.waits.items():
            waits.sort()
            ranked.append((waits[len(waits) * 95 // 100], page))
        return sorted(ranked, reverse=True)[:count]


def show(summary):
    for page, hits in sorted(summary.hits.items()):
        print(f"{page:10} {hits:7} {summary.failures[page]:6}")
    for wait, page in summary.slowest(3):
        print(f"p95 {page:10} {wait} ms")
    print("traffic", sum(summary.traffic.values()), "over", len(summary.traffic), "hours")
    print("visitors", summary.audience.size(), "first", summary.audience.first(), "returning", summary.audience.returning)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 24000
    summary = Summary()
    for record in records(written_lines(count)):
        summary.add(record)
    show(summary)


if __name__ == "__main__":
    main()
