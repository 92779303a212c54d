"""Series matrix files of GEO without values, as those of sequencing are: a row for each sample."""

from __future__ import annotations

import csv
from collections import defaultdict

from datasets.reading.layout import lines_of
from datasets.reading.logs import cell_between_tabs
from datasets.reading.table import unique_names

_SERIES, _SAMPLE, _BEGIN, _END = "!Series_", "!Sample_", "!series_matrix_table_begin", "!series_matrix_table_end"
_CHARACTERISTICS = "characteristics"


def series_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, a line for each sample); None of any other file, and where the matrix holds values.

    A column for each line about the samples; of characteristics such as "age: 73" one for each of their names.
    """
    if not text.startswith(_SERIES):
        return None
    lines = list(csv.reader((line.rstrip("\r\n") for line in lines_of(text)), delimiter="\t"))
    firsts = [line[0] if line else "" for line in lines]
    if _BEGIN not in firsts or sum(map(any, lines[firsts.index(_BEGIN) + 1 :])) > 2:  # its names and its end
        return None
    about = [line for line in lines if line and line[0].startswith(_SAMPLE)]
    n = max((len(line) - 1 for line in about), default=0)
    columns = defaultdict[str, list[str]](lambda: [""] * n)
    for title, *cells in about:
        name = title.removeprefix(_SAMPLE)
        keyed = [cell.partition(": ") for cell in cells]
        if name.startswith(_CHARACTERISTICS) and all(mark or not cell for cell, mark, _ in keyed):
            for k, (key, mark, value) in enumerate(keyed):  # not each sample has all of them, or at the same place
                if mark:
                    columns[key][k] = "; ".join(filter(None, [columns[key][k], value]))
        elif any(cells):
            columns[unique_names((*columns, name))[-1]] = [*cells, *[""] * (n - len(cells))]
    rows = ("\t".join(map(cell_between_tabs, row)) for row in zip(*columns.values(), strict=True))
    return (tuple(columns), "\n".join(rows)) if n and columns else None
