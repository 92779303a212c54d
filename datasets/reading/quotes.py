"""Which mark quotes the cells of a text, and lines that are quoted as a whole."""

from __future__ import annotations

import csv
import io
import re

from datasets.reading.layout import lines_of, rows_cut, sampled_lines

_MARKS = ",;\t|"
_FEWEST_LINES = 3
_QUOTES_LOOKED_AT = 200_000  # characters
_QUOTED_LINE = re.compile(r'"(?:[^"]|"")*"')


def quote_mark(text: str, separator: str) -> str | None:
    """The double quote, the single one where each cell that begins with it ends with it or only so all rows are of one
    width, or None.

    Double quotes are parts of the cells where lines hold an odd number of them and tabs or pipes cut these as those
    without: a cell that went on in the next line would leave both with too few separators.
    """
    if '"' in text:
        has_both = len(separator) == 1 and separator + "'" in text
        if has_both and len(_widths(text, separator, "'")) == 1 != len(_widths(text, separator, '"')):
            return "'"
        lines = [line for line in lines_of(text) if line.strip()] if separator in "\t|" else []
        alike = len({line.count(separator) for line in lines}) == 1
        numbers = {line.count('"') % 2 if '"' in line else None for line in lines} if alike else set()
        return None if numbers >= {1, None} else '"'
    if "'" not in text:
        return '"'
    cells = [cell.strip() for line in sampled_lines(text) for cell in line.split(separator)]
    quoted = [len(cell) > 1 and cell.endswith("'") for cell in cells if cell.startswith("'")]
    return "'" if quoted and all(quoted) else '"'


def _widths(text: str, separator: str, mark: str) -> set[int]:
    """The different numbers of cells in the first records, where this mark quotes cells."""
    records = csv.reader(io.StringIO(text[:_QUOTES_LOOKED_AT]), delimiter=separator, quotechar=mark)
    try:
        return {len(row) for row in list(records)[:-1] if row}
    except csv.Error:
        return set()


def without_quotes_of_lines(text: str) -> str | None:
    """The text of a file each line of which is one quoted cell that a separator cuts again; None of any other."""
    lines = [line.strip() for line in sampled_lines(text) if line.strip()]
    if len(lines) < _FEWEST_LINES or not all(map(_QUOTED_LINE.fullmatch, lines)):
        return None
    widths = (set(map(len, rows_cut(list(map(_plain, lines)), mark, most=None))) for mark in _MARKS)
    if not any(len(found) == 1 and found != {1} for found in widths):
        return None
    return "\n".join(_plain(line.strip()) for line in lines_of(text))


def _plain(line: str) -> str:
    return line[1:-1].replace('""', '"') if _QUOTED_LINE.fullmatch(line) else line
