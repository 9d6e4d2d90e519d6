"""A desk that plans the flights of carrier pigeons; the weather of each place is asked at the loft, over a line."""

import asyncio
import collections
import hashlib
import socket
import subprocess
import sys
import time
import threading

LINES = 8
PLACES = 90


def loft(port_out):
    """The other side: answers one question at a time on each line, each after 15 ms of looking at the sky."""
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], file=port_out, flush=True)

    def serve(line):
        with line, line.makefile("rwb") as talk:
            for question in talk:
                time.sleep(0.015)
                value = int(hashlib.md5(question).hexdigest()[:4], 16) % 60
                talk.write(b"%d\n" % value)
                talk.flush()

    for _ in range(LINES):
        line, _ = server.accept()
        threading.Thread(target=serve, args=(line,), daemon=True).start()
    sys.stdin.read()


class Line:
    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    async def ask(self, place):
        self.writer.write(f"{place}\n".encode())
        return int(await self.reader.readline())


class Weather:
    """Knows the wind of each place; no place is asked for twice."""

    def __init__(self, lines):
        self.lines = lines
        self.known = {}
        self.gate = asyncio.Lock()
        self.asked = 0

    async def wind(self, place):
        async with self.gate:
            if place not in self.known:
                line = await self.lines.get()
                try:
                    self.known[place] = await line.ask(place)
                finally:
                    self.lines.put_nowait(line)
                self.asked += 1
        return self.known[place]


def flight_minutes(stage, wind):
    head = (stage * 37 % 90) - 45
    return 60 + stage % 25 - head * wind // 90


async def plan(weather, flight):
    minutes = 0
    for stage in range(3):
        place = (flight * 31 + stage * 17) % PLACES
        minutes += flight_minutes(flight + stage, await weather.wind(place))
    return minutes


async def desk(port, flights):
    lines = asyncio.Queue()
    opened = []
    for _ in range(LINES):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        opened.append(writer)
        lines.put_nowait(Line(reader, writer))
    weather = Weather(lines)
    times = await asyncio.gather(*(plan(weather, flight) for flight in range(flights)))
    for writer in opened:
        writer.close()
    return times, weather.asked


def main():
    if sys.argv[1] == "loft":
        return loft(sys.stdout)
    flights = int(sys.argv[1])
    other = subprocess.Popen([sys.executable, __file__, "loft"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        times, asked = asyncio.run(desk(int(other.stdout.readline()), flights))
    finally:
        other.communicate("")
    counts = collections.Counter(minutes // 30 for minutes in times)
    print("flights", flights, "asked", asked, "minutes", sum(times), "longest", max(times), "halves", sorted(counts.items())[0])


if __name__ == "__main__":
    main()
