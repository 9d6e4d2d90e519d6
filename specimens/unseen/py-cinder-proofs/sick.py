"""Cinder proofs: a print shop hands its pages to a press process through a spool folder and files the proofs."""
import hashlib
import json
import multiprocessing
import os
import sys
import tempfile
import time
import zlib


class Spool:
    """Pages go in as jobs, proofs come out; both are files in one folder."""

    def __init__(self, folder, bell):
        self.folder = folder
        self.bell = bell

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, value):
        with open(self.path(name + ".part"), "w") as out:
            json.dump(value, out)
        os.rename(self.path(name + ".part"), self.path(name))

    def get(self, name):
        with open(self.path(name)) as source:
            value = json.load(source)
        os.remove(self.path(name))
        return value

    def ready(self, name):
        return os.path.exists(self.path(name))


def wait_until(check, limit=10.0, pause=0.025):
    end = time.monotonic() + limit
    while not check():
        if time.monotonic() > end:
            raise TimeoutError("the press does not answer")
        time.sleep(pause)


def dots(text, passes):
    data = text.encode()
    for _ in range(passes):
        data = hashlib.sha256(data).digest() + zlib.compress(data, 6)[:64]
    return data.hex()[:40]


def press(folder, bell):
    spool = Spool(folder, bell)
    while True:
        name = bell.recv()
        if name is None:
            return
        job = spool.get(name + ".job")
        spool.put(name + ".proof", {"page": job["page"], "dots": dots(job["text"], job["passes"])})
        bell.send(name)


class Shop:
    def __init__(self, spool):
        self.spool = spool
        self.filed = hashlib.sha256()
        self.pages = 0

    def compose(self, number):
        words = ("ember", "slate", "cinder", "ash", "coke", "flue")
        return " ".join(words[(number * 7 + k * k) % len(words)] for k in range(120))

    def proof(self, number):
        name = f"page{number:05}"
        self.spool.put(name + ".job", {"page": number, "text": self.compose(number), "passes": 60})
        self.spool.bell.send(name)
        return self.collect(name)

    def collect(self, name):
        wait_until(lambda: self.spool.ready(name + ".proof"))
        self.spool.bell.recv()
        return self.spool.get(name + ".proof")

    def file(self, proof):
        self.filed.update(f"{proof['page']}:{proof['dots']};".encode())
        self.pages += 1


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        near, far = multiprocessing.Pipe()
        worker = multiprocessing.Process(target=press, args=(folder, far))
        worker.start()
        shop = Shop(Spool(folder, near))
        for number in range(count):
            shop.file(shop.proof(number))
        near.send(None)
        worker.join()
    print(f"pages {shop.pages} filed {shop.filed.hexdigest()[:24]}")


if __name__ == "__main__":
    main()
