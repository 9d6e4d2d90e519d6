"""A darkroom: the photographer lays down a plate, it is developed, and the next one is laid down when the print is there."""
import sys
import tempfile
import threading
from pathlib import Path

from watchfiles import Change, watch


class Photographer(threading.Thread):
    def __init__(self, tray, plates):
        super().__init__(daemon=True)
        self.tray = tray
        self.plates = plates
        self.printed = threading.Event()
        self.done = threading.Event()

    def run(self):
        for plate in range(self.plates):
            self.printed.clear()
            wet = self.tray / f"plate-{plate:03}.wet"
            wet.write_bytes(bytes((plate * 7 + at) % 256 for at in range(4000)))
            wet.rename(wet.with_suffix(".neg"))
            self.printed.wait()
        self.done.set()


def develop(negative):
    return bytes(255 - grain for grain in negative.read_bytes())


def darkroom(tray, photographer):
    light = prints = 0
    for changes in watch(tray, stop_event=photographer.done):
        for change, path in sorted(changes):
            if change == Change.added and path.endswith(".neg"):
                light += sum(develop(Path(path)))
                prints += 1
                photographer.printed.set()
    return prints, light


def main(plates):
    with tempfile.TemporaryDirectory() as folder:
        photographer = Photographer(Path(folder), plates)
        threading.Timer(0.1, photographer.start).start()  # comes in when the lamp is on
        prints, light = darkroom(Path(folder), photographer)
    print(f"{prints} prints, light {light}")


main(int(sys.argv[1]))
