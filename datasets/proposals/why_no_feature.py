"""why_no_feature: whether a column is empty, constant, dates, a row number, or says the same as the label."""

from __future__ import annotations

import re

import numpy as np

from datasets.columns.cells import levels_of, numbers_of
from datasets.columns.dates import dates_or_times
from datasets.columns.facts import facts_of
from datasets.proposals.whole_numbers import whole
from datasets.reading import Table

SAME_AS_LABEL = "it says the same as the label"
_ROW_NAMES = frozenset({"index", "row", "#", "unnamed: 0", "__index_level_0__"})  # as programs write them
COUNTER_NAMES = _ROW_NAMES | {"id", "no", "no.", "nr", "nr.", "number", "column 1"}
_ID_NAME = re.compile(r"(?:.*[_\- .])?(?:id|uuid|guid|key)|(?-i:.*[a-z0-9]I[dD])", re.IGNORECASE)
_SAME_AS_LABEL = 0.98
_MANY_MISSING_WORDS = 5


def why_no_feature(table: Table, name: str, label: str | None) -> str:
    """The reason to leave the column out, whatever else it holds; "" where there is none."""
    n_rows, facts = len(table.rows), facts_of(table, name)
    if not facts.n_values:
        return "it is empty"
    if facts.n_values == 1:
        gaps = " or missing" if facts.n_missing else ""
        return f"it is {facts.examples[0]}{gaps} in every row"
    numbers = numbers_of(table, name)
    n_present = n_rows - int(numbers.gaps.sum())
    text = int(numbers.words.sum()) > n_present / 2
    if text and (kind := dates_or_times(table.column(name))):
        return f"it holds {kind}"
    if label and _same_as(table, name, label):
        return SAME_AS_LABEL
    if not text and facts.n_values == n_rows and not numbers.words.any() and whole(numbers):
        # Names joined from two header lines begin with the one that counts: "id unit".
        if {name.lower(), *name.lower().split()[:1]} & COUNTER_NAMES and (np.diff(numbers.values) == 1.0).all():
            return "it counts the rows"
        # Rows that were shuffled or chosen keep the numbers they had; "column 1" stands for a blank name among others.
        a_row_name = name.lower() in _ROW_NAMES or (name == "column 1" and "column 2" not in table.columns)
        if a_row_name or _ID_NAME.fullmatch(name.strip()):
            return "it is a different number in every row, an id"
    return ""


def _same_as(table: Table, name: str, label: str) -> bool:
    """Whether each value stands for one class and each class for one value, in nearly all rows."""
    other = levels_of(table, label)
    if abs(facts_of(table, name).n_values - len(other.values)) > _MANY_MISSING_WORDS:
        return False  # so that the cells of long columns of numbers are not compared as text
    one = levels_of(table, name)
    n_values, n_rows = len(one.values), len(one.codes)
    if n_values != len(other.values) or not 2 <= n_values <= n_rows // 2:
        return False
    pairs, counts = np.unique(one.codes.astype(np.int64) * n_values + other.codes, return_counts=True)
    met: set[int] = set()
    taken: set[int] = set()
    agree = 0
    for k in np.argsort(-counts, kind="stable"):
        value, code = divmod(int(pairs[k]), n_values)
        if value not in met and code not in taken:
            met.add(value)
            taken.add(code)
            agree += int(counts[k])
    return agree >= _SAME_AS_LABEL * n_rows
