"""build_dataset: the data set a ColumnPlan describes; missing_costs: what each way with missing values costs."""

from __future__ import annotations

import numpy as np

from datasets.columns.cells import column_cells, column_numbers, numbers_of
from datasets.columns.labels import read_labels
from datasets.columns.plan import MISSING_CHOICES, ColumnPlan, MissingCost
from datasets.columns.sentinels import sentinel_note
from datasets.counted import counted
from datasets.dataset import Dataset, Source
from datasets.errors import DataError
from datasets.first_few import first_few
from datasets.reading import Limits, Table, is_missing
from datasets.reading.table import unique_names

_FEWEST_ROWS = 3
_COUNT_DUPLICATES_UP_TO = 3_000_000


def build_dataset(table: Table, plan: ColumnPlan) -> Dataset:
    """The data set that `plan` describes; what was left out, filled or cleaned is counted in its notes.

    Raises:
        DataError: with line and column for a cell that is neither a number nor missing, an infinite or too large
            value, labels that cannot be trained on, or where too few rows are left or all are equal.
    """
    if plan.label is None:
        raise DataError(f"{table.name}: no column looks like a label. Choose the label column.")
    if not plan.features:
        raise DataError(f"{table.name}: no column is chosen as a feature. Choose at least one.")
    X, names, cleaned = _features(table, plan)
    X, names, rows, missing = _without_missing(table, X, names, plan)
    if len(X) < _FEWEST_ROWS:
        few = counted(len(X), "usable row is", "usable rows are")
        raise DataError(f"{table.name}: {few} too few; at least {_FEWEST_ROWS} are needed.")
    if (X[0] == X).all():
        raise DataError(f"{table.name}: all rows are equal, so there is nothing to tell apart. Choose other features.")
    labels = read_labels(table, plan, rows)
    notes = [*table.notes, f"Label: {plan.label} ({plan.label_reason})."]
    if plan.left_out:
        notes.append("Left out: " + "; ".join(f"{name} ({why})" for name, why in plan.left_out) + ".")
    notes += [*cleaned, *missing, *labels.notes, *_duplicates(X, labels.y)]
    return Dataset(
        name=table.name,
        X=X,
        y=labels.y,
        feature_names=names,
        class_names=labels.names,
        source=Source(f"uploaded: {table.name}"),
        target=labels.target,
        row_numbers=np.array(table.line_numbers, dtype=np.int64)[rows],
        notes=tuple(notes),
    )


def missing_costs(table: Table, plan: ColumnPlan) -> dict[str, MissingCost]:
    """What each of MISSING_CHOICES would leave of the plan's features, to be shown before one chooses."""
    n, gaps_in_row = len(table.rows), np.zeros(len(table.rows), dtype=bool)
    n_gaps, whole, empty = 0, 0, 0
    for name in plan.features:
        gaps = numbers_of(table, name).gaps
        gaps_in_row |= gaps
        n_gaps += 0 if gaps.all() else int(gaps.sum())
        whole += not gaps.any()
        empty += bool(gaps.all())
    return {
        "drop_rows": MissingCost(n - int(gaps_in_row.sum()), len(plan.features), 0),
        "drop_columns": MissingCost(n, whole, 0),
        "impute": MissingCost(n, len(plan.features) - empty, n_gaps),
    }


def _features(table: Table, plan: ColumnPlan) -> tuple[np.ndarray, tuple[str, ...], list[str]]:
    """X (n_rows, n_features) with NaN where missing, names, and notes; categories become one 0/1 column a value."""
    columns: list[np.ndarray] = []
    names: list[str] = []
    notes: list[str] = []
    for name in plan.features:
        if name not in plan.categories:
            numbers, note = column_numbers(table, name)
            columns.append(numbers)
            names.append(name)
            notes += filter(None, (note, sentinel_note(name, numbers)))
            continue
        cells = column_cells(table, name)
        values = sorted({cell for cell in cells if not is_missing(cell)})
        if len(columns) + len(values) > Limits().columns:
            raise DataError(
                f"{table.name}: encoding {name!r} with its {len(values):,} values makes more than "
                f"{Limits().columns:,} columns. Leave it out."
            )
        gaps = numbers_of(table, name).gaps
        for value in values:
            column = np.array([cell == value for cell in cells], dtype=float)
            column[gaps] = np.nan
            columns.append(column)
            names.append(f"{name} = {value}")
        notes.append(f"{name}: each of its {len(values)} values became a column of 0 and 1.")
    return np.column_stack(columns), unique_names(tuple(names)), notes


def _without_missing(
    table: Table, X: np.ndarray, names: tuple[str, ...], plan: ColumnPlan
) -> tuple[np.ndarray, tuple[str, ...], np.ndarray, list[str]]:
    """X without NaN, its names, which rows stayed (bool, (n_rows,)) and a note on the cost."""
    if plan.missing not in MISSING_CHOICES:
        raise DataError(f"Missing values: {plan.missing!r} is unknown; there are {', '.join(MISSING_CHOICES)}.")
    gaps = np.isnan(X)  # (n_rows, n_features)
    rows = np.ones(len(X), dtype=bool)
    if not gaps.any():
        return X, names, rows, []
    if plan.missing == "drop_rows":
        rows = ~gaps.any(axis=1)
        if not rows.any():
            raise DataError(f"{table.name}: every row has a missing value, so nothing is left. Fill the gaps first.")
        n_gone = int((~rows).sum())
        have = "has missing values and was" if n_gone == 1 else "have missing values and were"
        return X[rows], names, rows, [f"{n_gone} of {len(X)} rows {have} left out."]
    keep = ~(gaps.any(axis=0) if plan.missing == "drop_columns" else gaps.all(axis=0))
    if not keep.any():
        raise DataError(f"{table.name}: every column has a missing value, so nothing is left. Leave out rows instead.")
    dropped = [name for name, kept in zip(names, keep, strict=True) if not kept]
    X, names, gaps = X[:, keep], tuple(name for name, kept in zip(names, keep, strict=True) if kept), gaps[:, keep]
    gone = counted(len(dropped), "column with missing values was", "columns with missing values were")
    notes = [f"{gone} left out: {first_few(dropped)}."] if dropped else []
    if plan.missing == "impute":
        X = np.where(gaps, np.nanmedian(X, axis=0), X)
        filled = counted(int(gaps.sum()), "missing cell was", "missing cells were")
        notes.append(f"{filled} filled with the median of the column.")
    return X, names, rows, notes


def _duplicates(X: np.ndarray, y: np.ndarray) -> list[str]:
    """How many rows repeat an earlier one, and how many of them under another label."""
    if X.size > _COUNT_DUPLICATES_UP_TO:
        return []
    seen: dict[bytes, int] = {}
    conflicting = 0
    for row, label in zip(X + 0.0, y.tolist(), strict=True):  # + 0.0: −0 and 0 are the same number
        first = seen.setdefault(row.tobytes(), label)
        conflicting += first != label
    repeated = len(X) - len(seen)
    if not repeated:
        return []
    clash = f", {conflicting:,} of them under another label" if conflicting else ""
    return [f"{counted(repeated, 'row repeats', 'rows repeat')} the features of an earlier row{clash}."]
