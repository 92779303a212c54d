"""Long tables, with a row for each quantity of a sample: made wide, with a column for each quantity."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from datasets.base.words import counted, first_few
from datasets.reading.numerals import as_number
from datasets.reading.table import Table, is_missing, string_array, strings, unique_names

_COUNTED = re.compile(
    r"(?:.*[\W_])?(?:tax(?:on|a)|species|gen(?:us|era)|famil(?:y|ies)|z?otus?|asvs?|genes?|hash(?:es)?)"
    r"(?:[\W_]*(?:ids?|names?))?",
    re.IGNORECASE,
)
_AMOUNT = re.compile(  # of what was counted
    r"(?:.*[\W_]|n)?(?:abundances?|abundancia|counts?|individuals?|reads|cover|density|biomass|catch|anzahl)",
    re.IGNORECASE,
)

NEARLY_ALL = 0.95  # of the rows, and of the cells of a wide table


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
    the quantity, or the one that has a row for each quantity and what follows from it; where all of them together have
    several rows for a quantity, the one that mostly has a single one."""
    n, n_quantities = len(quantities), int(quantities.max()) + 1
    sizes = {name: int(codes.max()) + 1 for name, codes in others.items()}
    told = {
        name: codes
        for name, codes in others.items()
        if sizes[name] == 1 or sizes[name] > n_quantities or not follows(quantities, codes)
    }
    could_be = [name for name in told if 2 * sizes[name] <= n <= sizes[name] * n_quantities / NEARLY_ALL]
    is_told = joint_codes((*told.values(), quantities), n).max() + 1 == n
    fewest = n if is_told else NEARLY_ALL * n
    keys = [name for name in could_be if joint_codes((told[name], quantities), n).max() + 1 >= fewest]
    if keys:
        key = told[min(keys, key=sizes.__getitem__)]
        told = {name: codes for name, codes in told.items() if follows(key, codes)}
    return joint_codes(told.values(), n), list(told)


def absent_are_0(table: Table, quantity: str, value: str, n_samples: int) -> bool:
    """Whether a quantity that a sample has no row for was counted as 0: all numbers are above 0, most samples lack most
    quantities, and names of species or genes, that of an amount, and whole numbers, or two of these, tell that they
    were counted."""
    import pyarrow.compute as pc

    different = strings(pc.unique(table.cells.column(value)))
    values = [as_number(cell, table.decimal) or 0.0 for cell in different if not is_missing(cell)]
    tell = [_COUNTED.fullmatch(quantity), _AMOUNT.fullmatch(value), all(map(float.is_integer, values))]
    n_quantities = int(level_codes(table, quantity).max()) + 1
    return 2 * table.n_rows < n_samples * n_quantities and min(values, default=0.0) > 0 and sum(map(bool, tell)) > 1


def widened(table: Table, *names: str) -> Table:
    """A row for each sample, which all other columns name, and a column for each cell of the first of `names`, or for
    each combination of several, with the cells of the last of `names`; the first where a sample has several, 0 where it
    has none of what was counted. Other columns, such as units and remarks, are left out.
    """
    import pyarrow as pa

    *quantities, value = names
    codes = joint_codes((level_codes(table, name) for name in quantities), table.n_rows)
    others = {name: level_codes(table, name) for name in table.columns if name not in names}
    samples, kept = samples_of(others, codes)
    gone = [name for name in others if name not in kept]
    first = np.unique(samples, return_index=True)[1]
    order = np.argsort(first, kind="stable")  # as they occur in the file
    place = np.empty(len(first), dtype=np.int64)
    place[order] = np.arange(len(first))
    are_0 = absent_are_0(table, quantities[0], value, len(first))
    cells = np.full((len(first), int(codes.max()) + 1), "0" if are_0 else "", dtype=object)
    rows = np.arange(table.n_rows)[::-1]  # so that the first stays
    cells[place[samples[rows]], codes[rows]] = np.array(strings(table.cells.column(value)), dtype=object)[rows]
    of_each = pa.array(np.unique(codes, return_index=True)[1])
    levels = zip(*(strings(table.cells.column(name).take(of_each)) for name in quantities), strict=True)
    columns = [table.cells.column(name).take(pa.array(first[order])).combine_chunks() for name in kept]
    columns += [string_array(column.tolist()) for column in cells.T]
    wide = unique_names((*kept, *(" ".join(filter(None, words)) for words in levels)))
    rows_had = "rows for some" if are_0 else "a row for each"
    quantity = " and ".join(map(repr, quantities))
    note = f"Each of {counted(len(first), 'sample')} had {rows_had} {quantity}: these are columns of {value!r} now."
    absent = counted(cells.size - table.n_rows, "cell is 0, as its sample", "cells are 0, as their samples")
    zeros = [f"{absent} had no such row."] if are_0 else []
    n_again = table.n_rows - int(joint_codes((samples, codes), table.n_rows).max()) - 1
    if n_again:
        what = counted(
            n_again, "row with another cell for the same column was", "rows with other cells for the same column were"
        )
        zeros.append(f"{what} left out.")
    left_out = [f"Left out with them: {first_few(gone)}."] if gone else []
    return replace(
        table,
        cells=pa.table(columns, names=list(wide)),
        line_numbers=table.line_numbers[first[order]],
        notes=(*table.notes, note, *zeros, *left_out),
        short_lines=(),
        header=(),
    )
