"""Lines of a few cells between blanks and a text behind them, as logs of computers are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from datasets.reading.layout import lines_of, sampled_lines
from datasets.reading.logs import cell_between_tabs, cells_of_most
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.table import is_missing, unique_names

_TOKEN = re.compile(r'\[[^\]\[]*\](?=\s|$)|"[^"]*"(?=\s|$)|\S+')
_TIME = re.compile(r"\d{1,4}(?:[-/:.]\d{1,2})+(?:[-T.,]\S*)?Z?")
_ADDRESS = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){3}|[A-Za-z][\w-]*(?:\.[\w-]+)+(?=:))(?::\d+)?")
_CLOCK = re.compile(r"\d\d:\d\d:\d\d")
_LEVELS = re.compile(
    "trace|debug|info|notice|warn(?:ing)?|error|severe|crit(?:ical)?|alert|emerg|fatal|failure|verbose|[vdiwef]", re.I
)
_NUMBER, _MOMENT, _WORD = "9", "t", "a"
_NO_CELL = "-"
_FEWEST_LINES, _ALIKE, _MOST_CELLS = 10, 0.95, 12
_FEWEST_CELLS, _FEWEST_MARKED = 3, 2  # of any kind where none is in brackets; of other kinds than words
_FEWEST_WIDTHS, _FEWEST_WORDS = 4, 2.0  # different numbers of words in a text; on average
_PADDED = 0.1  # share of the lines of a table of fixed width
_MOST_FIRST_WORDS = 20
_AROUND = " \t,;:|-[]"


def message_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, the text with tabs between the cells and other lines blanked); None where the lines begin
    with fewer than three cells of one kind each, or two of which one is in brackets, or no text of different length
    follows.

    Words at the end of these cells belong to the text. A first line of other cells, as of names, is that of a table.
    """
    lines = [line for line in sampled_lines(text) if line.strip()]
    if len(lines) < _FEWEST_LINES or cells_of_most(lines):
        return None
    rows = [_TOKEN.findall(line) for line in lines]
    kinds = _kinds_of_columns(rows)
    n = len(kinds)
    words = [len(row) - n for row in rows]
    is_text = len(set(words)) >= _FEWEST_WIDTHS and sum(words) >= _FEWEST_WORDS * len(rows)
    n_padded = sum("  " in line.strip()[:40] for line in lines)
    is_fixed = n_padded > _PADDED * len(lines) and _MOMENT not in kinds
    are_few = not kinds or (n < _FEWEST_CELLS and "[" not in kinds)
    if are_few or not is_text or is_fixed or not _fits(rows[0], kinds):
        return None
    found = {k: cells for k, line in enumerate(lines_of(text)) if (cells := _cut(line, kinds)) is not None}
    names = [_name(k, kind, [cells[k] for cells in found.values()]) for k, kind in enumerate(kinds)] + ["text"]
    if 1 < len({_first_word(cells) for cells in found.values()}) <= _MOST_FIRST_WORDS:
        names.append("first word of the text")
        found = {k: [*cells, _first_word(cells)] for k, cells in found.items()}
    rows_by_line = ("\t".join(map(cell_between_tabs, found.get(k, ()))) for k in range(1 + max(found)))
    return unique_names(tuple(names)), "\n".join(rows_by_line)


def _name(k: int, kind: str, cells: Sequence[str]) -> str:
    if kind == _MOMENT:
        return "time"
    return "level" if all(map(_LEVELS.fullmatch, cells)) else f"column {k + 1}"


def _kinds_of_columns(rows: Sequence[Sequence[str]]) -> str:
    """The kind of each of the first cells, a word where lines differ, up to the last that is none and alike in most
    lines; "" where these are few, or hold no number or time."""
    kinds = ""
    for k in range(_MOST_CELLS):
        found = Counter(_kind(row[k]) if len(row) > k else "" for row in rows)
        if found.pop("", 0) > (1 - _ALIKE) * len(rows):
            break
        wild = found.pop(_NO_CELL, 0)
        kind, n = max(found.items(), key=lambda item: item[1], default=(_WORD, 0))
        kinds += kind if n + wild >= _ALIKE * len(rows) else _WORD
    kinds = kinds.rstrip(_WORD)
    marked = [kind for kind in kinds if kind != _WORD]
    return kinds if len(marked) >= _FEWEST_MARKED and not {_NUMBER, _MOMENT, "["}.isdisjoint(marked) else ""


def _kind(cell: str) -> str:
    if is_missing(cell):
        return _NO_CELL
    if looks_like_a_number(cell):
        return _NUMBER
    if _ADDRESS.fullmatch(cell):
        return "@"
    if _TIME.fullmatch(cell):
        return _MOMENT
    if cell[0] == "[" and _CLOCK.search(cell):
        return _MOMENT
    if cell[0] in '["' or cell[-1] == ":":
        return cell[0] if cell[0] in '["' else ":"
    return "A" if cell.isalpha() and cell.isupper() else _WORD


def _fits(row: Sequence[str], kinds: str) -> bool:
    return len(row) >= len(kinds) and all(
        kind == _WORD or _kind(cell) in (kind, _NO_CELL) for cell, kind in zip(row, kinds, strict=False)
    )


def _first_word(cells: Sequence[str]) -> str:
    """The first word of the text, which is the last of the cells."""
    return "".join(cells[-1].split(maxsplit=1)[:1]).strip(_AROUND)


def _cut(line: str, kinds: str) -> list[str] | None:
    """The cells of a line and the text behind them; None where it has others."""
    matches = list(islice(_TOKEN.finditer(line), len(kinds)))
    cells = [match[0] for match in matches]
    if not _fits(cells, kinds):
        return None
    return [*(cell.strip('[]"').rstrip(":") for cell in cells), line[matches[-1].end() :].strip()]
