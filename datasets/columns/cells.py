"""Cells of one column: which are missing, and the numbers in them, thousands marks and all."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from datasets.counted import counted
from datasets.dataset import LARGEST_VALUE
from datasets.errors import DataError
from datasets.reading import Table, as_number, bare_number, is_missing

_BLANKS = " \u00a0\u2009\u202f"
_APOSTROPHES = "'’"
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Numbers:
    """What a column holds, cell by cell, each array of shape (n_rows,).

    Attributes:
        values: float64, NaN where there is no number.
        gaps: bool, missing cells.
        words: bool, cells that are neither missing nor a number.
        cleaned: bool, cells that had to be cleaned to be one.
    """

    values: np.ndarray
    gaps: np.ndarray
    words: np.ndarray
    cleaned: np.ndarray


def column_cells(table: Table, name: str) -> list[str]:
    place = table.columns.index(name)
    return [row[place] for row in table.rows]


@lru_cache(maxsize=64)
def _marks(decimal: str, thousands: str | None) -> tuple[re.Pattern[str] | None, str, re.Pattern[str] | None]:
    """(numbers in groups of three with the other mark, that mark, blanks and apostrophes between groups)."""
    other = "." if decimal == "," else ","
    mark = other if thousands is None else thousands if thousands and thousands in ".," else ""
    between = {None: _BLANKS + _APOSTROPHES, " ": _BLANKS, "'": _APOSTROPHES}.get(thousands, "")
    d, m = re.escape(decimal), re.escape(mark)
    grouped = re.compile(rf"[+-]?\d{{1,3}}(?:{m}\d{{3}})+(?:{d}\d+)?") if mark else None
    return grouped, mark, re.compile(rf"(?<=\d)[{between}](?=\d{{3}}(?!\d))") if between else None


def cleaned_number(cell: str, decimal: str, thousands: str | None = None) -> tuple[float | None, bool]:
    """(the number in a cell or None, whether the cell had to be cleaned: marks of thousands, "%", currencies)."""
    grouped, mark, between = _marks(decimal, thousands)
    if grouped is None or not grouped.fullmatch(cell):
        value = as_number(cell, decimal)
        if value is not None:
            return value, False
    if not _DIGIT.search(cell):
        return None, False
    text = bare_number(cell)
    if between is not None:
        text = between.sub("", text)
    if grouped is not None and grouped.fullmatch(text):
        text = text.replace(mark, "")
    return as_number(text, decimal), True


def numbers_of(table: Table, name: str) -> Numbers:
    """The column's numbers; kept with the table, so that a second question costs nothing."""
    if name not in table.parsed:
        table.parsed[name] = _parsed(column_cells(table, name), table.decimal, table.thousands)
    return table.parsed[name]


def _parsed(cells: list[str], decimal: str, thousands: str | None) -> Numbers:
    gaps = np.fromiter(map(is_missing, cells), dtype=bool, count=len(cells))
    none = np.zeros(len(cells), dtype=bool)
    values = _plain(cells, gaps, decimal)
    if values is not None:
        return Numbers(values, gaps, none, none)
    # Cell by cell, and each different cell once: columns of words repeat themselves.
    found = {cell: cleaned_number(cell, decimal, thousands) for cell in set(cells)}
    numbers = [found[cell] for cell in cells]
    values = np.array([math.nan if value is None else value for value, _ in numbers], dtype=float)
    values[gaps] = math.nan
    words = np.array([value is None for value, _ in numbers], dtype=bool) & ~gaps
    cleaned = np.array([was for _, was in numbers], dtype=bool) & ~gaps & ~words
    return Numbers(values, gaps, words, cleaned)


def _plain(cells: list[str], gaps: np.ndarray, decimal: str) -> np.ndarray | None:
    """All numbers at once, where each cell is missing or a number that needs no cleaning; else None."""
    together = "".join(cells)
    if "_" in together or (decimal == "," and "." in together):
        return None
    if gaps.any():
        cells = ["nan" if gap else cell for cell, gap in zip(cells, gaps.tolist(), strict=True)]
    if decimal == ",":
        cells = [cell.replace(",", ".") for cell in cells]
    try:
        return np.fromiter(map(float, cells), dtype=float, count=len(cells))
    except ValueError:
        return None


def column_numbers(table: Table, name: str) -> tuple[np.ndarray, str]:
    """The column as float64 (n_rows,), NaN for missing cells, and a sentence about cleaned cells or "".

    Raises:
        DataError: with line and column for a cell that is no number, infinite or larger than LARGEST_VALUE.
    """
    numbers = numbers_of(table, name)
    with np.errstate(invalid="ignore"):
        wrong = numbers.words | (np.abs(numbers.values) > LARGEST_VALUE)
    if wrong.any():
        k = int(wrong.argmax())
        cell = table.rows[k][table.columns.index(name)]
        problem = f"is beyond {LARGEST_VALUE:g}, so that gradients overflow"
        if numbers.words[k]:
            problem = "is not a number"
        elif np.isinf(numbers.values[k]):
            problem = "is infinite"
        raise DataError(
            f"{table.name}, line {table.line_numbers[k]}, column {name!r}: {cell[:40]!r} {problem}. "
            "Mend the cell or leave it empty."
        )
    if not numbers.cleaned.any():
        return numbers.values, ""
    k, n_cleaned = int(numbers.cleaned.argmax()), int(numbers.cleaned.sum())
    cell = table.rows[k][table.columns.index(name)]
    return numbers.values, (
        f"Column {name!r}: {counted(n_cleaned, 'cell was', 'cells were')} cleaned into numbers "
        f"(the first on line {table.line_numbers[k]}, {cell[:40]!r} as {numbers.values[k]:.15g})."
    )
