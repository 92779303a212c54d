"""Surveys with a column for each answer of a question -> a column for each question."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from datasets.base.words import first_few
from datasets.reading.table import Table, strings

if TYPE_CHECKING:
    import pyarrow as pa

_LOOKED_AT = 100  # rows
_MOSTLY_ANSWERED = 0.5  # share of the rows


def with_answers_joined(table: Table) -> Table:
    """The table where columns that hold an answer each, the end of their names, or nothing, are one, if no row has two
    answers and most have one: "Sex Male" and "Sex Female" as "Sex"."""
    import pyarrow.compute as pc

    cells, joined = table.cells, list[str]()
    stems, stem = dict[str, str](), ""
    for name in table.columns:
        stem = _question(name, cells.column(name), stem)
        if stem:
            stems[name] = stem
    for question, names in ((stem, list(of)) for stem, of in groupby(stems, key=lambda name: stems[name])):
        columns = [cells.column(name).combine_chunks() for name in names]
        n_answers = np.sum([pc.not_equal(column, "").to_numpy(zero_copy_only=False) for column in columns], axis=0)
        is_single = n_answers.max() == 1 and n_answers.mean() > _MOSTLY_ANSWERED
        if len(names) < 2 or not is_single or question in cells.column_names:
            continue
        place = cells.column_names.index(names[0])
        cells = cells.drop_columns(names).add_column(place, question, pc.binary_join_element_wise(*columns, ""))
        joined.append(repr(question))
    if not joined:
        return table
    note = f"Columns of one answer each were joined into one for each question: {first_few(joined)}."
    return replace(table, cells=cells, notes=(*table.notes, note), header=())


def _question(name: str, column: pa.ChunkedArray, before: str) -> str:
    """The name of a column without its only answer, or the question `before` where it is all of the name; "" where it
    holds others or its name does not end so."""
    import pyarrow.compute as pc

    if len(set(strings(column.slice(0, _LOOKED_AT))) - {""}) > 1:
        return ""
    answers = [cell for cell in strings(pc.unique(column)) if cell]
    if len(answers) != 1 or not name.endswith(answers[0]):
        return ""
    question = name.removesuffix(answers[0])
    if not question:
        return before
    return question.rstrip(" -:_") if question[-1:] in (" ", "-", ":", "_") else ""
