"""Files the reports of the lamplighters of a town in a full-text index, as they come in, and looks one lamp up."""
import shutil
import sys
import tempfile

from whoosh.fields import ID, NUMERIC, TEXT, Schema
from whoosh.index import create_in
from whoosh.qparser import QueryParser

FAULTS = ("mantle torn", "glass cracked by frost", "tap stiff", "post leaning after the storm", "burner blocked with soot")
STREETS = ("tannery lane", "river walk", "market square", "station road", "chapel hill", "mill street", "old wharf")


def reports(count):
    for number in range(count):
        words = f"lamp {number * 7 % 311} in {STREETS[number % 7]}: {FAULTS[number * 3 % 5]}, {number % 13} yards from the corner"
        yield {"number": str(number), "night": number // 40, "text": words}


def file_all(index, count):
    for report in reports(count):
        writer = index.writer()
        writer.add_document(**report)
        writer.commit()


def look_up(index, words):
    with index.searcher() as searcher:
        found = searcher.search(QueryParser("text", index.schema).parse(words), limit=None)
        return sorted(int(hit["number"]) for hit in found)


def main():
    folder = tempfile.mkdtemp(prefix="lanterns-")
    index = create_in(folder, Schema(number=ID(stored=True), night=NUMERIC(stored=True), text=TEXT))
    file_all(index, int(sys.argv[1]))
    found = look_up(index, "frost river")
    print(f"{index.doc_count()} reports, {len(found)} of frost at the river, first {found[0]}")
    shutil.rmtree(folder)


main()
