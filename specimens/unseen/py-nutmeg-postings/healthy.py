"""Hands the day's parking notices to the post's gateway, which takes so many sheets in a window of time and says when to come again."""

import hashlib
import json
import socket
import struct
import sys
import threading
import time

STREETS = ["Birch Row", "Canal Side", "Dove Lane", "East Gate", "Fuller Street", "Glebe Road"]
OFFENCES = {1: ("no ticket", 20), 2: ("ticket ended", 15), 3: ("on the pavement", 35), 4: ("residents only", 25)}
SIZE = struct.Struct("!I")


def send(line, message):
    raw = json.dumps(message).encode()
    line.sendall(SIZE.pack(len(raw)) + raw)


def receive(source):
    head = source.read(SIZE.size)
    if len(head) < SIZE.size:
        return None
    return json.loads(source.read(SIZE.unpack(head)[0]))


class Gateway(threading.Thread):
    """The post's side: a contract for so many sheets in each window."""

    WINDOW = 0.1
    SHEETS = 60

    def __init__(self, line):
        super().__init__(name="gateway")
        self.line = line
        self.seal = hashlib.sha256()
        self.taken = 0
        self.opened = None
        self.left = 0

    def admit(self, sheets):
        now = time.monotonic()
        if self.opened is None or now >= self.opened + self.WINDOW:
            self.opened = now
            self.left = self.SHEETS
        room = min(sheets, self.left)
        self.left -= room
        return room, 0.0 if self.left else self.opened + self.WINDOW - now

    def run(self):
        with self.line, self.line.makefile("rb") as source:
            while (message := receive(source)) is not None:
                room, pause = self.admit(len(message["letters"]))
                for letter in message["letters"][:room]:
                    self.seal.update(letter.encode())
                self.taken += room
                send(self.line, {"taken": room, "pause": round(pause, 4)})


class Notices:
    """The wardens' notes of the day."""

    def __init__(self, count):
        self.count = count

    def rows(self):
        state = 23
        for number in range(self.count):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            yield {
                "number": number,
                "plate": f"{chr(65 + state % 26)}{chr(65 + (state >> 5) % 26)} {(state >> 10) % 9000 + 1000}",
                "street": STREETS[(state >> 16) % len(STREETS)],
                "offence": 1 + (state >> 20) % 4,
                "minutes": (state >> 12) % 240,
            }


def fee(notice):
    _, base = OFFENCES[notice["offence"]]
    return base + 5 * min(notice["minutes"] // 60, 3)


def letter(notice):
    label, _ = OFFENCES[notice["offence"]]
    return (
        f"Notice {notice['number']:06d}\nVehicle {notice['plate']}, {notice['street']}\n"
        f"Reason: {label}, {notice['minutes']} min\nPlease pay {fee(notice)} within 14 days.\n"
    )


class Counter:
    """Carries letters to the gateway, as many as it may take at once, and waits as long as it is told."""

    BATCH = 20

    def __init__(self, line):
        self.line = line
        self.source = line.makefile("rb")
        self.turns = 0

    def carry(self, letters):
        done = 0
        while done < len(letters):
            send(self.line, {"letters": letters[done:done + self.BATCH]})
            answer = receive(self.source)
            done += answer["taken"]
            self.turns += 1
            if answer["pause"] and done < len(letters):
                time.sleep(answer["pause"])
        return done

    def close(self):
        self.source.close()
        self.line.close()


def takings(notices):
    sums = {}
    for notice in notices:
        sums[notice["street"]] = sums.get(notice["street"], 0) + fee(notice)
    return max(sums.items(), key=lambda one: (one[1], one[0]))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    ours, theirs = socket.socketpair()
    gateway = Gateway(theirs)
    gateway.start()
    notices = list(Notices(count).rows())
    counter = Counter(ours)
    carried = counter.carry([letter(notice) for notice in notices])
    counter.close()
    gateway.join()
    street, most = takings(notices)
    print("carried", carried, "taken", gateway.taken, "most", street, most, "seal", gateway.seal.hexdigest()[:12])


if __name__ == "__main__":
    main()
