"""build_dataset: the data set that a ColumnPlan describes."""

from __future__ import annotations

import numpy as np

from datasets.base.counted import counted
from datasets.base.dataset import Dataset, Source
from datasets.base.errors import DataError
from datasets.columns.categories import OneHot, categories_note, one_hot
from datasets.columns.cells import column_numbers
from datasets.columns.gaps import Kept, without_gaps
from datasets.columns.labels import read_labels
from datasets.columns.plan import ColumnPlan
from datasets.columns.sentinels import sentinel_note
from datasets.reading import Limits, Table
from datasets.reading.table import unique_names

_FEWEST_ROWS = 3
_REASONS_SHOWN = 3
_NAMES_SHOWN = 20


def build_dataset(table: Table, plan: ColumnPlan) -> Dataset:
    """The data set that `plan` describes; what was left out, filled or cleaned is counted in its notes.

    Raises
    ------
    DataError
        With line and column for a cell that is neither a number nor missing, an infinite or too large
        value, labels that cannot be trained on, or where too few rows are left or all are equal.
    """
    if plan.label is None:
        raise DataError(f"{table.name}: no column looks like a label. Choose the label column.")
    if not plan.features:
        raise DataError(f"{table.name}: {nothing_to_project(plan.left_out)}.")
    kept, costs = without_gaps(table, plan)
    X, names, cleaned = _features(table, plan, kept)
    if len(X) < _FEWEST_ROWS:
        few = counted(len(X), "usable row is", "usable rows are")
        raise DataError(f"{table.name}: {few} too few; at least {_FEWEST_ROWS} are needed.")
    if (X[0] == X).all():
        raise DataError(f"{table.name}: all rows are equal, so there is nothing to tell apart. Choose other features.")
    labels = read_labels(table, plan, kept.rows)
    # What costs most stands first.
    notes = [*costs, *table.all_notes, f"Label: {plan.label} ({plan.label_reason})."]
    notes += left_out_note(plan.left_out)
    notes += [*cleaned, *labels.notes, *_duplicates(X, labels.y)]
    return Dataset(
        name=table.name,
        X=X,
        y=labels.y,
        feature_names=names,
        class_names=labels.names,
        source=Source(f"uploaded: {table.name}"),
        target=labels.target,
        row_numbers=np.array(table.line_numbers, dtype=np.int64)[kept.rows],
        notes=tuple(notes),
    )


def left_out_note(left_out: tuple[tuple[str, str], ...]) -> list[str]:
    """The columns that are no features, (name, reason), the first few of each reason; no line where there are none."""
    by_reason: dict[str, list[str]] = {}
    for name, why in left_out:
        by_reason.setdefault(why, []).append(name)
    groups = [f"{_few(names)} ({why})" for why, names in by_reason.items()]
    return [f"Left out: {'; '.join(groups)}."] if groups else []


def _few(names: list[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def nothing_to_project(left_out: tuple[tuple[str, str], ...]) -> str:
    """That no column is left, and the reasons of the first few."""
    why = "; ".join(f"{name}: {reason}" for name, reason in left_out[:_REASONS_SHOWN])
    return f"no column is left to project ({why})"


def _features(table: Table, plan: ColumnPlan, kept: Kept) -> tuple[np.ndarray, tuple[str, ...], list[str]]:
    """X (n_kept_rows, n_features) without gaps, names, and notes; a category becomes one 0/1 column a level."""
    blocks: list[np.ndarray] = []
    names: list[str] = []
    notes: list[str] = []
    encoded: dict[str, OneHot] = {}
    most = Limits().columns
    for name in kept.features:
        if name not in plan.categories:
            values, said = column_numbers(table, name, name in plan.odd_as_missing)
            notes += [*said, *filter(None, [sentinel_note(name, values)])]
            values = values[kept.rows]
            gaps = np.isnan(values)
            if gaps.any():
                values = np.where(gaps, np.nanmedian(values), values)
            blocks.append(values[:, None])
            names.append(name)
            continue
        hot = one_hot(table, name, kept.rows, plan)
        if len(names) + len(hot.levels) > most:
            raise DataError(
                f"{table.name}: encoding {name!r} with its {len(hot.levels):,} values makes more than {most:,} "
                "columns. Leave it out."
            )
        encoded[name] = hot
        blocks.append(hot.X)
        names += [f"{name} = {level}" for level in hot.levels]
    return np.hstack(blocks), unique_names(tuple(names)), [*notes, *categories_note(encoded)]


def _duplicates(X: np.ndarray, y: np.ndarray) -> list[str]:
    """How many rows repeat an earlier one, and how many of them under another label than the first."""
    # Rows are equal where their bits are: each is summed up in 64 bits, modulo 2^64, with odd random factors.
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, 2**62, size=(X.shape[1],))
    factors = drawn.astype(np.uint64) * np.uint64(2) + np.uint64(1)
    marks = np.zeros(len(X), dtype=np.uint64)
    for k in range(X.shape[1]):
        bits = np.ascontiguousarray(X[:, k] + 0.0).view(np.uint64)  # + 0.0: −0 and 0 are the same number
        marks += (bits ^ (bits >> np.uint64(29))) * factors[k]
    in_order = np.sort(marks)
    repeated = int(np.sum(in_order[1:] == in_order[:-1]))
    if not repeated:
        return []
    _, first, which = np.unique(marks, return_index=True, return_inverse=True)
    conflicting = int(np.sum(y != y[first[which]]))
    clash = f", {conflicting:,} of them under another label" if conflicting else ""
    return [f"{counted(repeated, 'row repeats', 'rows repeat')} the features of an earlier row{clash}."]
