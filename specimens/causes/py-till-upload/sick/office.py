"""A stand-in for the head office, in a process of its own."""

import hashlib
import multiprocessing
import socketserver

ROUNDS = 3000
PASSWORDS = {"till-7": "swordfish"}


class Counter(socketserver.StreamRequestHandler):
    def handle(self):
        salt = "%08x" % (hash(self.client_address) & 0xFFFFFFFF)
        self.say(f"hello {salt}")
        words = self.rfile.readline().decode().split()
        if len(words) != 3 or not self.known(words[1], words[2], salt):
            self.say("refused")
            return
        self.say("welcome")
        for line in self.rfile:
            _, number, mark = line.decode().split()
            verdict = "taken" if int(mark, 16) % 11 else "again"
            self.say(f"{verdict} {number} {int(number) * 7919 % 10007}")

    def known(self, name, proof, salt):
        password = PASSWORDS.get(name, "")
        return hashlib.pbkdf2_hmac("sha256", password.encode(), salt.encode(), ROUNDS).hex() == proof

    def say(self, text):
        self.wfile.write(text.encode() + b"\n")


class HeadOffice:
    def __init__(self):
        self.server = socketserver.TCPServer(("127.0.0.1", 0), Counter)
        self.port = self.server.server_address[1]
        self.process = multiprocessing.get_context("fork").Process(target=self.server.serve_forever, daemon=True)

    def open(self):
        self.process.start()

    def shut(self):
        self.process.terminate()
        self.process.join()
