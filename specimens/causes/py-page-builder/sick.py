"""Builds a small web site: chapters are rendered by worker threads, then linked in order."""

import html
import queue
import random
import re
import sys
import threading
import time
import zlib

WORDS = "river stone *light* harbour window _paper_ winter garden letter morning https://example.org/a & < field".split()


def manuscript(chapters):
    draw = random.Random(14)
    for number in range(chapters):
        paragraphs = [" ".join(draw.choice(WORDS) for _ in range(90)) for _ in range(34)]
        yield number, "\n\n".join([f"# Chapter {number}"] + paragraphs)


def inline(text):
    text = html.escape(text)
    text = re.sub(r"\*(\w+)\*", r"<b>\1</b>", text)
    text = re.sub(r"_(\w+)_", r"<i>\1</i>", text)
    return re.sub(r"(https?://\S+)", r'<a href="\1">\1</a>', text)


def render(source):
    blocks = []
    for block in source.split("\n\n"):
        if block.startswith("# "):
            blocks.append(f"<h1>{inline(block[2:])}</h1>")
        else:
            blocks.append(f"<p>{inline(block)}</p>")
    return "\n".join(blocks)


class Workshop:
    """Workers that take sources and lay down pages."""

    def __init__(self, workers):
        self.orders = queue.Queue()
        self.pages = {}
        self.changed = threading.Condition()
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(workers)]
        for thread in self.threads:
            thread.start()

    def work(self):
        while True:
            order = self.orders.get()
            if order is None:
                return
            number, source = order
            page = render(source)
            with self.changed:
                self.pages[number] = page
                self.changed.notify_all()

    def order(self, number, source):
        self.orders.put((number, source))

    def result(self, number):
        while True:
            with self.changed:
                if number in self.pages:
                    return self.pages.pop(number)
            time.sleep(0.03)

    def close(self):
        for _ in self.threads:
            self.orders.put(None)
        for thread in self.threads:
            thread.join()


def linked(page, before):
    """Each chapter points back to the checksum of the one before it."""
    link = f'<a rel="prev" href="#{before:08x}">back</a>'
    page = page + "\n" + link
    for _ in range(3):
        page = re.sub(r"\s+\n", "\n", page)
    return page, zlib.crc32(page.encode(), before)


def build(workshop, chapters):
    check, size = 0, 0
    for number, source in manuscript(chapters):
        workshop.order(number, source)
        page, check = linked(workshop.result(number), check)
        size += len(page)
    return check, size


def main():
    chapters = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    workshop = Workshop(3)
    check, size = build(workshop, chapters)
    workshop.close()
    print("chapters", chapters, "bytes", size, "check", f"{check:08x}")


if __name__ == "__main__":
    main()
