"""Cells of one column: which are missing, and the numbers in them, thousands marks and all."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from datasets.base.counted import counted
from datasets.base.dataset import LARGEST_VALUE
from datasets.base.errors import DataError
from datasets.reading import Table, as_number, bare_number, is_missing, on_one_line
from datasets.reading.number_formats import common_unit

_BLANKS = " \u00a0\u2009\u202f"
_AT_A_TIME = 10_000  # cells, a millisecond
_APOSTROPHES = "'’"
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Numbers:
    """What a column holds, cell by cell, each array of shape (n_rows,).

    Attributes
    ----------
    values : np.ndarray
        float64, NaN where there is no number.
    gaps : np.ndarray
        bool, missing cells.
    words : np.ndarray
        bool, cells that are neither missing nor a number.
    cleaned : np.ndarray
        bool, cells that had to be cleaned to be one.
    """

    values: np.ndarray
    gaps: np.ndarray
    words: np.ndarray
    cleaned: np.ndarray


@dataclass(frozen=True)
class Levels:
    """The different cells of a column, missing ones included.

    Attributes
    ----------
    values : tuple[str, ...]
        In the order in which they first occur.
    codes : np.ndarray
        int32 (n_rows,), the place in `values` of each row's cell.
    counts : np.ndarray
        int64 (n_values,), rows of each.
    missing : np.ndarray
        bool (n_values,), which of them stand for a missing value.
    """

    values: tuple[str, ...]
    codes: np.ndarray
    counts: np.ndarray
    missing: np.ndarray


def levels_of(table: Table, name: str) -> Levels:
    """The column's different cells, kept with the table."""
    key = ("levels", name)
    if key not in table.parsed:
        cells = table.column(name)
        different: dict[str, None] = {}
        for piece in _pieces(cells):
            different.update(dict.fromkeys(piece))
        place = {cell: k for k, cell in enumerate(different)}
        codes = _of_each(place.__getitem__, cells, np.int32)
        missing = np.fromiter(map(is_missing, place), dtype=bool, count=len(place))
        table.parsed[key] = Levels(tuple(place), codes, np.bincount(codes, minlength=len(place)), missing)
    return table.parsed[key]


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
    key = ("numbers", name)
    if key not in table.parsed:
        table.parsed[key] = _parsed(table, name)
    return table.parsed[key]


def _parsed(table: Table, name: str) -> Numbers:
    cells, decimal = table.column(name), table.decimal
    none = np.zeros(len(cells), dtype=bool)
    values = _plain(cells, none, decimal)
    if values is not None:
        gaps = np.isnan(values)
        if all(is_missing(cells[k]) for k in np.flatnonzero(gaps)):  # "NaN" is missing, "-nan" a word
            return Numbers(values, gaps, none, none)
    gaps = _of_each(is_missing, cells, bool)
    values = _plain(cells, gaps, decimal) if gaps.any() else None
    if values is not None and not np.isnan(values[~gaps]).any():
        return Numbers(values, gaps, none, none)
    # Each different cell once: columns of words repeat themselves.
    levels = levels_of(table, name)
    plain: Sequence[str] = levels.values
    present = [cell for cell, missing in zip(plain, levels.missing.tolist(), strict=True) if not missing]
    if unit := common_unit(present):
        plain = [cell.removesuffix(unit).rstrip() for cell in plain]
    found = [cleaned_number(cell, decimal, table.thousands) for cell in plain]
    if unit:
        found = [
            (value, was or cell != bare) for (value, was), cell, bare in zip(found, levels.values, plain, strict=True)
        ]
    numbers = np.array([math.nan if value is None else value for value, _ in found], dtype=float)
    numbers[levels.missing] = math.nan
    words = np.array([value is None for value, _ in found], dtype=bool) & ~levels.missing
    cleaned = np.array([was for _, was in found], dtype=bool) & ~levels.missing & ~words
    return Numbers(numbers[levels.codes], gaps, words[levels.codes], cleaned[levels.codes])


def _plain(cells: Sequence[str], gaps: np.ndarray, decimal: str) -> np.ndarray | None:
    """All numbers at once, where each cell is missing or a number that needs no cleaning; else None."""
    for piece in _pieces(cells):
        together = "".join(piece)
        if "_" in together or (decimal == "," and "." in together):
            return None
    if gaps.any():
        cells = ["nan" if gap else cell for cell, gap in zip(cells, gaps.tolist(), strict=True)]
    if decimal == ",":
        cells = [cell.replace(",", ".") for cell in cells]
    try:
        return _of_each(float, cells, float)
    except ValueError:
        return None


def _of_each(function: Callable[[str], Any], cells: Sequence[str], dtype: Any) -> np.ndarray:
    """What `function` says of each cell, (n_cells,)."""
    found = np.empty(len(cells), dtype=dtype)
    done = 0
    for piece in _pieces(cells):
        found[done : done + len(piece)] = np.fromiter(map(function, piece), dtype=dtype, count=len(piece))
        done += len(piece)
    return found


def _pieces(cells: Sequence[str]) -> Iterator[Sequence[str]]:
    """The cells, a few at a time: what goes through them in one go lets no other thread on meanwhile."""
    return (cells[first : first + _AT_A_TIME] for first in range(0, len(cells), _AT_A_TIME))


def _quoted(cell: str) -> str:
    return repr(on_one_line(cell)[:40])


def odd_cells(numbers: Numbers) -> np.ndarray:
    """Which cells of a column of numbers cannot be trained on: words, infinite and too large values; bool (n_rows,)."""
    with np.errstate(invalid="ignore"):
        return numbers.words | (np.abs(numbers.values) > LARGEST_VALUE)


def column_numbers(table: Table, name: str, odd_as_missing: bool = False) -> tuple[np.ndarray, tuple[str, ...]]:
    """Read a column as numbers.

    Parameters
    ----------
    table, name : the column.
    odd_as_missing : treat cells that are not numbers, infinite or too large as missing instead of refusing them.

    Returns
    -------
    The numbers as float64 (n_rows,), NaN for missing cells, and sentences about cells that were cleaned or ignored.

    Raises
    ------
    DataError
        With line and column for a cell that is not a number, infinite or larger than LARGEST_VALUE.
    """
    numbers = numbers_of(table, name)
    wrong = odd_cells(numbers)
    values, notes = numbers.values, []
    if wrong.any():
        k = int(wrong.argmax())
        cell = table.cell(k, name)
        problem = f"is beyond {LARGEST_VALUE:g}, so that gradients overflow"
        if numbers.words[k]:
            problem = "is not a number"
        elif np.isinf(numbers.values[k]):
            problem = "is infinite"
        if not odd_as_missing:
            raise DataError(
                f"{table.name}, line {table.line_numbers[k]}, column {name!r}: {_quoted(cell)} {problem}. "
                "Treat such cells as missing, leave the column out, or mend the file."
            )
        values = np.where(wrong, np.nan, values)
        n_odd = counted(
            int(wrong.sum()), "cell that is not a usable number counts", "cells that are not usable numbers count"
        )
        notes.append(
            f"Column {name!r}: {n_odd} as missing (the first on line {table.line_numbers[k]}, {_quoted(cell)})."
        )
    cleaned = numbers.cleaned & ~wrong
    if cleaned.any():
        k = int(cleaned.argmax())
        notes.append(
            f"Column {name!r}: {counted(int(cleaned.sum()), 'cell was', 'cells were')} cleaned into numbers "
            f"(the first on line {table.line_numbers[k]}, {_quoted(table.cell(k, name))} as {values[k]:.15g})."
        )
    return values, tuple(notes)
