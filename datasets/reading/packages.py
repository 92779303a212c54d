"""Tables of SPSS, Stata and SAS -> Cells, read with pyreadstat in the child process only."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from datasets.base.words import counted, first_few
from datasets.reading.decoding import CODECS, guesses
from datasets.reading.formats import Cells, Refused, cell_text, check_dimensions
from datasets.reading.table import Limits, unique_names

_MOST_WITHOUT, _FEW_WITHOUT = 2, 0.02  # codes that have no word; share of the cells


def _read(data: bytes, limits: Limits, function: str) -> Cells:
    """All rows, with the words that the file gives for the codes of a column, where it gives one for each code in it or
    for nearly all cells.

    Codes of which only some have words, as the ends of a scale, stay numbers. What the file itself calls missing is.
    """
    import pyreadstat

    read = partial(getattr(pyreadstat, function), **_encoding(data) if function == "read_dta" else {})
    _, about = read(io.BytesIO(data), metadataonly=True, output_format="dict")
    check_dimensions(about.number_rows or 0, about.number_columns, limits)
    has_codes = {} if function in _WITHOUT_CODES else {"user_missing": True}
    notes = []
    try:
        held, about = read(io.BytesIO(data), output_format="dict", **has_codes)
    except UnicodeDecodeError:  # long texts of Stata are not decoded before they are handed out
        texts = [name for name, width in about.variable_storage_width.items() if not width]
        kept = [name for name in about.column_names if name not in texts]
        held, about = read(io.BytesIO(data), output_format="dict", usecols=kept, **has_codes)
        notes.append(f"Left out, as long texts in an encoding of their own: {first_few(texts)}.")
    columns, worded, partly, rare, missing = [], [], [], list[str](), Counter[str]()
    for name, values in held.items():
        words = about.variable_value_labels.get(name, {})
        values, gaps = _without_gap_codes(values, about, name)
        for code, n in gaps.items():
            missing[str(words.get(code, cell_text(code)))] += n
        codes = Counter(value for value in values if value is not None and value == value)
        without = [code for code in codes if code not in words]
        n_without = sum(codes[code] for code in without)
        are_few = len(without) <= _MOST_WITHOUT and n_without <= _FEW_WITHOUT * codes.total()
        if are_few and len(without) < len(codes):
            worded.append(name)
            rare += [f"{cell_text(code)!r} in {name}" for code in without]
            values = [words.get(value, value) for value in values]
        elif len(without) < len(codes):
            partly.append(name)
        single = about.readstat_variable_types[name] == "float"
        columns.append([_cell(value, single) for value in values])
    if not columns or not columns[0]:
        raise Refused("holds no rows")
    check_dimensions(len(columns[0]), len(columns), limits)  # of a portable file, which does not say how many
    rows = list(zip(*columns, strict=True))
    if worded:
        said = f", except codes without words: {first_few(rare)}" if rare else ""
        notes.append(f"Codes stand as the words the file has for them in {counted(len(worded), 'column')}{said}.")
    if missing:
        told = first_few([f"{word!r} ({n:,})" for word, n in missing.most_common()])
        notes.append(f"{counted(missing.total(), 'cell holds', 'cells hold')} what the file calls missing: {told}.")
    if partly:
        notes.append(f"Only some codes have words, and all stay numbers, in {first_few(partly)}.")
    return Cells(unique_names(tuple(held)), rows, range(1, len(rows) + 1), notes)


def _encoding(data: bytes) -> dict[str, str]:
    """The encoding in which the words of a Stata file read best, {} for UTF-8: before version 14 a file does not say
    it, and some later ones hold other bytes than they should."""
    import pyreadstat

    _, about = pyreadstat.read_dta(io.BytesIO(data), metadataonly=True, encoding="LATIN1")
    words = (word for words in about.value_labels.values() for word in words.values())
    text = "\n".join(filter(None, [*about.column_labels, *words, *about.column_names])).encode("latin-1", "replace")
    try:
        text.decode()
    except UnicodeDecodeError:
        found = guesses(text)[0].encoding
        return {"encoding": CODECS.get(found, found).upper()}
    return {}


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


_WITHOUT_CODES = ("read_sas7bdat", "read_por")
PACKAGES: dict[str, Callable[[bytes, Limits], Cells]] = {
    "spss": partial(_read, function="read_sav"),
    "portable": partial(_read, function="read_por"),
    "stata": partial(_read, function="read_dta"),
    "sas": partial(_read, function="read_sas7bdat"),
}
