"""CSV for spreadsheets: no exported cell can run there as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def export_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table as CSV with CRLF line ends (RFC 4180).

    Text cells, and names, that a spreadsheet would run as a formula get an apostrophe in front; numbers, written as
    text too (a class called "-1"), stay as they are; None becomes an empty cell.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow([escaped(name) for name in header])
    writer.writerows([escaped(cell) for cell in row] for row in rows)
    return stream.getvalue()


def escaped(cell: object) -> object:
    """The cell itself, or its text behind an apostrophe where a spreadsheet would take it for a formula."""
    if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(cell):
        return "'" + cell
    return cell
