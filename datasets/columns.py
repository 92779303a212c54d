"""Which column is the label and which are features: proposed with a reason, and a Dataset made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from datasets.dataset import UNLABELLED, Dataset, Source
from datasets.errors import DataError
from datasets.reading import Table, as_number

MISSING = frozenset({"", "?", "na", "n/a", "nan", "null", "none", "-"})
_LABEL_NAMES = ("label", "class", "target", "species", "category", "y", "diagnosis", "outcome", "type")
_COUNTER_NAMES = frozenset({"id", "index", "row", "no", "no.", "nr", "nr.", "number", "#", "unnamed: 0", "column 1"})
_MOST_CLASSES = 1_000


@dataclass(frozen=True)
class ColumnPlan:
    """Which columns are used.

    Attributes:
        label: name of the label column; None where none was found.
        label_reason: why this one was proposed.
        features: names of the columns that become features.
        left_out: (name, reason) of the others.
    """

    label: str | None
    label_reason: str
    features: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


def _is_missing(cell: str) -> bool:
    return cell.lower() in MISSING


def _cells(table: Table, name: str) -> list[str]:
    place = table.columns.index(name)
    return [row[place] for row in table.rows]


def propose_columns(table: Table, label: str | None = None) -> ColumnPlan:
    """Propose a label column (or take the given one) and the features.

    Raises:
        DataError: where no column could serve as a feature.
    """
    columns = {name: _cells(table, name) for name in table.columns}
    reason = "chosen by you"
    if label is None:
        label, reason = _propose_label(table, columns)
    features, left_out = [], []
    for name, cells in columns.items():
        if name == label:
            continue
        why = _why_no_feature(table, name, cells)
        if why:
            left_out.append((name, why))
        else:
            features.append(name)
    if not features:
        detail = "; ".join(f"{name}: {why}" for name, why in left_out[:3])
        raise DataError(f"{table.name} has no column of numbers to project ({detail}).")
    return ColumnPlan(label, reason, tuple(features), tuple(left_out))


def _propose_label(table: Table, columns: dict[str, list[str]]) -> tuple[str | None, str]:
    def distinct(name: str) -> int:
        return len(set(columns[name]))

    n = len(table.rows)
    for name in columns:
        if name.strip().lower() in _LABEL_NAMES and 2 <= distinct(name) <= max(2, n // 2):
            return name, f"its name is {name!r}"
    for name in reversed(columns):
        text = sum(as_number(cell, table.decimal) is None and not _is_missing(cell) for cell in columns[name])
        if text > n / 2 and 2 <= distinct(name) <= max(2, n // 2):
            return name, "it is the last column of words that repeat"
    name = table.columns[-1]
    whole = all((as_number(c, table.decimal) or 0.0).is_integer() for c in columns[name] if not _is_missing(c))
    if whole and 2 <= distinct(name) <= min(50, max(2, n // 2)):
        return name, f"it is the last column and holds {distinct(name)} different whole numbers"
    return None, "no column looks like a label"


def _why_no_feature(table: Table, name: str, cells: list[str]) -> str:
    present = [cell for cell in cells if not _is_missing(cell)]
    if not present:
        return "it is empty"
    bad = sum(as_number(cell, table.decimal) is None for cell in present)
    if bad > len(present) / 2:
        return "it holds text"
    if len(set(present)) == 1:
        return f"it is {present[0]} in every row"
    numbers = [as_number(cell, table.decimal) for cell in present]
    steps = {b - a for a, b in pairwise(numbers) if a is not None and b is not None}
    if name.lower() in _COUNTER_NAMES and bad == 0 and steps == {1.0}:
        return "it counts the rows"
    return ""


def build_dataset(table: Table, plan: ColumnPlan) -> Dataset:
    """The data set that `plan` describes; rows with missing features are left out and counted in its notes.

    Raises:
        DataError: with line and column for a cell that is neither a number nor missing, an infinite value, a label
            with fewer than two or too many classes, or where no row is left.
    """
    if plan.label is None:
        raise DataError(f"{table.name}: no column looks like a label. Choose the label column.")
    n = len(table.rows)
    X = np.empty((n, len(plan.features)))
    for k, name in enumerate(plan.features):
        X[:, k] = _numbers(table, name)
    complete = ~np.isnan(X).any(axis=1)
    notes = list(table.notes)
    notes.append(f"Label: {plan.label} ({plan.label_reason}).")
    if plan.left_out:
        notes.append("Left out: " + "; ".join(f"{name} ({why})" for name, why in plan.left_out) + ".")
    if not complete.all():
        notes.append(f"{int((~complete).sum())} of {n} rows have missing values and were left out.")
    if not complete.any():
        raise DataError(f"{table.name}: every row has a missing value, so nothing is left. Fill the gaps first.")
    labels = np.array(_cells(table, plan.label), dtype=object)[complete]
    # "NA" and "None" can be names of classes: only a blank cell is a missing label.
    names = sorted({label for label in labels if label})
    if len(names) < 2:
        raise DataError(
            f"{table.name}: the label column {plan.label!r} has {len(names)} class; at least two are needed."
        )
    if len(names) > _MOST_CLASSES:
        raise DataError(
            f"{table.name}: the label column {plan.label!r} has {len(names):,} different values, at most "
            f"{_MOST_CLASSES:,} classes are handled. Choose a column with fewer."
        )
    code = {name: k for k, name in enumerate(names)}
    y = np.array([code.get(label, UNLABELLED) for label in labels], dtype=np.int64)
    unlabelled = int(np.sum(y == UNLABELLED))
    if unlabelled:
        notes.append(f"{unlabelled} rows have no label: drawn in grey, not trained on.")
    single = [names[k] for k in np.flatnonzero(np.bincount(y[y >= 0], minlength=len(names)) == 1)]
    if single and len(single) < len(names):
        shown = ", ".join(single[:5]) + (" and more" if len(single) > 5 else "")
        notes.append(f"{len(single)} class(es) have a single row, which no other row can vote for: {shown}.")
    return Dataset(
        name=table.name,
        X=X[complete],
        y=y,
        feature_names=plan.features,
        class_names=tuple(names),
        source=Source(f"uploaded: {table.name}"),
        row_numbers=np.array(table.line_numbers, dtype=np.int64)[complete],
        notes=tuple(notes),
    )


def _numbers(table: Table, name: str) -> np.ndarray:
    """The column as float64, NaN for missing cells."""
    result = np.empty(len(table.rows))
    for k, cell in enumerate(_cells(table, name)):
        value = math.nan if _is_missing(cell) else as_number(cell, table.decimal)
        if value is None:
            raise DataError(
                f"{table.name}, line {table.line_numbers[k]}, column {name!r}: {cell[:40]!r} is not a number. "
                "Mend the cell or leave it empty."
            )
        if math.isinf(value):
            raise DataError(
                f"{table.name}, line {table.line_numbers[k]}, column {name!r}: {cell[:40]!r} is infinite. "
                "Mend the cell or leave it empty."
            )
        result[k] = value
    return result
