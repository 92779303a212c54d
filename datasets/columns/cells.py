"""Cells of one column: which are missing, and the numbers in them, thousands marks and all."""

from __future__ import annotations

import math
import re

import numpy as np

from datasets.errors import DataError
from datasets.reading import Table, as_number

MISSING = frozenset({"", "?", "na", "n/a", "nan", "null", "none", "-"})
# Beyond this a squared distance overflows.
LARGEST = 1e150
_THOUSANDS = {
    ".": re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?"),
    ",": re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?"),
}
_SPACES = re.compile(r"(?<=\d)[ '\u00a0\u2009\u202f](?=\d{3}(?!\d))")


def is_missing(cell: str) -> bool:
    return cell.lower() in MISSING


def column_cells(table: Table, name: str) -> list[str]:
    place = table.columns.index(name)
    return [row[place] for row in table.rows]


def cleaned_number(cell: str, decimal: str) -> tuple[float | None, bool]:
    """(the number in a cell or None, whether the cell had to be cleaned: thousands marks, "%", a typographic minus)."""
    if not _THOUSANDS[decimal].fullmatch(cell):
        value = as_number(cell, decimal)
        if value is not None:
            return value, False
    text = _SPACES.sub("", cell.replace("−", "-").removesuffix("%").strip())
    if _THOUSANDS[decimal].fullmatch(text):
        text = text.replace("." if decimal == "," else ",", "")
    return as_number(text, decimal), True


def column_numbers(table: Table, name: str) -> tuple[np.ndarray, str]:
    """The column as float64 (n_rows,), NaN for missing cells, and a sentence about cleaned cells or "".

    Raises:
        DataError: with line and column for a cell that is no number, infinite or too large to square.
    """
    result = np.empty(len(table.rows))
    n_cleaned, first = 0, ""
    for k, cell in enumerate(column_cells(table, name)):
        if is_missing(cell):
            result[k] = math.nan
            continue
        value, cleaned = cleaned_number(cell, table.decimal)
        problem = ""
        if value is None:
            problem = "is not a number"
        elif math.isinf(value):
            problem = "is infinite"
        elif math.isnan(value):
            pass
        elif abs(value) > LARGEST:
            problem = f"is beyond {LARGEST:g}, so that distances overflow"
        if value is None or problem:
            raise DataError(
                f"{table.name}, line {table.line_numbers[k]}, column {name!r}: {cell[:40]!r} {problem}. "
                "Mend the cell or leave it empty."
            )
        if cleaned:
            n_cleaned += 1
            first = first or f"the first on line {table.line_numbers[k]}, {cell[:40]!r} as {value:.15g}"
        result[k] = value
    note = f"Column {name!r}: {n_cleaned} cells were cleaned into numbers ({first})." if n_cleaned else ""
    return result, note
