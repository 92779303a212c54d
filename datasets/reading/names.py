"""How many lines at the top of a text table hold names, and which names they give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from datasets.base.numbered import numbered
from datasets.reading.missing import is_missing
from datasets.reading.table import as_number, unique_names

MOST_HEADER_LINES = 4
_SAMPLE = 50


def count_header_lines(rows: Sequence[tuple[str, ...]]) -> int:
    """0 where the first row already holds numbers in every column of numbers; more than 1 only where at least two
    columns are numbers from some line on and hold only words above it.

    Numbers can be names too, of years or of a data frame's columns: where three or more count up by one, and the
    words beside them occur nowhere below."""
    body = rows[MOST_HEADER_LINES : MOST_HEADER_LINES + _SAMPLE] or rows[1:]
    numeric = [k for k in range(len(rows[0])) if _numbers(row[k] for row in body)]
    first = [rows[0][k] for k in numeric]
    if all(as_number(cell, ",") is not None for cell in rows[0]):
        return int(_counts(rows[0]) and rows[0][0] in ("0", "1"))
    if numeric and all(as_number(cell, ",") is not None for cell in first):
        words = [k for k, cell in enumerate(rows[0]) if as_number(cell, ",") is None]
        return int(_counts(first) and not any(rows[0][k] in {row[k] for row in body} for k in words))
    n_lines = 1
    while (
        len(numeric) >= 2
        and n_lines < min(MOST_HEADER_LINES, len(rows) - 1)
        and all(rows[n_lines][k] and as_number(rows[n_lines][k], ",") is None for k in numeric)
        and not any(is_missing(rows[n_lines][k]) for k in numeric)
    ):
        n_lines += 1
    return n_lines


def joined_names(lines: Sequence[tuple[str, ...]], n_columns: int) -> tuple[str, ...]:
    """One name a column from the header lines: their cells with a blank between, equal ones once."""
    if not lines:
        return numbered("column", n_columns)
    return unique_names(tuple(" ".join(dict.fromkeys(filter(None, cells))) for cells in zip(*lines, strict=True)))


def header_note(n_lines: int, line: str) -> list[str]:
    """What is said of the names where not a single line held them; `line` is "line" or "row"."""
    if n_lines == 0:
        return [f"The first {line} holds data, not names, so the columns are named column 1, column 2, …"]
    return [f"The names are joined from {n_lines} header {line}s."] if n_lines > 1 else []


def _counts(cells: Sequence[str]) -> bool:
    whole = [int(cell) for cell in cells if cell.isascii() and cell.isdigit() and len(cell) < 10]
    return len(cells) > 2 and len(whole) == len(cells) and all(b == a + 1 for a, b in pairwise(whole))


def _numbers(cells: Iterable[str]) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]
    return bool(present) and all(as_number(cell, ",") is not None for cell in present)
