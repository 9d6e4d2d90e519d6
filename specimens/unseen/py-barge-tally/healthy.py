"""Tallies the cargo of barges: two clerks go through the manifests of their own ports and share one board."""

import hashlib
import multiprocessing as mp
import sys

GOODS = ["coal", "grain", "timber", "bricks", "salt", "wine", "slate", "wool", "sand"]
PORTS = ["Ashby", "Birdham", "Calne", "Dunkirk", "Ely", "Foxton"]


def manifest(port, barge):
    """The sacks of one barge: good and weight, forty of them."""
    seed = PORTS.index(port) * 7919 + barge * 104729 + 12345
    for _ in range(40):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield GOODS[(seed >> 8) % len(GOODS)], 20 + (seed >> 12) % 60


def duty(good, weight):
    """Excise by the table of 1887, in pence."""
    rate = 3 + GOODS.index(good) * 2
    whole, rest = divmod(weight * rate, 12)
    return whole + (1 if rest > 5 else 0)


def stamp(port, barge):
    text = f"{port}:{barge}".encode()
    for _ in range(12):
        text = hashlib.sha1(text).digest()
    return text[0]


class Clerk:
    def __init__(self, ports, board):
        self.ports = ports
        self.board = board
        self.own = {}
        self.stamps = 0

    def tally(self, barges):
        for port in self.ports:
            for barge in range(barges):
                self.unload(port, barge)
            self.own[port, "stamps"] = self.stamps
        self.board.update(self.own)

    def unload(self, port, barge):
        self.stamps += stamp(port, barge)
        for good, weight in manifest(port, barge):
            key = (port, good)
            self.own[key] = self.own.get(key, 0) + duty(good, weight)


def work(ports, board, barges):
    Clerk(ports, board).tally(barges)


def report(board):
    lines = [f"{port} {what} {value}" for (port, what), value in sorted(board.items())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16], len(lines)


def main():
    barges = int(sys.argv[1])
    with mp.Manager() as manager:
        board = manager.dict()
        clerks = [mp.Process(target=work, args=(PORTS[side::2], board, barges)) for side in range(2)]
        for clerk in clerks:
            clerk.start()
        for clerk in clerks:
            clerk.join()
        final = dict(board)
    seal, lines = report(final)
    total = sum(value for (_, what), value in final.items() if what != "stamps")
    print("lines", lines, "pence", total, "seal", seal)


if __name__ == "__main__":
    main()
