"""Walks through the steps of a shop's checkout in a remote browser; a thread speaks the browser's protocol."""
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    opened = 0.0

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        step = self.path.rsplit("/", 1)[-1]
        if step == "session":
            self.answer(200, {"sessionId": "one", "capabilities": {"browserName": "chrome"}})
        elif step == "url":
            Browser.opened = time.monotonic()
            self.answer(200, None)
        elif time.monotonic() - Browser.opened < 0.06:
            self.answer(404, {"error": "no such element", "message": "", "stacktrace": ""})
        else:
            self.answer(200, {ELEMENT: "confirm"})

    def answer(self, status, value):
        body = json.dumps({"value": value}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def step(browser, number):
    browser.get(f"http://shop.test/checkout/{number}")
    wait = WebDriverWait(browser, 10, poll_frequency=0.02)
    return wait.until(expected_conditions.presence_of_element_located((By.ID, "confirm"))).id


def checkout(browser, steps):
    return [step(browser, number) for number in range(steps)]


server = ThreadingHTTPServer(("127.0.0.1", 0), Browser)
threading.Thread(target=server.serve_forever, daemon=True).start()
browser = webdriver.Remote(f"http://127.0.0.1:{server.server_port}", options=webdriver.ChromeOptions())
print(checkout(browser, int(sys.argv[1])))
