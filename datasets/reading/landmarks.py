"""Landmarks as tpsDig writes them: each specimen takes a line for each point, and lines such as "ID=7"."""

from __future__ import annotations

import re

from datasets.reading.layout import lines_of
from datasets.reading.logs import cell_between_tabs

_BEGIN = re.compile(r"LM(3?)=(\d+)", re.IGNORECASE)
_KEY = re.compile(r"([A-Za-z][\w ]*)=(.*)")
_AXES = "xyz"


def landmark_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """Return the column names, and the text with each specimen on its first line and all other lines blank; None for
    any other text, or where specimens differ in the number of points."""
    if not _BEGIN.match(text.lstrip("\ufeff \r\n")):
        return None
    specimens: dict[int, dict[str, str]] = {}  # line -> column -> cell
    begin, n_points, point, lines = 0, 0, 0, [line.strip() for line in lines_of(text)]
    for k, line in enumerate(lines):
        if match := _BEGIN.fullmatch(line):
            begin, n_points, point = k, int(match[2]), 0
            specimens[k] = {}
        elif specimens and point < n_points and len(cells := line.split()) in (2, 3):
            point += 1
            specimens[begin] |= {f"{axis}{point}": cell for axis, cell in zip(_AXES, cells, strict=False)}
        elif specimens and (match := _KEY.fullmatch(line)):
            specimens[begin][match[1].strip()] = match[2].strip()
        elif line:
            return None
    found = dict.fromkeys(name for specimen in specimens.values() for name in specimen)
    points = tuple(name for name in found if name[0] in _AXES and name[1:].isdigit())
    if not points or not all(name in specimen for specimen in specimens.values() for name in points):
        return None
    names = (*(name for name in found if name not in points), *points)
    rows = {k: "\t".join(cell_between_tabs(each.get(name, "")) for name in names) for k, each in specimens.items()}
    return names, "\n".join(rows.get(k, "") for k in range(len(lines)))
