"""Adds up a column of a big sheet, opened read-only to save memory."""
import io
import sys

from openpyxl import Workbook, load_workbook


def book(rows):
    workbook = Workbook()
    sheet = workbook.active
    sheet.title = "stock"
    for row in range(rows):
        sheet.append([f"part {row}", row % 50, row * 0.25])
    store = io.BytesIO()
    workbook.save(store)
    return store


def value(store):
    sheet = load_workbook(store, read_only=True)["stock"]
    worth = 0.0
    for row in range(1, sheet.max_row + 1):
        worth += sheet.cell(row=row, column=2).value * sheet.cell(row=row, column=3).value
    return worth


print(round(value(book(int(sys.argv[1])))))
