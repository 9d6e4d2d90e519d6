"""Sends short sound clips to an archive over a websocket; a small one in a thread stands for it."""
import base64
import hashlib
import socket
import sys
import threading

import websocket

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def archive(listener, sizes):
    peer, _ = listener.accept()
    with peer, peer.makefile("rb") as stream:
        key = b""
        while (line := stream.readline().strip()):
            if line.lower().startswith(b"sec-websocket-key:"):
                key = line.split(b":")[1].strip()
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
        peer.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        while (head := stream.read(14)) and head[0] & 15 == 2:
            length = int.from_bytes(head[2:10], "big")
            sizes.append(len(stream.read(length)))


def clip(number, size=200_000):
    return bytes([number % 256]) * size


def upload(clips):
    sizes = []
    listener = socket.create_server(("127.0.0.1", 0))
    worker = threading.Thread(target=archive, args=(listener, sizes))
    worker.start()
    line = websocket.create_connection(f"ws://127.0.0.1:{listener.getsockname()[1]}/clips")
    for number in range(clips):
        line.send_binary(clip(number))
    line.shutdown()
    worker.join()
    return sizes


sizes = upload(int(sys.argv[1]))
print(len(sizes), sum(sizes))
