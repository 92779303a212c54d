"""The label column -> class codes, class names and, where numbers are kept, continuous targets."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from datasets.base.counted import counted
from datasets.base.dataset import UNLABELLED
from datasets.base.errors import DataError
from datasets.base.first_few import first_few
from datasets.columns.cells import column_numbers, levels_of, numbers_of
from datasets.columns.gaps import kept_by
from datasets.columns.plan import LABEL_MODES, MISSING_CHOICES, SINGLES_CHOICES, ColumnPlan
from datasets.reading import Table, as_number, is_missing

_MOST_CLASSES = 1_000


@dataclass(frozen=True)
class Labels:
    """Class codes (n_rows,), names, continuous values (n_rows,) or None, and sentences about them."""

    y: np.ndarray
    names: tuple[str, ...]
    target: np.ndarray | None
    notes: tuple[str, ...]


def read_labels(table: Table, plan: ColumnPlan, rows: np.ndarray) -> Labels:
    """Labels of the rows for which `rows` (bool, (n_rows,)) is True.

    Raises
    ------
    DataError
        For an unknown mode, fewer than two or more than 1,000 classes, or classes of one row only.
    """
    if plan.label is None:
        raise DataError(f"{table.name}: no column looks like a label. Choose the label column.")
    if plan.label_mode not in LABEL_MODES:
        raise DataError(f"Label mode {plan.label_mode!r} is unknown; there are {', '.join(LABEL_MODES)}.")
    if plan.singles not in SINGLES_CHOICES:
        raise DataError(f"Single rows: {plan.singles!r} is unknown; there are {', '.join(SINGLES_CHOICES)}.")
    labels = _classes(table, plan, rows) if plan.label_mode == "classes" else _numbers(table, plan, rows)
    counts = np.bincount(labels.y[labels.y >= 0], minlength=len(labels.names))
    if counts.max(initial=0) < 2:
        raise DataError(
            f"{table.name}: every class of the label column {plan.label!r} has a single row, so no row has a "
            f"neighbour of its class. Choose a column whose values repeat{_or_a_number(table, plan.label)}."
        )
    return _singles(labels, counts, plan.singles)


def count_singles(table: Table, plan: ColumnPlan) -> int:
    """How many classes have one row, before `plan.singles` is applied; 0 where the labels are cut from numbers."""
    if plan.label is None or plan.label_mode != "classes":
        return 0
    rows = kept_by(table, plan, plan.missing).rows if plan.missing in MISSING_CHOICES else slice(None)
    names, codes = _class_codes(table, plan)
    counts = np.bincount(codes[rows] + 1, minlength=len(names) + 1)[1:]
    return int(np.sum(counts == 1))


def _class_codes(table: Table, plan: ColumnPlan) -> tuple[list[str], np.ndarray]:
    """Class names and each row's code, (n_rows,), UNLABELLED for a blank cell; spellings merged as the plan says."""
    levels = levels_of(table, plan.label or "")
    merged = dict(plan.spellings)
    names = [merged.get(cell, cell) for cell in levels.values]
    code = {name: k for k, name in enumerate(dict.fromkeys(name for name in names if name))}
    return list(code), np.array([code.get(name, UNLABELLED) for name in names], dtype=np.int64)[levels.codes]


def _classes(table: Table, plan: ColumnPlan, rows: np.ndarray) -> Labels:
    label = plan.label or ""
    # "NA" and "None" can be names of classes: only a blank cell is a missing label.
    known, codes = _class_codes(table, plan)
    codes = codes[rows]
    counts = np.bincount(codes + 1, minlength=len(known) + 1)[1:]
    names = sorted((name for name, count in zip(known, counts, strict=True) if count), key=_as_people_count)
    if len(names) < 2:
        n_classes = counted(len(names), "class", "classes")
        raise DataError(f"{table.name}: the label column {label!r} has {n_classes}; at least two are needed.")
    if len(names) > _MOST_CLASSES:
        raise DataError(
            f"{table.name}: the label column {label!r} has {len(names):,} different values, at most "
            f"{_MOST_CLASSES:,} classes are handled. Choose a column with fewer{_or_a_number(table, label)}."
        )
    notes = [
        f"{name!r} is a class of its own; where it means a missing label, add it to the words for missing values."
        for name in names
        if is_missing(name)
    ]
    if plan.spellings:
        n_merged = sum(levels_of(table, label).values.count(cell) for cell, _ in plan.spellings)
        spelt = counted(n_merged, "spelling was", "spellings were")
        notes.append(f"{spelt} merged into others that differ in capitals or blanks only.")
    place = {name: k for k, name in enumerate(names)}
    new = np.array([*(place.get(name, UNLABELLED) for name in known), UNLABELLED], dtype=np.int64)
    y = new[codes]  # the last one stands for UNLABELLED, -1
    return Labels(y, tuple(names), None, (*notes, *_unlabelled(y)))


def _or_a_number(table: Table, label: str) -> str:
    numbers = numbers_of(table, label)
    return ", or treat it as a number" if np.count_nonzero(~np.isnan(numbers.values)) > len(numbers.values) / 2 else ""


def _as_people_count(name: str) -> tuple[float, list[tuple[float, str]], str]:
    """-1 before 1, "class 2" before "class 10"; what only differs in its zeros keeps an order of its own."""
    value = as_number(name)
    if value is not None and math.isfinite(value):
        return value, [], name
    parts = re.split(r"([0-9]{1,15})", name)
    return math.inf, [(float(part), "") if k % 2 else (-1.0, part) for k, part in enumerate(parts)], name


def _numbers(table: Table, plan: ColumnPlan, rows: np.ndarray) -> Labels:
    """Classes of equal frequency, cut at quantiles (ties stay together), and the numbers themselves if wanted."""
    label = plan.label or ""
    values, cleaned = column_numbers(table, label, label in plan.odd_as_missing)
    values = values[rows]
    known = ~np.isnan(values)
    if plan.n_bins < 2 or not known.any():
        raise DataError(f"{table.name}: the label column {label!r} needs numbers and at least two bins.")
    inner = np.linspace(0, 1, plan.n_bins + 1)[1:-1]
    cuts = np.unique(np.quantile(values[known], inner))
    cuts = cuts[(cuts >= values[known].min()) & (cuts < values[known].max())]
    if cuts.size == 0:
        raise DataError(
            f"{table.name}: the label column {label!r} cannot be cut into classes: most of its values are equal. "
            "Treat each value as a class."
        )
    y = np.where(known, np.searchsorted(cuts, values, side="left"), UNLABELLED).astype(np.int64)
    edges = [_short_edge(cut, values[known]) for cut in cuts]
    names = (f"≤ {edges[0]}", *(f"{a} … {b}" for a, b in pairwise(edges)), f"> {edges[-1]}")
    kept = plan.label_mode == "continuous"
    what = "are kept as they are, beside" if kept else "were cut into"
    notes = [f"The numbers of {label!r} {what} {len(names)} classes of about equal frequency."]
    notes += cleaned
    target = values if kept else None
    return Labels(y, names, target, (*notes, *_unlabelled(y)))


def _short_edge(cut: float, values: np.ndarray) -> str:
    """The number of fewest digits that divides the values where the cut does: 18.8333 between 18.5 and 19 is "18.8"."""
    below, above = values[values <= cut].max(), values[values > cut].min()
    for digits in range(1, 17):
        edge = float(f"{cut:.{digits}g}")
        if below <= edge < above:
            return f"{edge:.{max(digits, 6)}g}"
    return repr(float(cut))


def _unlabelled(y: np.ndarray) -> tuple[str, ...]:
    n = int(np.sum(y == UNLABELLED))
    return (f"{counted(n, 'row has', 'rows have')} no label: drawn in grey, not trained on.",) if n else ()


def _singles(labels: Labels, counts: np.ndarray, choice: str) -> Labels:
    """Classes with one row: kept, left out of training, or merged into one."""
    single = np.flatnonzero(counts == 1)
    if single.size == 0:
        return labels
    shown = first_few([labels.names[k] for k in single])
    have = counted(single.size, "class has", "classes have")
    what = f"{have} a single row, which no other row can vote for: {shown}"
    if choice == "keep" or (choice == "merge" and single.size == 1):
        return Labels(labels.y, labels.names, labels.target, (*labels.notes, f"{what}."))
    kept = [k for k in range(len(labels.names)) if counts[k] > 1]
    names = [labels.names[k] for k in kept]
    new = np.full(len(labels.names), UNLABELLED, dtype=np.int64)
    new[kept] = np.arange(len(kept))
    if choice == "merge":
        new[single] = len(names)
        names.append(_free_name("single rows", names))
        what += "; they were merged into one class"
    else:
        what += "; they are drawn but not trained on"
    if len(names) < 2:
        raise DataError("With its single rows left out, one class remains; at least two are needed. Keep them.")
    y = np.where(labels.y >= 0, new[labels.y], UNLABELLED)
    return Labels(y, tuple(names), labels.target, (*labels.notes, f"{what}."))


def _free_name(name: str, taken: list[str]) -> str:
    while name in taken:
        name += " (2)"
    return name
