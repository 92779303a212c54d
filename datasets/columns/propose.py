"""propose_columns: the label with a reason, the features, and why each other column is left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from datasets.base.errors import DataError
from datasets.columns.cells import Levels, Numbers, column_cells, levels_of, numbers_of
from datasets.columns.dates import dates_or_times
from datasets.columns.facts import facts_of
from datasets.columns.plan import ColumnPlan
from datasets.reading import Table, is_missing

# The first that there is; "y" and "type" late, for they can be a coordinate and a feature.
_LABEL_NAMES = (
    *("label", "class", "target", "species", "category", "diagnosis", "outcome"),
    *("klasse", "classe", "y", "type"),
)
_ROW_NAMES = frozenset({"index", "row", "#", "unnamed: 0", "__index_level_0__"})  # as programs write them
_COUNTER_NAMES = _ROW_NAMES | {"id", "no", "no.", "nr", "nr.", "number", "column 1"}
_ID_NAME = re.compile(r"(?:.*[_\- .])?(?:id|uuid|guid|key)|(?-i:.*[a-z0-9]I[dD])", re.IGNORECASE)
_YES_NO = frozenset({"true", "false", "yes", "no", "ja", "nein", "oui", "non", "t", "f", "y", "n", "j"})
_MOST_CATEGORIES = 20
_MANY_VALUES = 20
_SAME_AS_LABEL = 0.98
_MANY_MISSING_WORDS = 5


def propose_columns(table: Table, label: str | None = None, reason: str = "chosen by you") -> ColumnPlan:
    """Propose a label column (or take the given one, for the given reason) and the features.

    Raises:
        DataError: where no column could serve as a feature.
    """
    columns = {name: column_cells(table, name) for name in table.columns}
    if label is None:
        label, reason = _propose_label(table, columns)
    features, categories, left_out = [], [], []
    for name in columns:
        if name == label:
            continue
        why = why_no_feature(table, name, label)
        if why == "category":
            categories.append(name)
            features.append(name)
        elif why:
            left_out.append((name, why))
        else:
            features.append(name)
    if len(columns) == 1:
        raise DataError(
            f"{table.name} has one column only; a label and at least one feature are needed. Check the separator."
        )
    if not features:
        detail = "; ".join(f"{name}: {why}" for name, why in left_out[:3])
        raise DataError(f"{table.name} has no column of numbers to project ({detail}).")
    mode = "bins" if label and many_numbers(levels_of(table, label), numbers_of(table, label)) else "classes"
    if mode == "bins":
        reason += "; it holds many different numbers"
    return ColumnPlan(label, reason, tuple(features), tuple(left_out), tuple(categories), label_mode=mode)


def _propose_label(table: Table, columns: dict[str, tuple[str, ...]]) -> tuple[str | None, str]:
    def distinct(name: str) -> int:
        return len(levels_of(table, name).values)

    n = len(table.rows)
    named = [name for name in columns if name.strip().lower() in _LABEL_NAMES and 2 <= distinct(name) <= max(2, n // 2)]
    if named:
        name = min(named, key=lambda name: _LABEL_NAMES.index(name.strip().lower()))
        return name, f"its name is {name!r}"
    words = [
        name
        for name in reversed(columns)
        if numbers_of(table, name).words.sum() > n / 2
        and 2 <= distinct(name) <= max(2, n // 2)
        and not dates_or_times(columns[name])
    ]
    if words:
        # Yes or no is rather a feature, where other words could be the label.
        chosen = next((name for name in words if not _yes_or_no(levels_of(table, name).values)), words[0])
        aside = "" if chosen == words[0] else " and say more than yes or no"
        return chosen, f"it is the last column of words that repeat{aside}"
    name = table.columns[-1]
    if whole(numbers_of(table, name)) and 2 <= distinct(name) <= min(50, max(2, n // 2)):
        return name, f"it is the last column and holds {distinct(name)} different whole numbers"
    return None, "no column looks like a label"


def _yes_or_no(cells: Sequence[str]) -> bool:
    return all(cell.lower() in _YES_NO or is_missing(cell) for cell in cells)


def whole(numbers: Numbers) -> bool:
    """Whether every number of the column is whole and finite."""
    known = numbers.values[~np.isnan(numbers.values)]
    return bool(np.isfinite(known).all() and (known == np.floor(known)).all())


def many_numbers(levels: Levels, numbers: Numbers) -> bool:
    """Whether the column holds numbers that are too many and too different to be classes."""
    n_values = sum(map(bool, levels.values))
    if n_values <= _MANY_VALUES or numbers.words.any():
        return False
    return n_values > 50 or not whole(numbers)


def why_no_feature(table: Table, name: str, label: str | None) -> str:
    """The reason to leave the column out, "category" where it is to be one-hot encoded, "" for numbers."""
    cells, facts = column_cells(table, name), facts_of(table, name)
    if not facts.n_values:
        return "it is empty"
    if facts.n_values == 1:
        return f"it is {facts.examples[0]} in every row"
    numbers = numbers_of(table, name)
    n_present = len(cells) - int(numbers.gaps.sum())
    text = int(numbers.words.sum()) > n_present / 2
    if text and (kind := dates_or_times(cells)):
        return f"it holds {kind}"
    if label and _same_as(table, name, label):
        return "it says the same as the label"
    if text:
        if 2 <= facts.n_values <= min(_MOST_CATEGORIES, n_present // 2):
            return "category"
        return "it holds text"
    if facts.n_values == len(cells) and not numbers.words.any() and whole(numbers):
        # Names joined from two header lines begin with the one that counts: "id unit".
        if {name.lower(), *name.lower().split()[:1]} & _COUNTER_NAMES and (np.diff(numbers.values) == 1.0).all():
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
