"""Publishes a site's static files: takes the front-end build as a zip, names each file by its content, rewrites the
references in the style sheets and writes the zip that goes to the content network."""
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

REFERENCE = re.compile(rb"url\(([a-z0-9/.-]+)\)")
KINDS = (("img", "svg"), ("font", "woff"), ("js", "js"), ("img", "png"))


def lay_out(path, count):
    """The build as it is delivered: small files in a few folders, and style sheets that name them."""
    names = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as build:
        for i in range(count):
            area, ending = KINDS[i % len(KINDS)]
            name = f"{area}/part-{i:04d}.{ending}"
            build.writestr(name, (f"{name} " * (40 + i % 300)).encode())
            names.append(name)
        for sheet in range(count // 10):
            used = [names[(sheet * 31 + i * 7) % count] for i in range(200)]
            rules = [f".c{sheet}-{i} {{ background: url({name}) }}" for i, name in enumerate(used)]
            build.writestr(f"css/sheet-{sheet:03d}.css", "\n".join(rules))


def fingerprint(content):
    return hashlib.sha256(content).hexdigest()


def published_name(name, digest):
    stem, ending = os.path.splitext(name)
    return f"{stem}.{digest[:10]}{ending}"


class Site:
    def __init__(self, build, public):
        self.build = build
        self.public = public
        self.manifest = {}
        self.bytes = 0

    def place(self, name):
        content = self.build.read(name)
        public = published_name(name, fingerprint(content))
        self.keep(name, public, content)

    def keep(self, name, public, content):
        self.public.writestr(zipfile.ZipInfo(public), content)
        self.manifest[name] = public
        self.bytes += len(content)

    def rewrite(self, text):
        text = REFERENCE.sub(self._reference, text)
        return text, hashlib.sha256(text).hexdigest()

    def _reference(self, found):
        return b"url(/" + self.manifest[found.group(1).decode()].encode() + b")"

    def publish(self):
        names = self.build.namelist()
        for name in names:
            if not name.startswith("css/"):
                self.place(name)
        sheets = sorted(name for name in names if name.startswith("css/"))
        with ThreadPoolExecutor(max_workers=2) as pool:
            done = pool.map(self.rewrite, [self.build.read(name) for name in sheets])
            for name, (text, digest) in zip(sheets, done):
                self.keep(name, published_name(name, digest), text)

    def finish(self):
        text = json.dumps(self.manifest, sort_keys=True, indent=1)
        self.public.writestr(zipfile.ZipInfo("manifest.json"), text)
        return hashlib.sha1(text.encode()).hexdigest()[:12]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    folder = tempfile.mkdtemp(prefix="site-")
    try:
        delivered, outgoing = os.path.join(folder, "build.zip"), os.path.join(folder, "public.zip")
        lay_out(delivered, count)
        with zipfile.ZipFile(delivered) as build, zipfile.ZipFile(outgoing, "w", zipfile.ZIP_STORED) as public:
            site = Site(build, public)
            site.publish()
            manifest = site.finish()
        print(f"published {len(site.manifest)} files, {site.bytes} bytes, manifest {manifest}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
