"""How many lines at the top of a text table hold names, and which names they give."""

from __future__ import annotations

from datasets.reading.missing import is_missing
from datasets.reading.table import as_number, unique_names

_MOST_HEADER_LINES = 4
_SAMPLE = 50


def count_header_lines(rows: list[tuple[str, ...]]) -> int:
    """0 where the first row already holds numbers in every column of numbers; more than 1 only where at least two
    columns are numbers from some line on and hold only words above it."""
    body = rows[_MOST_HEADER_LINES : _MOST_HEADER_LINES + _SAMPLE] or rows[1:]
    numeric = [k for k in range(len(rows[0])) if _numbers(row[k] for row in body)]
    first = [rows[0][k] for k in numeric]
    if all(as_number(cell, ",") is not None for cell in rows[0]):
        return 0
    if numeric and all(as_number(cell, ",") is not None for cell in first):
        return 0
    n_lines = 1
    while (
        len(numeric) >= 2
        and n_lines < min(_MOST_HEADER_LINES, len(rows) - 1)
        and all(rows[n_lines][k] and as_number(rows[n_lines][k], ",") is None for k in numeric)
        and not any(is_missing(rows[n_lines][k]) for k in numeric)
    ):
        n_lines += 1
    return n_lines


def joined_names(lines: list[tuple[str, ...]], n_columns: int) -> tuple[str, ...]:
    """One name a column from the header lines: their cells with a blank between."""
    if not lines:
        return tuple(f"column {k + 1}" for k in range(n_columns))
    return unique_names(tuple(" ".join(filter(None, cells)) for cells in zip(*lines, strict=True)))


def _numbers(cells: object) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]  # type: ignore[attr-defined]
    return bool(present) and all(as_number(cell, ",") is not None for cell in present)
