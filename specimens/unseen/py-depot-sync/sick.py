"""Collects the stock level of every depot and prints what must be shipped where."""

import asyncio
import json
import multiprocessing
import sys
from dataclasses import dataclass, field


async def handle(reader, writer):
    """One depot gateway: a line with a depot number in, a line of JSON out."""
    try:
        while line := await reader.readline():
            depot = int(line)
            await asyncio.sleep(0.018 + (depot % 5) * 0.001)
            bins = [(depot * 7919 + k * 104729) % 400 for k in range(12)]
            writer.write(json.dumps({"depot": depot, "bins": bins}).encode() + b"\n")
            await writer.drain()
    finally:
        writer.close()


def gateway(pipe):
    async def serve():
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        async with server:
            await server.serve_forever()

    asyncio.run(serve())


@dataclass
class Level:
    depot: int
    bins: list = field(default_factory=list)

    @property
    def total(self):
        return sum(self.bins)

    def shortfall(self, target):
        return sum(target - count for count in self.bins if count < target)


class DepotClient:
    """Keeps a few open links to the gateway."""

    def __init__(self, port, links=16):
        self.port = port
        self.free = asyncio.Queue()
        self.links = links

    async def open(self):
        for _ in range(self.links):
            self.free.put_nowait(await asyncio.open_connection("127.0.0.1", self.port))

    async def level(self, depot):
        link = await self.free.get()
        try:
            reader, writer = link
            writer.write(b"%d\n" % depot)
            await writer.drain()
            answer = json.loads(await reader.readline())
        finally:
            self.free.put_nowait(link)
        return Level(answer["depot"], answer["bins"])

    async def close(self):
        while not self.free.empty():
            _, writer = self.free.get_nowait()
            writer.close()


async def refresh(client, depots):
    levels = []
    for depot in depots:
        levels.append(await client.level(depot))
    return levels


def forecast(levels, days=60):
    """A smoothed demand for each depot, from a made-up season."""
    demand = {}
    for level in levels:
        smooth = float(level.total)
        for day in range(days):
            smooth += 0.2 * ((level.depot * 31 + day * 17) % 90 - smooth * 0.01)
        demand[level.depot] = round(smooth)
    return demand


def plan(levels, demand, target=120):
    moves = []
    for level in sorted(levels, key=lambda it: -it.shortfall(target)):
        need = level.shortfall(target) + demand[level.depot] // 50
        if need:
            moves.append((level.depot, need))
    return moves


async def run(port, count):
    client = DepotClient(port)
    await client.open()
    levels = await refresh(client, range(count))
    moves = plan(levels, forecast(levels))
    await client.close()
    return levels, moves


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=gateway, args=(theirs,), daemon=True)
    child.start()
    try:
        levels, moves = asyncio.run(run(ours.recv(), count))
    finally:
        child.terminate()
        child.join()
    print("depots", len(levels), "moves", len(moves), "units", sum(need for _, need in moves))


if __name__ == "__main__":
    main()
