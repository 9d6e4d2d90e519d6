"""Listens to a receiver on a serial line and sums up what the buoys of a coast report."""
import os
import pty
import sys
import threading
import tty

import serial


def sentence(number):
    body = (f"WIMWV,{number % 360:03d}.{number % 10},R,{5 + number * 7 % 40:02d}.{number * 3 % 10},N,A,"
            f"BUOY{number % 24:02d},{1000 + number * 13 % 90:04d},{number * 31 % 600:03d},OK")
    check = 0
    for letter in body.encode():
        check ^= letter
    return f"${body}*{check:02X}\r\n".encode()


def receiver(line, count):
    for number in range(0, count, 10):
        rest = b"".join(sentence(at) for at in range(number, min(number + 10, count)))
        while rest:
            rest = rest[os.write(line, rest):]


def sentences(port, count):
    rest = bytearray()
    while count:
        rest += port.read(max(1, min(4096, port.in_waiting)))
        *whole, rest = rest.split(b"\n")
        for line in whole:
            yield bytes(line)
        count -= len(whole)


def parse(line):
    body, check = line.strip()[1:].split(b"*")
    total = 0
    for letter in body:
        total ^= letter
    if total != int(check, 16):
        raise ValueError(line)
    fields = body.decode().split(",")
    return fields[6], float(fields[3]), int(fields[7])


def summary(port, count):
    strongest, pressure = {}, {}
    for line in sentences(port, count):
        buoy, wind, hectopascal = parse(line)
        strongest[buoy] = max(wind, strongest.get(buoy, 0.0))
        pressure[buoy] = min(hectopascal, pressure.get(buoy, 9999))
    return strongest, pressure


def main():
    count = int(sys.argv[1])
    near, far = pty.openpty()
    tty.setraw(near)
    tty.setraw(far)
    sender = threading.Thread(target=receiver, args=(near, count))
    with serial.Serial(os.ttyname(far), 115200, timeout=5) as port:
        sender.start()
        strongest, pressure = summary(port, count)
        sender.join()
    os.close(near)
    os.close(far)
    print(len(strongest), "buoys,", round(sum(strongest.values()), 1), "knots,", min(pressure.values()), "hPa")


main()
