"""Lines of one form among others, as programs print their results: a row of each, what differs in them as its cells.

The last resort, for texts that no mark cuts into a table.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from datasets.reading.layout import lines_of
from datasets.reading.logs import cell_between_tabs
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.table import unique_names

_WORD = r"[^\W\d][\w./-]*"
_TOKEN = re.compile(  # a moment, a number, words or a mark
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?|\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?"
    rf"|[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?|{_WORD}(?: {_WORD})*|[^\w\s]"
)
_MOST_LINES, _FEWEST_ROWS, _SHARE, _MOST_TOKENS, _MOST_HEADS = 100_000, 10, 0.2, 200, 20
_MOSTLY = 0.8  # share of the headings that have rows below them


class _Line(NamedTuple):
    place: int
    tokens: list[str]


def cells_of_one_shape(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, the text with tabs between the cells of the lines of the most frequent form and all others
    blanked); None where there are few such lines, or less than two cells differ in them, one of them a number.

    Lines of other forms that stand above rows, each above others, give columns, too.
    """
    shapes = defaultdict[str, list[_Line]](list)
    if text.count("\n") > _MOST_LINES:
        return None
    all_lines = list(lines_of(text))
    for k, line in enumerate(all_lines):
        if tokens := _TOKEN.findall(line)[:_MOST_TOKENS]:
            shapes["".join(map(_kind, tokens))].append(_Line(k, tokens))
    n_lines = sum(map(len, shapes.values()))
    frequent = [lines for lines in shapes.values() if len(lines) >= max(_FEWEST_ROWS, _SHARE * n_lines)]
    rows = max(frequent, key=lambda lines: len(lines) * _differing_numbers(lines) ** 2, default=[])
    if not rows:
        return None
    places = [row.place for row in rows]
    heads = (lines for lines in shapes.values() if lines is not rows and _head_rows(lines, places))
    names, cells, above = list[str](), list[list[str]](), _names_above(all_lines, rows[0])
    for lines in (*islice(heads, _MOST_HEADS), rows):
        carried = _carried(lines, rows)
        for j, of_token in enumerate(zip(*carried, strict=True)):
            if len(set(of_token)) > 1:
                name = above[j] if above and lines is rows else _name(lines[0].tokens, j)
                names.append(name or f"column {len(names) + 1}")
                cells.append(list(of_token))
    if len(cells) < 2 or not any(all(map(looks_like_a_number, column)) for column in cells):
        return None
    found = {
        row.place: "\t".join(map(cell_between_tabs, each))
        for row, each in zip(rows, zip(*cells, strict=True), strict=True)
    }
    return unique_names(tuple(names)), "\n".join(found.get(k, "") for k in range(1 + max(found)))


def _kind(token: str) -> str:
    if looks_like_a_number(token):
        return "9"
    return "a" if token[0].isalpha() else "t" if token[0].isdigit() else token


def _differing_numbers(lines: Sequence[_Line]) -> int:
    columns = zip(*(tokens for _, tokens in lines), strict=True)
    return sum(len(set(column)) > 1 and looks_like_a_number(column[0]) for column in columns)


def _head_rows(heads: Sequence[_Line], rows: Sequence[int]) -> bool:
    """Whether the first of the lines stands above the rows (their places), and nearly each has some before the next."""
    if len(heads) < 2 or heads[0].place > rows[0]:
        return False
    places = [*(head.place for head in heads), rows[-1] + 1]
    with_rows = sum(bisect(rows, head) < bisect(rows, following - 1) for head, following in pairwise(places))
    return with_rows >= _MOSTLY * len(heads)


def _carried(lines: Sequence[_Line], rows: Sequence[_Line]) -> list[list[str]]:
    """The tokens of the last of the lines at or above each row."""
    found, k = list[list[str]](), 0
    for row in rows:
        while k + 1 < len(lines) and lines[k + 1].place <= row.place:
            k += 1
        found.append(lines[k].tokens)
    return found


def _names_above(lines: Sequence[str], row: _Line) -> list[str]:
    """The words of the line above a row, where they are as many as its cells between blanks; else []."""
    above = lines[row.place - 1].split() if row.place else []
    are_names = len(above) == len(row.tokens) == len(lines[row.place].split())
    return above if are_names and not any(map(looks_like_a_number, above)) else []


def _name(tokens: Sequence[str], j: int) -> str:
    """The word before ":" or "=" before a token."""
    return tokens[j - 2] if j > 1 and tokens[j - 1] in ":=" and tokens[j - 2][0].isalpha() else ""
