"""Tables whose head tells of their columns: which bytes of a line each has, as the CDS and the AAS journals publish
them, bars above them (IPAC), the curves of a well (LAS) or a cast (Sea-Bird), or their names in a numbered list."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from datasets.reading.layout import is_rule, lines_of
from datasets.reading.logs import cell_between_tabs
from datasets.reading.numerals import as_number
from datasets.reading.table import unique_names

_HEAD = re.compile(r"^[ \t]*Bytes[ \t]+Format[ \t]+Units[ \t]+Labels?\b", re.MULTILINE)
_COLUMN = re.compile(r"\s*(?:(\d+)\s*-\s*)?(\d+)\s+[AIFEG]\d+(?:\.\d+)?\s+\S+\s+(\S+)(?:\s.*)?")
_FEWEST_COLUMNS, _FEWEST_RULES = 2, 2


def byte_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, the text with tabs between the cells and other lines blanked); None of any other file."""
    head = _HEAD.search(text)
    if head is None:
        return None
    lines = [line.rstrip("\r\n") for line in lines_of(text)]
    begin = next(k for k, line in enumerate(lines) if _HEAD.match(line))
    rules = [k for k, line in enumerate(lines) if k > begin and is_rule(line)]
    if len(rules) < _FEWEST_RULES:
        return None
    found = [match.groups() for line in lines[rules[0] : rules[1]] if (match := _COLUMN.fullmatch(line))]
    spans = [(int(first or last) - 1, int(last)) for first, last, _ in found]
    rows = ["\t".join(cell_between_tabs(line[a:b].strip()) for a, b in spans) for line in lines[rules[-1] + 1 :]]
    if len(found) < _FEWEST_COLUMNS or not any(map(str.strip, rows)):
        return None
    return tuple(name for _, _, name in found), "\n".join([*[""] * (rules[-1] + 1), *rows])


# Below lines that begin with a backslash.
_BARS = re.compile(r"^(?:(?:\\[^\r\n]*)?\r?\n)*((?:\|[^\r\n]*\|[ \t]*\r?\n){1,4})(?! *\|)")


def bar_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """The same of a table of IPAC: names between bars, maybe with their types, units and what stands for a gap below
    them, at the same places as the cells of the rows."""
    match = _BARS.match(text)
    if match is None:
        return None
    head = match[1].splitlines()
    places = [[k for k, letter in enumerate(line) if letter == "|"] for line in head]
    bars, begin = places[0], text.count("\n", 0, match.end())
    lines = [line.rstrip("\r\n") for line in lines_of(text[match.end() :])]
    if any(each != bars for each in places) or len(bars) <= _FEWEST_COLUMNS or any("|" in line for line in lines):
        return None
    spans = list(zip(bars, [*bars[1:-1], None], strict=False))
    names, *_, gaps = [[line[a:b].strip(" |") for a, b in spans] for line in (*head, *[""] * (4 - len(head)))]
    rows = ([line[a:b].strip() for a, b in spans] for line in lines)
    cells = ("\t".join("" if cell == gap else cell for cell, gap in zip(row, gaps, strict=True)) for row in rows)
    return unique_names(tuple(names)), "\n" * begin + "\n".join(cells)


_CURVES = re.compile(r"^~C[^\r\n]*\r?\n([^~]*)", re.MULTILINE)
_CURVE = re.compile(r"^[ \t]*([^\s.#][^.\r\n]*?)[ \t]*\.", re.MULTILINE)
_NO_MEASUREMENT = re.compile(r"^[ \t]*NULL[ \t]*\.\S*[ \t]+(\S+)", re.MULTILINE)


def las_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """The same of the logs of a well in LAS, with blanks for what was not measured."""
    curves = _CURVES.search(text) if text.startswith("~V") or "\n~V" in text else None
    if curves is None:
        return None
    names, lines = tuple(_CURVE.findall(curves[1])), [line.strip() for line in lines_of(text)]
    begin = next((k for k, line in enumerate(lines) if line.startswith("~A")), len(lines)) + 1
    rows = [line.split() for line in lines[begin:]]
    if len(names) < _FEWEST_COLUMNS or not any(rows) or any(row and len(row) != len(names) for row in rows):
        return None
    null = as_number(match[1]) if (match := _NO_MEASUREMENT.search(text)) else None
    cells = ("\t".join("" if null is not None and as_number(cell) == null else cell for cell in row) for row in rows)
    return names, "\n".join([*[""] * begin, *cells])


_CAST_NAME = re.compile(r"^# name \d+ = (.*?)\s*$", re.MULTILINE)
_END_OF_HEAD = re.compile(r"^\*END\*[^\r\n]*\r?\n", re.MULTILINE)
_BAD_FLAG = re.compile(r"^# bad_flag = (\S+)", re.MULTILINE)


def cast_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """The same of a cast of Sea-Bird (.cnv), with blanks for its flag of bad values."""
    names, end = tuple(_CAST_NAME.findall(text)), _END_OF_HEAD.search(text)
    if end is None or len(names) < _FEWEST_COLUMNS:
        return None
    bad = as_number(match[1]) if (match := _BAD_FLAG.search(text)) else None
    rows = [line.split() for line in lines_of(text[end.end() :])]
    if not any(rows) or any(row and len(row) != len(names) for row in rows):
        return None
    cells = ("\t".join("" if bad is not None and as_number(cell) == bad else cell for cell in row) for row in rows)
    return unique_names(names), "\n" * text.count("\n", 0, end.end()) + "\n".join(cells)


_LISTED = re.compile(r"[\W_]*([^\W\d]*)[ _]?(\d{1,4})\s*[:=]\s*([^\W\d].*)")


def listed_names(lines: Sequence[str], n_columns: int) -> tuple[str, ...] | None:
    """The names in a list above the rows that counts as far as the columns: "Field1: Time", "# name 0 = depth"; or on a
    line each below their number, as Geo-EAS writes them."""
    own = [line.split() for line in lines[-n_columns - 1 :]]
    if len(own) > n_columns > 1 and own[0][:1] == [str(n_columns)] and all(own):
        return tuple(" ".join(words) for words in own[1:])
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for line in lines:
        if match := _LISTED.fullmatch(line.strip()):
            found[match[1]].append((int(match[2]), match[3].strip()))
    for listed in found.values():
        numbers, names = zip(*listed, strict=True)
        counts = numbers in (tuple(range(n_columns)), tuple(range(1, n_columns + 1)))
        if n_columns > 1 and counts and len(set(names)) == n_columns:
            return tuple(names)
    return None
