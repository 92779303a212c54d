"""Long tables, with a row for each quantity of a sample: made wide, with a column for each quantity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from datasets.base.words import counted, first_few
from datasets.reading.table import Table, string_array, strings, unique_names


def level_codes(table: Table, name: str) -> np.ndarray:
    """The cells of a column as codes in the order in which they first occur, (n_rows,)."""
    return np.asarray(table.cells.column(name).combine_chunks().dictionary_encode().indices.to_numpy())


def joint_codes(codes: Iterable[np.ndarray], n_rows: int) -> np.ndarray:
    """Codes from 0 of the combinations that occur, (n_rows,)."""
    joint = np.zeros(n_rows, dtype=np.int64)
    for each in codes:
        joint = np.unique(joint * (int(each.max()) + 1) + each, return_inverse=True)[1]
        if joint.max() + 1 == n_rows:
            break  # all differ
    return joint


def follows(codes: np.ndarray, other: np.ndarray) -> bool:
    """Whether each code goes with one of the other codes only, as a quantity with its unit."""
    return int(joint_codes((codes, other), len(codes)).max()) + 1 == len(np.unique(codes))


def samples_of(others: Mapping[str, np.ndarray], quantities: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """(the sample of each row as a code, the columns that tell of the samples): all columns but those that follow from
    the quantity, or the one that has a row for each quantity and what follows from it."""
    n, n_quantities = len(quantities), int(quantities.max()) + 1
    sizes = {name: int(codes.max()) + 1 for name, codes in others.items()}
    told = {
        name: codes
        for name, codes in others.items()
        if sizes[name] == 1 or sizes[name] > n_quantities or not follows(quantities, codes)
    }
    could_be = [name for name in told if 2 * sizes[name] <= n <= sizes[name] * n_quantities]
    keys = [name for name in could_be if joint_codes((told[name], quantities), n).max() + 1 == n]
    if keys:
        key = told[min(keys, key=sizes.__getitem__)]
        told = {name: codes for name, codes in told.items() if follows(key, codes)}
    return joint_codes(told.values(), n), list(told)


def widened(table: Table, quantity: str, value: str) -> Table:
    """A row for each sample, which all other columns name, and a column for each cell of `quantity` with the cells of
    `value`; the first where a sample has several. Other columns, such as units and remarks, are left out.
    """
    import pyarrow as pa

    codes = level_codes(table, quantity)
    others = {name: level_codes(table, name) for name in table.columns if name not in (quantity, value)}
    samples, kept = samples_of(others, codes)
    gone = [name for name in others if name not in kept]
    first = np.unique(samples, return_index=True)[1]
    order = np.argsort(first, kind="stable")  # as they occur in the file
    place = np.empty(len(first), dtype=np.int64)
    place[order] = np.arange(len(first))
    cells = np.full((len(first), int(codes.max()) + 1), "", dtype=object)
    rows = np.arange(table.n_rows)[::-1]  # so that the first stays
    cells[place[samples[rows]], codes[rows]] = np.array(strings(table.cells.column(value)), dtype=object)[rows]
    levels = strings(table.cells.column(quantity).combine_chunks().dictionary_encode().dictionary)
    columns = [table.cells.column(name).take(pa.array(first[order])).combine_chunks() for name in kept]
    columns += [string_array(column.tolist()) for column in cells.T]
    names = unique_names((*kept, *levels))
    note = (
        f"Each of {counted(len(first), 'sample')} had a row for each {quantity!r}: these are columns of {value!r} now."
    )
    left_out = [f"Left out with them: {first_few(gone)}."] if gone else []
    return replace(
        table,
        cells=pa.table(columns, names=list(names)),
        line_numbers=table.line_numbers[first[order]],
        notes=(*table.notes, note, *left_out),
        short_lines=(),
        header=(),
    )
