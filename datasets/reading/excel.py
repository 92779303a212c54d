"""Excel workbooks: .xlsx through openpyxl, after a look at the zip directory and the sheets' XML; .xls through xlrd."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from datasets.base.limits import Limits
from datasets.base.words import counted
from datasets.reading.formats import Cells, Refused, cell_text

_CELL = re.compile(rb'<(?:\w+:)?c [^>]*?r="([A-Z]{1,3})([0-9]{1,7})"')
_UNSOLVED = re.compile(rb"</(?:\w+:)?f>(?:<(?:\w+:)?v ?/>|<(?:\w+:)?v></(?:\w+:)?v>)?</(?:\w+:)?c>")
_CHUNK = 1 << 20
_ALIKE = 0.75
_STRAY_COLUMNS = 2_000
_ENTITY = (b"<!DOCTYPE", b"<!ENTITY", "<!DOCTYPE".encode("utf-16-le"), "<!DOCTYPE".encode("utf-16-be"))


def read_excel(data: bytes, limits: Limits, sheet: str | None) -> Cells:
    """The sheet asked for, or the visible one that looks most like a table."""
    n_unsolved = _look_over(data, limits)
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    names = [sheet.title for sheet in book.worksheets]
    wanted = sheet
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
    return _trimmed(grid)


def _trimmed(grid: list[list[str]]) -> Cells:
    """The rows that are not blank, without blank columns at the sides."""
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


def read_xls(data: bytes, limits: Limits, sheet: str | None) -> Cells:
    """An old workbook (.xls): the sheet asked for, or the one with most filled rows."""
    import xlrd

    try:
        book = xlrd.open_workbook(file_contents=data, on_demand=True, logfile=io.StringIO())
    except (xlrd.XLRDError, xlrd.compdoc.CompDocError):
        raise Refused(
            "is a damaged old workbook or a workbook with a password; save it as .xlsx without a password, or as CSV"
        ) from None
    sheets = {name: book.sheet_by_name(name) for name in book.sheet_names()}
    filled = {name: each for name, each in sheets.items() if each.nrows > 0}
    if not filled or (sheet is not None and sheet not in filled):
        raise Refused("holds no cells" if sheet is None else f"holds no cells on its sheet {sheet!r}")
    chosen = sheet or max(filled, key=lambda name: filled[name].nrows * min(filled[name].ncols, 10))
    page = filled[chosen]
    if page.nrows * page.ncols > limits.cells:
        raise Refused(
            f"has {page.nrows * page.ncols:,} cells on its sheet {chosen!r}; at most {limits.cells:,} are read"
        )

    def text(cell: Any) -> str:
        if cell.ctype == xlrd.XL_CELL_DATE:
            return cell_text(xlrd.xldate_as_datetime(cell.value, book.datemode))
        return "" if cell.ctype == xlrd.XL_CELL_ERROR else cell_text(cell.value)

    read = _trimmed([list(map(text, page.row(k))) for k in range(page.nrows)])
    read.sheets, read.sheet = tuple(filled), chosen
    if len(filled) > 1 and sheet is None:
        read.notes.append(f"The workbook has {len(filled)} sheets; {chosen!r} was read.")
    return read


def _look_over(data: bytes, limits: Limits) -> int:
    """Refuse what would not fit, before any of it is parsed; how many formulas no program has worked out."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        if size > limits.decoded_bytes:
            raise Refused(f"unpacks to {size / 1e6:,.0f} MB; at most {limits.decoded_bytes // 1_000_000} MB are read")
        if any("encrypt" in member.filename.lower() or member.flag_bits & 1 for member in members):
            raise Refused("has a password; save it without one")
        if not any(member.filename.startswith("xl/worksheets/") for member in members):
            raise Refused("is a zip file but not an Excel workbook; only .xlsx and .npz zips are read")
        xml = [member for member in members if member.filename.endswith((".xml", ".rels"))]
        return sum(_look_over_xml(archive, member, limits) for member in xml)


def _look_over_xml(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: Limits) -> int:
    n_cells, n_unsolved, tail = 0, 0, b""
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            text = tail + chunk
            if any(mark in text for mark in _ENTITY):
                raise Refused("declares XML entities, which no spreadsheet program writes; save it again as CSV")
            if member.filename.startswith("xl/worksheets/"):
                for match in _CELL.finditer(text):
                    if _column(match[1]) > limits.columns:
                        place = (match[1] + match[2]).decode()
                        raise Refused(
                            f"has a cell at {place}, and at most {limits.columns:,} columns are read; "
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
                if n_cells > limits.cells // 2:
                    raise Refused(
                        f"has more than {limits.cells // 2:,} cells on a sheet, which takes too long from a "
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


_LOOKED_AT = 40
_WIDE_ENOUGH = 10
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^>]*?ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"')
_MOST_MERGED = 10_000


def likeness(sheet: Any) -> float:
    """How much the first rows of a sheet look like a table: many filled rows of equal width, numbers below names.

    0 for a sheet without cells; a title page or a list of remarks stays far below a small table.
    """
    rows = [tuple(map(cell_text, row)) for row in sheet.iter_rows(max_row=_LOOKED_AT, values_only=True)]
    filled = [sum(map(bool, row)) for row in rows]
    counts = [n for n in filled if n]
    if not counts:
        return 0.0
    width = max(set(counts), key=lambda n: (counts.count(n), n))
    regular = sum(n == width for n in counts)
    numbers = sum(_is_number(cell) for row in rows for cell in row)
    if regular < 2 or width < 2:
        return 0.01 * len(counts)
    n_rows = max(sheet.max_row or 0, len(counts))
    long = min(1.0, n_rows / _LOOKED_AT)
    return regular / len(counts) * (1 + min(width, _WIDE_ENOUGH) / _WIDE_ENOUGH + long) * (1 + numbers / sum(counts))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def merged_ranges(archive: zipfile.ZipFile, path: str) -> list[tuple[int, int, int, int]]:
    """(first row, first column, last row, last column) of merged cells, counted from 0; small parts of large sheets."""
    try:
        xml = archive.read(path.lstrip("/"))
    except KeyError:
        return []
    start = xml.rfind(b"mergeCells", 0, xml.rfind(b"mergeCell ") + 1)
    found = _MERGED.findall(xml, max(start, 0)) if start >= 0 else []
    return [(int(a) - 1, _column(f) - 1, int(b) - 1, _column(t) - 1) for f, a, t, b in found[:_MOST_MERGED]]


def spread(rows: list[list[str]], ranges: list[tuple[int, int, int, int]]) -> None:
    """Write the value of merged cells into all they span, in place; a title over the whole width stays one cell."""
    width = max(map(len, rows), default=0)
    for top, left, bottom, right in ranges:
        if top >= len(rows) or left >= len(rows[top]) or (left == 0 and right >= width - 1):
            continue
        value = rows[top][left]
        for row in rows[top : bottom + 1]:
            for k in range(left, min(right + 1, len(row))):
                row[k] = row[k] or value
