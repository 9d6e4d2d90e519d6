"""Decides which requests may pass, by rule files that can be edited while it runs."""

import ipaddress
import os
import random
import sys
import tempfile
from collections import Counter

BATCH = 500


def write_rules(folder):
    """Three files, as three people look after them."""
    texts = {
        "networks.conf": "allow 10.0.0.0/9\ndeny 10.64.0.0/12\nallow 192.168.0.0/16\n",
        "paths.conf": "deny /admin\ndeny /internal\nallow /\n",
        "agents.conf": "deny crawler\nallow browser\nallow client\n",
    }
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    return [os.path.join(folder, name) for name in sorted(texts)]


def parsed(path):
    rules = []
    with open(path, encoding="ascii") as file:
        for line in file:
            verb, what = line.split()
            if path.endswith("networks.conf"):
                what = ipaddress.ip_network(what)
            rules.append((verb == "allow", what))
    return rules


class Rules:
    def __init__(self, paths):
        self.paths = paths
        self.stamps = {}
        self.rules = {}

    def changed(self, path):
        if not os.path.exists(path):
            return False
        entry = os.stat(path)
        stamp = (entry.st_mtime_ns, os.path.getsize(path), os.access(path, os.R_OK))
        if self.stamps.get(path) == stamp:
            return False
        self.stamps[path] = stamp
        return True

    def current(self):
        for path in self.paths:
            if self.changed(path):
                self.rules[os.path.basename(path)] = parsed(path)
        return self.rules


def requests(count):
    draw = random.Random(443)
    for _ in range(count):
        yield (
            draw.choice((10 << 24, 10 << 24, 192 << 24 | 168 << 16)) | draw.randrange(1 << 23),
            draw.choice(("/", "/shop", "/admin/users", "/internal", "/feed")),
            draw.choice(("browser", "client", "crawler", "browser")),
        )


def passes(rules, request):
    number, path, agent = request
    address = ipaddress.IPv4Address(number)
    for allowed, network in rules["networks.conf"]:
        if address in network and not allowed:
            return "network"
    for allowed, prefix in rules["paths.conf"]:
        if path.startswith(prefix):
            if not allowed:
                return "path"
            break
    for allowed, name in rules["agents.conf"]:
        if name == agent:
            return "passed" if allowed else "agent"
    return "unknown"


def verdict(rules, batch, counts):
    current = rules.current()
    for request in batch:
        counts[passes(current, request)] += 1


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60000
    counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        rules = Rules(write_rules(folder))
        batch = []
        for request in requests(count):
            batch.append(request)
            if len(batch) == BATCH:
                verdict(rules, batch, counts)
                batch = []
        verdict(rules, batch, counts)
    print("requests", count, sorted(counts.items()))


if __name__ == "__main__":
    main()
