"""Excel workbooks (.xlsx) through openpyxl, after their zip directory and their sheets have been looked over."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from datasets.base.counted import counted
from datasets.reading.formats.cell_text import cell_text
from datasets.reading.formats.cells import Cells, Refused
from datasets.reading.formats.sheets import likeness, merged_ranges, spread

_CELL = re.compile(rb'<(?:\w+:)?c [^>]*?r="([A-Z]{1,3})([0-9]{1,7})"')
_UNSOLVED = re.compile(rb"</(?:\w+:)?f>(?:<(?:\w+:)?v ?/>|<(?:\w+:)?v></(?:\w+:)?v>)?</(?:\w+:)?c>")
_CHUNK = 1 << 20
_ALIKE = 0.75
_STRAY_COLUMNS = 2_000
_ENTITY = (b"<!DOCTYPE", b"<!ENTITY", "<!DOCTYPE".encode("utf-16-le"), "<!DOCTYPE".encode("utf-16-be"))


def read_excel(data: bytes, request: dict[str, Any]) -> Cells:
    """The sheet asked for, or the visible one that looks most like a table."""
    n_unsolved = _look_over(data, request)
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    names = [sheet.title for sheet in book.worksheets]
    wanted = request["sheet"]
    if wanted is not None and wanted not in names:
        raise Refused(f"has no sheet {wanted!r}; it has {', '.join(map(repr, names[:10]))}")
    looks = {sheet.title: likeness(sheet) for sheet in book.worksheets}
    filled = [name for name, look in looks.items() if look]
    if not filled or (wanted is not None and wanted not in filled):
        raise Refused("holds no cells" if wanted is None else f"holds no cells on its sheet {wanted!r}")
    visible = [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible" and looks[sheet.title]]
    # The first of equals; a table of data seldom has half the likeness of another.
    best = max(visible or filled, key=lambda name: looks[name])
    chosen = wanted or next(name for name in visible or filled if looks[name] >= _ALIKE * looks[best])
    read = _cells(book[chosen], data)
    if not read.rows:
        raise Refused(f"holds no cells on its sheet {chosen!r}")
    read.sheet = chosen
    read.sheets = tuple(name for name in names if name in filled)
    if n_unsolved:
        formulas = counted(n_unsolved, "formula has", "formulas have")
        read.notes.append(
            f"{formulas} no stored result and count as missing; open the workbook in a spreadsheet program and save it."
        )
    if len(filled) > 1 and wanted is None:
        read.notes.append(f"The workbook has {len(filled)} sheets; {read.sheet!r} was read.")
    return read


def _cells(sheet: Any, data: bytes) -> Cells:
    grid = [list(map(cell_text, values)) for values in sheet.iter_rows(values_only=True)]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        spread(grid, merged_ranges(archive, sheet._worksheet_path))
    rows: list[tuple[str, ...]] = []
    numbers: list[int] = []
    for number, row in enumerate(grid, start=1):
        if any(row):
            rows.append(tuple(row))
            numbers.append(number)
    width = max((max(k for k, cell in enumerate(row) if cell) + 1 for row in rows), default=0)
    left = min((next(k for k, cell in enumerate(row) if cell) for row in rows), default=0)
    rows = [row[left:width] + ("",) * (width - len(row)) for row in rows]
    return Cells(None, rows, numbers)


def _look_over(data: bytes, request: dict[str, Any]) -> int:
    """Refuse what would not fit, before any of it is parsed; how many formulas no program has worked out."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        if size > request["decoded_bytes"]:
            raise Refused(
                f"unpacks to {size / 1e6:,.0f} MB; at most {request['decoded_bytes'] // 1_000_000} MB are read"
            )
        if any("encrypt" in member.filename.lower() or member.flag_bits & 1 for member in members):
            raise Refused("has a password; save it without one")
        if not any(member.filename.startswith("xl/worksheets/") for member in members):
            raise Refused("is a zip file but not an Excel workbook; only .xlsx and .npz zips are read")
        xml = [member for member in members if member.filename.endswith((".xml", ".rels"))]
        return sum(_look_over_xml(archive, member, request) for member in xml)


def _look_over_xml(archive: zipfile.ZipFile, member: zipfile.ZipInfo, request: dict[str, Any]) -> int:
    n_cells, n_unsolved, tail = 0, 0, b""
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            text = tail + chunk
            if any(mark in text for mark in _ENTITY):
                raise Refused("declares XML entities, which no spreadsheet program writes; save it again as CSV")
            if member.filename.startswith("xl/worksheets/"):
                for match in _CELL.finditer(text):
                    if _column(match[1]) > request["columns"]:
                        place = (match[1] + match[2]).decode()
                        raise Refused(
                            f"has a cell at {place}, and at most {request['columns']:,} columns are read; "
                            "delete the stray cell or save the table as CSV"
                        )
                    n_cells += 1
                    if _column(match[1]) > 2 * n_cells + _STRAY_COLUMNS:
                        place = (match[1] + match[2]).decode()
                        raise Refused(f"has a cell at {place}, far to the right of the others; delete the stray cell")
                    if int(match[2]) > 2 * n_cells + 10_000:
                        place = (match[1] + match[2]).decode()
                        raise Refused(f"has a cell at {place}, far below the others; delete the stray cell")
                n_unsolved += len(_UNSOLVED.findall(text))
                if n_cells > request["cells"] // 2:
                    raise Refused(
                        f"has more than {request['cells'] // 2:,} cells on a sheet, which takes too long from a "
                        "workbook; save it as CSV"
                    )
            # A cell's opening may lie across the border of two chunks; it must not be counted twice.
            tail = text[max(text.rfind(b"<"), len(text) - 200) :] if b"<" in text[-200:] else b""
    return n_unsolved


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number
