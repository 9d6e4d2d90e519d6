"""Writes the price list of a shop as a Word table and reads it back."""
import io
import sys

from docx import Document


def write(rows):
    document = Document()
    table = document.add_table(rows=rows, cols=4)
    for row, cells in enumerate(row.cells for row in table.rows):
        for column, cell in enumerate(cells):
            cell.text = f"{row * 7 + column}"
    store = io.BytesIO()
    document.save(store)
    return store


def total(store):
    table = Document(store).tables[0]
    cells, width = table._cells, len(table.columns)
    total = 0
    for row in range(len(table.rows)):
        for column in range(width):
            total += int(cells[row * width + column].text)
    return total


print(total(write(int(sys.argv[1]))))
