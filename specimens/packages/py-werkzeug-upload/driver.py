"""Takes an uploaded disk image out of a form, as a web application does for each request."""
import io
import sys

from werkzeug.formparser import parse_form_data

BOUNDARY = b"----------------------------7f3a91c2"


def upload(megabytes):
    image = b"IMAGE 1\nsectors 512\n" + bytes(megabytes << 20)
    head = b'Content-Disposition: form-data; name="image"; filename="disk.img"\r\n\r\n'
    note = b'Content-Disposition: form-data; name="note"\r\n\r\nfirst disk'
    return b"".join(
        [b"--", BOUNDARY, b"\r\n", note, b"\r\n--", BOUNDARY, b"\r\n", head, image, b"\r\n--", BOUNDARY, b"--\r\n"]
    )


def receive(body):
    environ = {
        "REQUEST_METHOD": "POST",
        "CONTENT_TYPE": "multipart/form-data; boundary=" + BOUNDARY.decode(),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }
    _, form, files = parse_form_data(environ)
    return form["note"], len(files["image"].read())


print(*receive(upload(int(sys.argv[1]))))
