"""`twin.py split|sleep|gil [SECONDS]`: the Python twin of split.c and nap.c; the log is described in truth.h."""

import json
import os
import sys
import threading
import time

entries = {}


def queued():
    with open("/proc/thread-self/schedstat") as file:
        return int(file.read().split()[1]) / 1e9


class Mark:
    def __init__(self):
        # All three at one moment: a thread that lost its CPU between two of them reads them again.
        before, self.queued = None, queued()
        while before != self.queued:
            before = self.queued
            self.wall, self.cpu, self.queued = time.monotonic(), time.thread_time(), queued()

    def phase(self, leaf):
        now = Mark()
        wall, cpu, wait = now.wall - self.wall, now.cpu - self.cpu, now.queued - self.queued
        self.__dict__ = now.__dict__
        note("leaf", "on-cpu", cpu)
        note("leaf", "runnable", wait)
        if leaf != "on-cpu":
            note("leaf", leaf, wall - cpu - wait)
        return cpu


def note(kind, name, seconds):
    key = (kind, name, threading.get_native_id())
    entries[key] = entries.get(key, 0.0) + seconds


def heavy():
    x = 1
    for _ in range(7000):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return x


def light():
    x = 1
    for _ in range(3000):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return x


def split(seconds):
    """Two functions with 70 and 30 % of the work."""
    mark = Mark()
    for _ in range(int(seconds * 1000)):
        for function in (heavy, light):
            began = time.thread_time()
            function()
            note("function", function.__name__, time.thread_time() - began)
    mark.phase("on-cpu")


def sleep(seconds):
    mark = Mark()
    for _ in range(10):
        time.sleep(seconds / 10)
        mark.phase("blocked/sleep")


def gil(seconds):
    """The main thread has to share the interpreter with another one that computes."""
    threading.Thread(target=rival, daemon=True).start()
    mark = Mark()
    for _ in range(int(seconds * 500)):
        heavy()
    mark.phase("blocked/lock")


def rival():
    while True:
        light()


def main():
    mode, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    began = time.monotonic()
    {"split": split, "sleep": sleep, "gil": gil}[mode](seconds)
    lines = [{"wall": time.monotonic() - began, "thread": threading.get_native_id()}]
    lines += [{kind: name, "seconds": value, "thread": thread} for (kind, name, thread), value in entries.items()]
    if path := os.environ.get("SLOWPATH_TRUTH"):
        with open(path, "a") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines))
    os._exit(0)


main()
