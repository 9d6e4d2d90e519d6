"""The till's side of the wire: sign in, then one line for each receipt."""

import hashlib
import socket

from office import ROUNDS


class Uplink:
    def __init__(self, port, name, password):
        self.port = port
        self.name = name
        self.password = password
        self.link = None

    def open_link(self):
        link = socket.create_connection(("127.0.0.1", self.port)).makefile("rw", newline="\n")
        salt = link.readline().split()[1]
        proof = hashlib.pbkdf2_hmac("sha256", self.password.encode(), salt.encode(), ROUNDS).hex()
        link.write(f"login {self.name} {proof}\n")
        link.flush()
        if link.readline().strip() != "welcome":
            raise PermissionError(self.name)
        return link

    def send(self, number, mark):
        if self.link is None:
            self.link = self.open_link()
        return self.ask(self.link, number, mark)

    def ask(self, link, number, mark):
        link.write(f"receipt {number} {mark:08x}\n")
        link.flush()
        return link.readline().split()

    def close(self):
        if self.link is not None:
            self.link.close()
