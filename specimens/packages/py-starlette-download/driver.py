"""Sends a film to those who ask for it, as a server would through the ASGI interface."""
import asyncio
import os
import sys
import tempfile

from starlette.applications import Starlette
from starlette.responses import FileResponse
from starlette.routing import Route

SCOPE = {"type": "http", "method": "GET", "path": "/film", "headers": [], "query_string": b"", "root_path": ""}


def application(path):
    async def film(request):
        return FileResponse(path, media_type="video/mp4")

    return Starlette(routes=[Route("/film", film)])


async def download(app, times):
    sizes = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sizes.append(len(message.get("body", b"")))

    for _ in range(times):
        await app(dict(SCOPE), receive, send)
    return sum(sizes)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "film.mp4")
    with open(path, "wb") as file:
        file.write(bytes(8 << 20))
    print(asyncio.run(download(application(path), int(sys.argv[1]))))
