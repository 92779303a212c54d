"""Tables of SPSS, Stata and SAS -> Cells, read with pyreadstat in the child process only."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from datasets.base.words import counted, first_few
from datasets.reading.formats import Cells, Refused, cell_text
from datasets.reading.table import Limits, unique_names

FUNCTIONS = {"spss": "read_sav", "stata": "read_dta", "sas": "read_sas7bdat"}


def read_package(data: bytes, limits: Limits, kind: str) -> Cells:
    """All rows, with the words that the file gives for the codes of a column, where it gives one for each code in it.

    Codes of which only some have words, as the ends of a scale, stay numbers. What the file itself calls missing is.
    """
    import pyreadstat

    read = getattr(pyreadstat, FUNCTIONS[kind])
    _, about = read(io.BytesIO(data), metadataonly=True, output_format="dict")
    n_rows, n_columns = about.number_rows or 0, about.number_columns
    if n_columns > limits.columns:
        raise Refused(f"has {n_columns:,} columns; at most {limits.columns:,} are read")
    if n_rows * n_columns > limits.cells:
        raise Refused(f"has {n_rows:,} rows of {n_columns:,} columns; at most {limits.cells:,} cells are read")
    held, about = read(io.BytesIO(data), output_format="dict")
    columns, worded, partly = [], [], []
    for name, values in held.items():
        words = about.variable_value_labels.get(name, {})
        codes = {value for value in values if value is not None and value == value}
        if words and codes and codes <= words.keys():
            worded.append(name)
        elif words and not codes.isdisjoint(words):
            partly.append(name)
        single = about.readstat_variable_types[name] == "float"
        columns.append([_cell(words.get(v, v) if name in worded[-1:] else v, single) for v in values])
    if not columns or not columns[0]:
        raise Refused("holds no rows")
    rows = list(zip(*columns, strict=True))
    notes = []
    if worded:
        notes.append(f"Codes stand as the words the file has for them in {counted(len(worded), 'column')}.")
    if partly:
        notes.append(f"Some codes only have words, and stay numbers, in {first_few(partly)}.")
    return Cells(unique_names(tuple(held)), rows, range(1, len(rows) + 1), notes)


def _cell(value: Any, single: bool) -> str:
    """A cell's text; a number of single precision has no more digits than it was saved with."""
    if single and isinstance(value, float) and not value.is_integer():
        value = str(np.float32(value)) if value == value else ""
    return cell_text(value)
