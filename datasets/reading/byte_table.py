"""Tables whose head says which bytes of a line each column has, as the CDS and the AAS journals publish them."""

from __future__ import annotations

import re

from datasets.reading.layout import is_rule, lines_of
from datasets.reading.logs import cell_between_tabs

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
