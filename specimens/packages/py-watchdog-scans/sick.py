"""Names the pages of a book as they come from the scanner, and asks for the next when one is there."""
import pathlib
import queue
import sys
import tempfile

from watchdog.events import FileSystemEventHandler
from watchdog.observers.polling import PollingObserver


class Tray(FileSystemEventHandler):
    def __init__(self):
        self.pages = queue.Queue()

    def on_created(self, event):
        self.pages.put(pathlib.Path(event.src_path).name)


def scan(folder, page):
    pathlib.Path(folder, f"page-{page:03}.pgm").write_bytes(b"P5 64 64 255\n" + bytes([page]) * 4096)


def watch(folder, tray):
    observer = PollingObserver()
    observer.schedule(tray, folder)
    observer.start()
    return observer


def digitise(folder, count):
    tray = Tray()
    observer = watch(folder, tray)
    names = []
    for page in range(count):
        scan(folder, page)
        names.append(tray.pages.get())
    observer.stop()
    observer.join()
    return names


with tempfile.TemporaryDirectory() as folder:
    print(*digitise(folder, int(sys.argv[1])))
