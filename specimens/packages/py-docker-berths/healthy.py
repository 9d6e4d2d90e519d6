"""Draws the board of the berths: which jobs of the yard run, and on which image, as the daemon of the crane host says."""
import json
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import docker

BERTHS = 60


def berth(number):
    state = "running" if number % 5 else "paused"
    return {"Id": f"{number:064x}", "Names": [f"/berth-{number}"], "Image": f"yard/job:{number % 4}", "State": state,
            "Labels": {"quay": f"quay {number % 3}"}}


class Daemon(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536

    def do_GET(self):
        path = self.path.split("?")[0].split("/")
        if path[-2] == "containers":
            answer = [berth(number) for number in range(BERTHS)]
        else:
            short = berth(int(path[-2], 16))
            answer = {"Id": short["Id"], "Name": short["Names"][0], "State": {"Status": short["State"]},
                      "Config": {"Image": short["Image"], "Labels": short["Labels"]}}
        time.sleep(0.001)  # what the daemon takes to ask its runtime
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def board(client):
    return Counter(container.status for container in client.containers.list(all=True, sparse=True))


def watch(client, rounds):
    seen = Counter()
    for _ in range(rounds):
        seen.update(board(client))
    return seen


daemon = ThreadingHTTPServer(("127.0.0.1", 0), Daemon)
threading.Thread(target=daemon.serve_forever, daemon=True).start()
client = docker.DockerClient(base_url=f"tcp://127.0.0.1:{daemon.server_port}", version="1.41")
print(*(f"{state}:{count}" for state, count in sorted(watch(client, int(sys.argv[1])).items())))
client.close()
