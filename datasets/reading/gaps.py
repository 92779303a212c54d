"""Rows between blanks that lack a cell: where the gap is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from datasets.reading.numerals import looks_like_a_number
from datasets.reading.table import Row, is_missing


def gap_filler(rows: Sequence[Row], n_columns: int) -> Callable[[Row], Row]:
    """Fills a short row up with blanks where most of its numbers and words stand in columns of `rows` that hold only
    such, at its end where that leaves it open."""
    whole = (row for row in rows if len(row) == n_columns)
    columns = [
        [looks_like_a_number(cell) for cell in cells if not is_missing(cell)] for cells in zip(*whole, strict=True)
    ]
    numeric = {k: found[0] for k, found in enumerate(columns) if len(set(found)) == 1}

    def n_odd(row: Row) -> int:
        cells = ((row[k], is_number) for k, is_number in numeric.items())
        return sum(not is_missing(cell) and looks_like_a_number(cell) != is_number for cell, is_number in cells)

    def filled(row: Row) -> Row:
        blank = ("",) * (n_columns - len(row))
        return min(((*row[:k], *blank, *row[k:]) for k in range(len(row), -1, -1)), key=n_odd)

    return filled
