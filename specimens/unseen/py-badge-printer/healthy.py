"""Sends the badges of a conference to the print service."""

import http.client
import json
import multiprocessing
import os
import ssl
import sys
import tempfile
import textwrap
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

IDENTITY = """-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCoU38dCoVU1gzr
bSQgN/2mYar4W74KSxPVGUdRlxGOc7htJzBvKg6CIqLAI8ER5uc7USq8KY0tfn3H
Gv5Ah0osgb8FZLxB8CdSb+jlI/4nIKyECE7He7z2/kXZf+zUEdcEooBejmuLPVg4
vs9laHVN2n/DRVJziMTgHU4K+hyYoQ/+1RuBfDsUBg/JfZjCNZl64YQxUBCKaSeL
PND39o8SyZiJ2x0SsqAIR/3cyF+8OMflK0DJZNW7pAmXsd3lYD9pUBjw2nYSFElE
18jfR2KhPXnJwbmYPaotSsQL2l1Mas7UjP4oTlnbIy6QDAFniCuEloFkc/xeojpz
UMiIYT13AgMBAAECggEAQDLkSsu98Y7YC5yrSByCwggDIMlA0IU08bQ79rri581r
/DmTp/pG4UxbfWPFmdHSxFVfMre4UC8rwpohebP/zrzHgcObZ5y0KqVjEq3pG7xC
//J5NW0Us7FkK6G2TmXld6+QvT+dddQ2RyJDUJ6ICuL4kp3oZgc2a3HR167v5Cf/
JUuXz4BMV6eXH3ILbNhZmOIs9qwxNQ3Pq3aRnbogU+vEyipuX6Iqmuma6C8Oi9Na
sA61jBormnD+WEw7RqnUOzoI9nGWzEDsHVnB3AUeNIAOCbEVRCKkwWPucQ6Jx8+T
Qmv2/wocCvtdgyMZ2yUnQk2t4CM6XX5+2F67qGvYoQKBgQDcRa6dJLjLLf451GjM
Rm/wxrzDwno/sw8podTcgeTAT313mQL4WOe/iVgo+jPf5INtbU6gfkTf0lGH50uE
tVdXqSETKcAXW9elhVU8dTZKhCXKUzF7gj+d5SSjlB7Jrqka1/FlRltUaD1HPsjO
lgk2pZ2IX7n4idHcDf+iCBGtlwKBgQDDoN6gIPXO3yTGwMJSkNJHDOl1RlUOeq7i
Wm6/5FStFQQcaiGOfMv5uc9XV7ylImXoQyc6BoSDTdWyUcjs5YY4biYe1voypy8p
qEsCi8h8yi1Q12IrhoPrlEuNX91Dgt5AYcjgkgK4n7JjHZ3pHELjm9pvUZnQiGK3
URvpusqrIQKBgBxkAtiQRh0yBWVwwj0qCv2Or//PTjBtpNOp3yS4vUIoPLSwjRhz
ZRNj4XAOp6cA7gupngvDmp76nbWVkz88nFBZJUEyDWc1WDsmT1EmjmPWWoSUanlP
1WFFio5m5fz6vSMPmDaEdfsQIG3RYtJ1tiRL/lz4caDeKqVhTISW46hrAoGBAKTr
8AMrBk9ay5RLWQdmU//WINLfckF8qAbnmkpn4gLwnsCdsKCBESz8upG1w7GrqCIA
ywceC4Tuj2N/k1Yzwc28/qItNkyRqS8DVAlXcrPRdhabHYX4JyrpoDAVS2Ho6Bl6
1nCMZ4LiDu+EPmYRj0p3T9VdA8FL2X0WAeQvt0BBAoGANgo1gNuxSPR9WCyzsxDm
/+fSnXZTZDvYxmZ0mC9VY5zrtl4Sze2uiVCCty/qdPE7/svtMJqZi8RzLCM2Pn67
i+05o2hkPey6eyQi7syf89pu0sapRSjpX5LEd+86MsbbHvGQq3kBo6KjwGRhrkUb
eeZtsP3McpU0SSyFU+/INsI=
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIDHzCCAgegAwIBAgIUJrpoWCH9ZX+EFQIlvOJhMRqolFowDQYJKoZIhvcNAQEL
BQAwFDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTExNTE3NTYxN1oXDTM2MTEx
MjE3NTYxN1owFDESMBAGA1UEAwwJbG9jYWxob3N0MIIBIjANBgkqhkiG9w0BAQEF
AAOCAQ8AMIIBCgKCAQEAqFN/HQqFVNYM620kIDf9pmGq+Fu+CksT1RlHUZcRjnO4
bScwbyoOgiKiwCPBEebnO1EqvCmNLX59xxr+QIdKLIG/BWS8QfAnUm/o5SP+JyCs
hAhOx3u89v5F2X/s1BHXBKKAXo5riz1YOL7PZWh1Tdp/w0VSc4jE4B1OCvocmKEP
/tUbgXw7FAYPyX2YwjWZeuGEMVAQimknizzQ9/aPEsmYidsdErKgCEf93MhfvDjH
5StAyWTVu6QJl7Hd5WA/aVAY8Np2EhRJRNfI30dioT15ycG5mD2qLUrEC9pdTGrO
1Iz+KE5Z2yMukAwBZ4grhJaBZHP8XqI6c1DIiGE9dwIDAQABo2kwZzAdBgNVHQ4E
FgQUapLjlsjpiv8eZojJT8WYyMITS9IwHwYDVR0jBBgwFoAUapLjlsjpiv8eZojJ
T8WYyMITS9IwDwYDVR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3Qw
DQYJKoZIhvcNAQELBQADggEBAFKaqf366komCFUOl4OrxX0PH+ioR7A/1SEdAfFD
MHWgSEFhFq0elchcTEJXfqw+5leqoBi6pyEc9svzQ0BheDpZFe2G8LyDtoEhFCwP
2NlfCRCoFN/LmVEv/zSVpWIXlEvKmiPJQp8nIgZKgf1SjmVrZTMedv5dgQN0jnr3
rJU5pOIm6wWLYTFl11C84in78RdjUWIoi9UbGGSevQf5kH7M1GgmbXtPD+jerx4k
LdHcl65IevWpBuPNr+LqR8G2tGEQA1asX/NcQqCfwFn0Vhx8FAyjm4n8htnCfs7u
asAPBOVjKAUud7mkZGGStNmdk5H80O0Pk3IE2aNHjl64bT4=
-----END CERTIFICATE-----
"""


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self):
        badge = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"code": zlib.crc32(badge["text"].encode()) % 100_000}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def serve(pipe, identity):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    pipe.send(server.server_port)
    server.serve_forever()


class Printer:
    def __init__(self, port):
        self.port = port
        self.context = ssl.create_default_context(cadata=IDENTITY[IDENTITY.index("-----BEGIN CERT"):])
        self.link = http.client.HTTPSConnection("localhost", self.port, context=self.context)

    def post(self, path, document):
        self.link.request("POST", path, json.dumps(document), {"Content-Type": "application/json"})
        answer = json.load(self.link.getresponse())
        return answer["code"]

    def print_badge(self, guest):
        return self.post("/badges", {"text": layout(guest), "copies": 1})


def guests(count):
    titles = ("Dr.", "Prof.", "", "Ms.", "Mr.")
    for number in range(count):
        yield {"name": f"{titles[number % 5]} Guest {number * 7919 % 100_003}".strip(),
               "firm": f"Institute of Applied Matters and Related Studies, section {number % 31}", "day": number % 3}


def layout(guest, width=24):
    lines = textwrap.wrap(guest["firm"], width)
    frame = "+" + "-" * width + "+"
    rows = [frame, f"|{guest['name']:^{width}}|"] + [f"|{line:<{width}}|" for line in lines]
    rows.append(f"|{'day ' + str(guest['day'] + 1):>{width}}|")
    return "\n".join(rows + [frame])


def print_all(printer, people):
    codes = {}
    for guest in people:
        codes[guest["name"]] = printer.print_badge(guest)
    return codes


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        identity = os.path.join(folder, "identity.pem")
        with open(identity, "w") as out:
            out.write(IDENTITY)
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        child = context.Process(target=serve, args=(theirs, identity), daemon=True)
        child.start()
        try:
            codes = print_all(Printer(ours.recv()), guests(count))
        finally:
            child.terminate()
            child.join()
    print("badges", len(codes), "sum", sum(codes.values()))


if __name__ == "__main__":
    main()
