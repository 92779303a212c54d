"""Tables of SPSS, Stata and SAS -> Cells, read with pyreadstat in the child process only."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from datasets.base.words import counted, first_few
from datasets.reading.formats import Cells, Refused, cell_text, check_dimensions
from datasets.reading.table import Limits, unique_names


def _read(data: bytes, limits: Limits, function: str) -> Cells:
    """All rows, with the words that the file gives for the codes of a column, where it gives one for each code in it.

    Codes of which only some have words, as the ends of a scale, stay numbers. What the file itself calls missing is.
    """
    import pyreadstat

    read = getattr(pyreadstat, function)
    _, about = read(io.BytesIO(data), metadataonly=True, output_format="dict")
    check_dimensions(about.number_rows or 0, about.number_columns, limits)
    has_codes = {} if function == "read_sas7bdat" else {"user_missing": True}
    held, about = read(io.BytesIO(data), output_format="dict", **has_codes)
    columns, worded, partly, missing = [], [], [], Counter[str]()
    for name, values in held.items():
        words = about.variable_value_labels.get(name, {})
        values, gaps = _without_gap_codes(values, about, name)
        missing.update({str(words.get(code, cell_text(code))): n for code, n in gaps.items()})
        codes = {value for value in values if value is not None and value == value}
        if words and codes and codes <= words.keys():
            worded.append(name)
            values = [words.get(value, value) for value in values]
        elif not codes.isdisjoint(words):
            partly.append(name)
        single = about.readstat_variable_types[name] == "float"
        columns.append([_cell(value, single) for value in values])
    if not columns or not columns[0]:
        raise Refused("holds no rows")
    rows = list(zip(*columns, strict=True))
    notes = []
    if worded:
        notes.append(f"Codes stand as the words the file has for them in {counted(len(worded), 'column')}.")
    if missing:
        told = first_few([f"{word!r} ({n:,})" for word, n in missing.most_common()])
        notes.append(f"{counted(missing.total(), 'cell holds', 'cells hold')} what the file calls missing: {told}.")
    if partly:
        notes.append(f"Only some codes have words, and all stay numbers, in {first_few(partly)}.")
    return Cells(unique_names(tuple(held)), rows, range(1, len(rows) + 1), notes)


def _without_gap_codes(values: Sequence[Any], about: Any, name: str) -> tuple[Sequence[Any], Counter[Any]]:
    """The values with None for the codes that the file calls missing, and how many cells hold each of these."""
    letters = about.missing_user_values.get(name, ())  # of Stata, ".a" to ".z"
    ranges = [(each["lo"], each["hi"]) for each in about.missing_ranges.get(name, ())]  # of SPSS
    if not letters and not ranges:
        return values, Counter()

    def is_gap(value: Any) -> bool:
        if value is None or value != value:
            return False
        alike = [(lo, hi) for lo, hi in ranges if isinstance(lo, str) == isinstance(value, str)]
        return value in letters or any(lo <= value <= hi for lo, hi in alike)

    found = Counter(value for value in values if is_gap(value))
    return [None if value in found else value for value in values], found


def _cell(value: Any, single: bool) -> str:
    """A cell's text; a number of single precision has no more digits than it was saved with."""
    if single and isinstance(value, float) and not value.is_integer():
        value = str(np.float32(value)) if value == value else ""
    return cell_text(value)


PACKAGES: dict[str, Callable[[bytes, Limits], Cells]] = {
    "spss": partial(_read, function="read_sav"),
    "stata": partial(_read, function="read_dta"),
    "sas": partial(_read, function="read_sas7bdat"),
}
