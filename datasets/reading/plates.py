"""Plate reader exports of SoftMax Pro: each read of a plate takes one line for each row of wells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasets.reading.layout import lines_of
from datasets.reading.logs import cell_between_tabs

_BLOCKS = re.compile(r"##BLOCKS= ?\d+")
_PLATE, _END, _TIME = "Plate:", "~End", "Time"
_ROWS = "ABCDEFGHIJKLMNOP"
_N_AHEAD = 2  # cells before those of the wells: time and temperature


def plate_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """Return the column names, and the text with each read on its first line and all other lines blank; None for any
    other text. The columns are plate, time and temperature, where they differ, and one for each well."""
    if not _BLOCKS.match(text):
        return None
    reads: dict[int, dict[str, str]] = {}  # line -> column -> cell
    plate, heads, begin = "", list[str](), 0
    lines = [line.rstrip("\r\n").split("\t") for line in lines_of(text)]
    for k, cells in enumerate(lines):
        if cells[0] == _PLATE:
            plate, heads = cells[1] if len(cells) > 1 else "", []
        elif cells[0].startswith(_END):
            plate = ""
        elif plate and not heads:
            heads = [cell.strip() for cell in cells]
        elif plate and any(cells[:_N_AHEAD]):
            begin = k
            time, temperature = (cell.strip() for cell in [*cells, ""][:_N_AHEAD])
            ahead = {"plate": plate, "time": time if heads[0].startswith(_TIME) else "", "temperature": temperature}
            reads[k] = ahead | _wells(heads, cells, 0)
        elif plate and begin in reads and any(cells):
            if k - begin >= len(_ROWS):
                return None  # a plate of another kind
            reads[begin] |= _wells(heads, cells, k - begin)
    wells = sorted({name for read in reads.values() for name in read if name[1:].isdigit()}, key=_place)
    differ = [name for name in ("plate", "time", "temperature") if len({read[name] for read in reads.values()}) > 1]
    names = (*differ, *wells)
    if not wells:
        return None
    rows = {k: "\t".join(cell_between_tabs(read.get(name, "")) for name in names) for k, read in reads.items()}
    return names, "\n".join(rows.get(k, "") for k in range(len(lines)))


def _wells(heads: Sequence[str], cells: Sequence[str], row: int) -> dict[str, str]:
    """Map wells to cells; the header holds column numbers, or the names of all wells."""
    found = {}
    for head, cell in zip(heads[_N_AHEAD:], cells[_N_AHEAD:], strict=False):
        if cell.strip() and head:
            found[_ROWS[row] + head if head.isdigit() else head] = cell.strip()
    return found


def _place(well: str) -> tuple[str, int]:
    return well[0], int(well[1:])
