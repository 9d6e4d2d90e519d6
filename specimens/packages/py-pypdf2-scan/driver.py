"""Takes title and picture out of the file that a scanner sends: a form with the picture attached as text."""
import base64
import io
import sys

from PyPDF2 import PdfReader


def scanned(kilobytes):
    picture = base64.b64encode(bytes(range(256)) * 4 * kilobytes)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> /Scan (" + picture + b") >>",
        b"<< /Title (Form 12) >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size 5 /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(data)
    return data + b"xref\n0 5\n0000000000 65535 f \n" + table + end


def read(data):
    reader = PdfReader(io.BytesIO(data))
    return reader.metadata.title, len(base64.b64decode(reader.pages[0]["/Scan"]))


print(*read(scanned(int(sys.argv[1]))))
