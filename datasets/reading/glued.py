"""Tables of numbers at fixed widths without blanks between some of them, as Fortran programs write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from datasets.base.words import numbered
from datasets.reading.layout import lines_of
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.table import unique_names

_NUMBERS = re.compile(r"[ \d.+-]*\d[ \d.+-]*")
_ENDS = re.compile(r"(?<=[\d.])(?=[ +-])")  # of a number, which fills its column to the right
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_FEWEST_LINES, _MOST_LINES, _FILLED = 10, 200_000, 0.9


def glued_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, the text with tabs between the cells and the lines above them blanked); None of any file
    whose last lines are not equally long and of numbers only, or where none of these stand side by side.

    A column ends where a number does in any of the lines.
    """
    if text.count("\n") > _MOST_LINES:
        return None
    lines = [line.rstrip() for line in lines_of(text)]
    while lines and not lines[-1]:
        del lines[-1]
    above = next((k for k in reversed(range(len(lines))) if not _NUMBERS.fullmatch(lines[k])), -1) + 1
    body = lines[above:]
    alike = len({len(line) for line in body}) == 1 < len({len(line.split()) for line in body})
    if len(body) < _FEWEST_LINES or not alike or any(map(_DATE.search, body)):
        return None
    ends = sorted({match.start() for line in body for match in _ENDS.finditer(line)} | {0, len(body[0])})
    ends = sorted({*ends, *(end for first, last in pairwise(ends) for end in _ends_of_decimals(body, first, last))})
    rows = [[line[first:last].strip() for first, last in pairwise(ends)] for line in body]
    filled = [sum(map(bool, column)) for column in zip(*rows, strict=True)]
    is_glued = any(all(row) and len(line.split()) < len(row) for row, line in zip(rows, body, strict=True))
    are_numbers = all(not cell or looks_like_a_number(cell) for row in rows for cell in row)
    if not is_glued or not are_numbers or min(filled) < _FILLED * len(body):
        return None
    names = lines[above - 1].lstrip("#").split() if above else []
    are_names = len(names) == len(filled) and not any(map(looks_like_a_number, names))
    named = unique_names(tuple(names)) if are_names else numbered("column", len(filled))
    return named, "\n".join([*[""] * above, *map("\t".join, rows)])


def _ends_of_decimals(lines: Sequence[str], first: int, last: int) -> list[int]:
    """Where numbers end between these places if all lines have two points there or more at equal distances: each with
    as many decimals as the last one."""
    places = {tuple(k for k in range(first, last) if line[k] == ".") for line in lines}
    points = places.pop()
    steps = {b - a for a, b in pairwise(points)}
    if places or len(steps) != 1:
        return []
    step, n_decimals = steps.pop(), last - points[-1]
    return [end for point in points if (end := point + n_decimals - step) > first] if n_decimals < step else []
