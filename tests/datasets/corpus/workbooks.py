"""Workbooks: remarks before the data, merged headings, totals below, hidden sheets."""

import io

import openpyxl

from tests.datasets.corpus.messy import MessyTable, drawn, messy, rng_of


def _saved(book: openpyxl.Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _values(name: str, n: int, width: int) -> list[list[float]]:
    return rng_of(name).normal(5, 1, (n, width)).round(2).tolist()


@messy
def remarks_first() -> MessyTable:
    book = openpyxl.Workbook()
    remarks = book.active
    remarks.title = "Read me"
    for line in (["Measurements of 2024"], ["Contact", "somebody"], ["Version", 3], ["Units", "cm"], ["", ""]):
        remarks.append(line)
    data = book.create_sheet("Data")
    n = 60
    data.append(["length", "width", "species"])
    for row, label in zip(_values("remarks", n, 2), drawn(rng_of("r"), n, ["a", "b"]), strict=True):
        data.append([*row, label])
    return MessyTable("book.xlsx", _saved(book), "species", ("length", "width"), n, 2, notes=("'Data' was read",))


@messy
def merged_headings() -> MessyTable:
    book = openpyxl.Workbook()
    sheet, n = book.active, 50
    sheet.append(["Leaf study 2023", None, None, None, None])
    sheet.append(["plant", "leaf", None, "stem", "kind"])
    sheet.append([None, "length", "width", "height", None])
    for cells in ("A1:E1", "B2:C2", "A2:A3", "E2:E3"):
        sheet.merge_cells(cells)
    for k, (row, label) in enumerate(zip(_values("m", n, 3), drawn(rng_of("m"), n, ["oak", "elm"]), strict=True)):
        sheet.append([f"P-{k:03d}", *row, label])
    sheet.append(["Mean", 5.0, 5.0, 5.0, None])
    used = ("leaf length", "leaf width", "stem height")
    return MessyTable("leaves.xlsx", _saved(book), "kind", used, n, 2, notes=("1 row of totals or means",))


@messy
def footer_in_a_workbook() -> MessyTable:
    book = openpyxl.Workbook()
    sheet, n = book.active, 45
    sheet.append(["region", "sales", "costs", "rating"])
    for row, label in zip(_values("f", n, 2), drawn(rng_of("f"), n, ["good", "poor"]), strict=True):
        sheet.append([f"Region {len(str(row))}{row[0]}", *row, label])
    sheet.append(["Total", 225.0, 224.0, None])
    sheet.append([None, None, None, None])
    sheet.append(["Exported by the accounting system, all figures without guarantee"])
    return MessyTable("sales.xlsx", _saved(book), "rating", ("sales", "costs"), n, 2, notes=("below the table",))
