"""Sheets of a workbook: which one looks like a table, and merged cells, whose value stands in all that they span."""

from __future__ import annotations

import re
import zipfile
from typing import Any

from datasets.reading.formats.cell_text import cell_text

_LOOKED_AT = 40
_WIDE_ENOUGH = 10
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^>]*?ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"')
_MOST_MERGED = 10_000

Row = tuple[str, ...]


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


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number
