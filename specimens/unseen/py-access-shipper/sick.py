"""Reads access lines of the edge nodes, sorts them by upstream and ships them in blocks."""
import collections
import hashlib
import json
import random
import re
import sys
import zlib

LINE = re.compile(
    r'^(?P<ts>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z (?P<client>[\d.]+) '
    r'"(?P<verb>[A-Z]+) (?P<path>[^" ]+)" (?P<status>\d{3}) (?P<bytes>\d+) (?P<upstream>\S+)$')
ADDRESS = re.compile(r"^((?:[\w-]+\.?)+):(\d+)$")
DIGITS = re.compile(r"\d+")

VERBS = ["GET", "GET", "GET", "POST", "PUT", "DELETE"]
PATHS = ["/v2/carts/%d/items", "/v2/users/%d", "/assets/app-%d.js", "/v1/search/page/%d"]
POOLS = ["checkout", "catalog", "identity", "search", "media"]
LOCAL = ["render_worker_01", "session-store-7", "thumbnail_svc_2", "edge-static-003"]


def access_lines(count, seed):
    rng = random.Random(seed)
    for number in range(count):
        if number % 53 == 17:
            upstream = LOCAL[rng.randrange(len(LOCAL))]
        elif number % 211 == 5:
            upstream = "-"
        else:
            pool = POOLS[rng.randrange(len(POOLS))]
            upstream = "%s-%d.eu-west.internal:%d" % (pool, rng.randrange(6), 8000 + rng.randrange(4))
        yield '2024-03-%02dT%02d:%02d:%02dZ 10.%d.%d.%d "%s %s" %d %d %s' % (
            1 + number % 28, rng.randrange(24), rng.randrange(60), rng.randrange(60),
            rng.randrange(4), rng.randrange(256), rng.randrange(256),
            VERBS[rng.randrange(len(VERBS))], PATHS[rng.randrange(len(PATHS))] % rng.randrange(5000),
            (200, 200, 200, 304, 404, 502)[rng.randrange(6)], rng.randrange(90000), upstream)


def split_upstream(text):
    found = ADDRESS.match(text)
    if found is None:
        return text, None
    return found.group(1), int(found.group(2))


def route_of(path):
    return DIGITS.sub(":id", path)


def parse(line):
    found = LINE.match(line)
    if found is None:
        return None
    host, port = split_upstream(found.group("upstream"))
    return {
        "ts": found.group("ts"),
        "client": found.group("client"),
        "verb": found.group("verb"),
        "route": route_of(found.group("path")),
        "status": int(found.group("status")),
        "bytes": int(found.group("bytes")),
        "host": host,
        "port": port,
    }


class Shipper:
    def __init__(self, block_size):
        self.block_size = block_size
        self.block = []
        self.shipped = 0
        self.blocks = 0
        self.digest = hashlib.sha256()

    def add(self, record):
        self.block.append(json.dumps(record, sort_keys=True))
        if len(self.block) >= self.block_size:
            self.flush()

    def flush(self):
        if not self.block:
            return
        body = "\n".join(self.block).encode("utf-8")
        packed = zlib.compress(body, 3)
        self.digest.update(body)
        self.shipped += len(packed) > 0 and len(self.block)
        self.blocks += 1
        self.block.clear()


def ship(lines, shipper):
    by_host = collections.Counter()
    rejected = 0
    for line in lines:
        record = parse(line)
        if record is None:
            rejected += 1
            continue
        by_host[record["host"]] += record["bytes"]
        shipper.add(record)
    shipper.flush()
    return by_host, rejected


def main():
    count = int(sys.argv[1])
    shipper = Shipper(500)
    by_host, rejected = ship(access_lines(count, 20240311), shipper)
    host, size = by_host.most_common(1)[0]
    print("lines=%d blocks=%d rejected=%d top=%s/%d sha=%s" % (
        shipper.shipped, shipper.blocks, rejected, host, size, shipper.digest.hexdigest()[:12]))


if __name__ == "__main__":
    main()
