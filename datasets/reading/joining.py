"""Tables of sheets with the same columns, each read by itself, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from datasets.base.words import first_few
from datasets.reading.table import Table, string_array, unique_names


def joined_tables(tables: Sequence[Table], n_above: Sequence[int]) -> Table:
    """The tables below each other, with a last column that names the sheet of each row.

    Columns belong together by name, whatever its capitals and blanks; those whose names are in one table only by place.
    `n_above` are the rows of the sheets above each table: the numbers of the rows go on through the sheets.
    """
    import pyarrow as pa

    first, *_ = tables
    names = list(first.columns)
    places = []
    for table in tables:
        places.append(_places(table.columns, names))
        names += [table.columns[k] for k in places[-1][len(names) :]]
    titles = unique_names((*names, "sheet"))

    def cells(table: Table, order: Sequence[int]) -> pa.Table:
        blank = string_array([""] * table.n_rows)
        columns = [table.cells.column(k).combine_chunks() if k >= 0 else blank for k in order]
        columns += [blank] * (len(names) - len(order))
        return pa.table([*columns, string_array([table.sheet] * table.n_rows)], names=list(titles))

    rows = pa.concat_tables([cells(table, order) for table, order in zip(tables, places, strict=True)])
    said = f"{len(tables)} sheets were joined, one below the other: {first_few([repr(t.sheet) for t in tables])}; "
    apart = [repr(name) for name in first.sheets if name not in {table.sheet for table in tables}]
    not_joined = f" Not joined: {first_few(apart)}." if apart else ""
    return replace(
        first,
        cells=rows.combine_chunks(),
        line_numbers=np.concatenate([table.line_numbers + n for table, n in zip(tables, n_above, strict=True)]),
        notes=(
            f"{said}{titles[-1]!r} names that of each row.{not_joined}",
            *_of_sheets(tables, [t.notes for t in tables]),
        ),
        others=_of_sheets(tables, [t.others for t in tables]),
        header=tuple((*line, *[""] * (len(titles) - len(line))) for line in first.header),
    )


def _places(columns: Sequence[str], names: Sequence[str]) -> list[int]:
    """The column for each of the names, -1 where there is none, then the columns that none of these is for."""
    keys = ["".join(name.split()).casefold() for name in columns]
    wanted = ["".join(name.split()).casefold() for name in names]
    order = [keys.index(key) if key in keys else -1 for key in wanted]
    left = [k for k in range(len(keys)) if k not in order]
    for k in [k for k in left if k < len(order) and order[k] < 0]:
        order[k] = k
    return [*order, *(k for k in left if k not in order)]


def _of_sheets(tables: Sequence[Table], sentences: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The sentences, each once, with the sheet that it is about, or how many."""
    sheets: dict[str, list[str]] = {}
    for table, each in zip(tables, sentences, strict=True):
        for said in each:
            sheets.setdefault(said, []).append(repr(table.sheet))
    return tuple(
        f"{len(of)} sheets: {said}" if len(of) > 1 else f"Sheet {of[0]}: {said}" for said, of in sheets.items()
    )
