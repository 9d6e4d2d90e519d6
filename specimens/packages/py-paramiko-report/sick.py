"""Puts a table of readings on the office's file server; a small one in a child stands for it."""
import multiprocessing
import os
import socket
import sys
import tempfile

import paramiko

KEY = paramiko.ECDSAKey.generate()


class Door(paramiko.ServerInterface):
    def check_auth_password(self, username, password):
        return paramiko.AUTH_SUCCESSFUL

    def check_channel_request(self, kind, chanid):
        return paramiko.OPEN_SUCCEEDED


class Shelf(paramiko.SFTPServerInterface):
    def open(self, path, flags, attr):
        handle = paramiko.SFTPHandle(flags)
        handle.writefile = open(path, "wb")
        return handle


def serve(listener):
    transport = paramiko.Transport(listener.accept()[0])
    transport.add_server_key(KEY)
    transport.set_subsystem_handler("sftp", paramiko.SFTPServer, Shelf)
    transport.start_server(server=Door())
    transport.join()


def report(sftp, path, readings):
    with sftp.open(path, "w") as table:
        table.write("sensor,second,value\n")
        for second in range(readings):
            table.write(f"s{second % 12},{second},{second * 7 % 400 / 4}\n")


listener = socket.create_server(("127.0.0.1", 0))
server = multiprocessing.Process(target=serve, args=(listener,), daemon=True)
server.start()
with tempfile.TemporaryDirectory() as folder, paramiko.SSHClient() as client:
    path = os.path.join(folder, "readings.csv")
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    client.connect("127.0.0.1", listener.getsockname()[1], "office", "secret", allow_agent=False, look_for_keys=False)
    report(client.open_sftp(), path, int(sys.argv[1]))
    print(os.path.getsize(path))
