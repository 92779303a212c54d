"""Names of groups that stand in their first row only, or in a row above, in each of their rows."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, pairwise, takewhile

import numpy as np

from datasets.base.words import counted
from datasets.columns.cells import column_of
from datasets.proposals.row_names import sheet_column
from datasets.reading import Table
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.table import string_array

_FEWEST_COLUMNS = 3
_FEWEST_GROUPS, _NAMED_ONCE = 3, 0.75  # the share of groups that have rows below the first


def filled_down(table: Table) -> Table:
    """The table with the names of groups in all of their rows, sheet by sheet."""
    import pyarrow as pa

    name = sheet_column(table)
    apart = sheets_apart(table)
    parts = [_with_groups_filled_down(_with_blocks_filled(_with_headings_filled_down(part))) for _, part in apart]
    if name is None:
        return parts[0]
    called = ([table.cell(begin, name)] * part.n_rows for (begin, _), part in zip(apart, parts, strict=True))
    cells = pa.concat_tables([part.cells for part in parts]).append_column(name, string_array([*chain(*called)]))
    lines = np.concatenate([part.line_numbers for part in parts])
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    return replace(table, cells=cells.combine_chunks(), line_numbers=lines, notes=(*table.notes, *notes))


def sheets_apart(table: Table) -> list[tuple[int, Table]]:
    """(its first row, the rows of one sheet, without its name) of each sheet that was joined; else the table."""
    name = sheet_column(table)
    if name is None:
        return [(0, table)]
    codes = column_of(table, name).levels.codes
    begins = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), table.n_rows]
    plain = table.cells.drop_columns([name])

    def part(a: int, b: int) -> Table:
        cells = plain.slice(a, b - a).combine_chunks()
        return replace(table, cells=cells, line_numbers=table.line_numbers[a:b], notes=())

    return [(a, part(a, b)) for a, b in pairwise(begins)]


def alone_in_rows(table: Table, n_first: int = 1) -> np.ndarray:
    """Whether one of the first cells of a row is its only one, bool (n_rows,)."""
    import pyarrow.compute as pc

    filled = np.array([pc.not_equal(column, "").to_numpy() for column in table.cells.columns])
    return np.asarray((filled.sum(axis=0) == 1) & filled[:n_first].any(axis=0))


def _with_headings_filled_down(table: Table) -> Table:
    """The table where rows with their first cell alone head those below, whose first cell is blank: without these rows,
    and their cells in each of the others."""
    if len(table.columns) < _FEWEST_COLUMNS or not table.n_rows:
        return table
    first, alone = table.column(table.columns[0]), alone_in_rows(table)
    blank = np.array([not cell for cell in first])
    inner = np.flatnonzero(blank)
    heads = np.flatnonzero(alone[: inner[-1]]) if len(inner) else inner
    if len(heads) < 2 or not (alone | blank).all() or heads[0] > inner[0] or len(inner) < len(heads):
        return table
    filled = np.array(first, dtype=object)
    filled[inner] = filled[heads[np.searchsorted(heads, inner) - 1]]
    name = table.columns[0]
    note = f"{len(heads):,} rows with a heading only were left out; it stands in {name!r} of the rows below each."
    cells = table.cells.set_column(0, name, string_array(filled.tolist()))
    return replace(table, cells=cells).without_rows(heads.tolist(), (note,))


def _with_blocks_filled(table: Table) -> Table:
    """The table where one of the first two columns names each of equal blocks of rows in one of their rows only, such
    as the middle one: in all of them. A column beside it must say the same in each block."""
    notes = []
    for k, name in enumerate(table.columns[:2]):
        cells = np.array(table.column(name), dtype=object)
        heads = np.flatnonzero(cells != "")
        size = int(heads[1] - heads[0]) if len(heads) > 1 else 0
        n = 1 + int(np.argmin(np.append(np.diff(heads) == size, False)))
        n = min(n, len(cells) // size) if size > 1 else 0  # notes may follow
        end = n * size
        if n < _FEWEST_GROUPS or heads[0] >= size:
            continue
        beside = (table.column(other) for other in table.columns[k + 1 : k + 1 + _FEWEST_COLUMNS])
        blocks = ((each[:size], each) for each in beside if len({*each[:size]} - {""}) == size)
        if not any(each == [*block * n, *[""] * (len(cells) - end)] for block, each in blocks):
            continue
        cells[:end] = np.repeat(cells[heads[:n]], size)
        table = replace(table, cells=table.cells.set_column(k, name, string_array(cells.tolist())))
        notes.append(f"{name!r} stood in one row of each of {n:,} blocks of {size} rows only and was filled in.")
    return replace(table, notes=(*table.notes, *notes)) if notes else table


def _with_groups_filled_down(table: Table) -> Table:
    """The table where one of the first two columns names each group in the first of its rows only: in all of them, and
    so what the columns beside it tell in the same rows."""
    notes = []
    for k, name in enumerate(table.columns[:2]):
        cells = table.column(name)
        heads = np.flatnonzero([bool(cell) for cell in cells])
        names = [cells[row] for row in heads]
        if len(heads) < _FEWEST_GROUPS or heads[0] or len(set(names)) < len(names):
            continue
        if np.mean(np.diff(heads, append=len(cells)) > 1) < _NAMED_ONCE or any(map(looks_like_a_number, names)):
            continue
        group = np.searchsorted(heads, np.arange(len(cells)), side="right") - 1
        also = _with_the_same_blanks(table, k)
        for other in (name, *also):
            own, place = np.array(table.column(other), dtype=object)[heads][group], table.columns.index(other)
            table = replace(table, cells=table.cells.set_column(place, other, string_array(own.tolist())))
        beside = f" and {counted(len(also), 'column')} beside it" if also else ""
        stood = f"{name!r}{beside} stood in the first row of each of {len(heads):,} groups only and"
        notes.append(f"{stood} {'were' if also else 'was'} filled down.")
    return replace(table, notes=(*table.notes, *notes)) if notes else table


def _with_the_same_blanks(table: Table, k: int) -> list[str]:
    """The columns right before and behind one that are blank in just the same rows."""
    blank = [not cell for cell in table.column(table.columns[k])]
    sides = table.columns[:k][::-1], table.columns[k + 1 :]
    return [*chain(*(takewhile(lambda name: [not c for c in table.column(name)] == blank, side) for side in sides))]
