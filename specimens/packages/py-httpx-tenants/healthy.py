"""Asks the service of each tenant for its state; a small one in a thread stands for them all."""
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx


class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'{"state": "up"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


TRUST = httpx.create_ssl_context()


def state(base, tenant):
    with httpx.Client(base_url=base, headers={"X-Tenant": str(tenant)}, verify=TRUST) as client:
        return client.get("/state").json()["state"]


server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
print([state(base, tenant) for tenant in range(int(sys.argv[1]))].count("up"))
