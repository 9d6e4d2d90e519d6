"""Answers where the telescopes of an observatory point, and follows one of them through a night over one connection."""
import http.client
import json
import sys
import threading

from cheroot import wsgi

TELESCOPES = {f"dome-{number}": (number * 37 % 360, 20 + number * 11 % 60) for number in range(12)}


def pointing(environ, start_response):
    name, minute = environ["PATH_INFO"].strip("/").split("/")
    azimuth, height = TELESCOPES[name]
    body = json.dumps({"dome": name, "azimuth": (azimuth + int(minute) // 4) % 360, "height": height}).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]


def follow(port, dome, minutes):
    track = []
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for minute in minutes:
        connection.request("GET", f"/{dome}/{minute}")
        track.append(json.load(connection.getresponse())["azimuth"])
    connection.close()
    return track


def main():
    server = wsgi.Server(("127.0.0.1", 0), pointing, numthreads=4)
    server.prepare()
    threading.Thread(target=server.serve, daemon=True).start()
    track = follow(server.bind_addr[1], "dome-7", range(0, 20 * int(sys.argv[1]), 20))
    server.stop()
    print(f"{len(track)} pointings from {track[0]} to {track[-1]} degrees")


main()
