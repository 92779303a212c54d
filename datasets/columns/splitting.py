"""Which rows are held out or kept for a test: the same share of each class, whole groups, or the latest rows."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import UNLABELLED, Dataset, SplitColumn
from datasets.base.stratified import stratified_rows
from datasets.base.words import counted, first_few, percent

SPLITS = {"stratified": "the same share of each class", "group": "groups stay together", "time": "the latest rows"}
_TEST_SEED = 0  # another seed of the split keeps the test rows
_FEWEST_TEST, _FEWEST_OTHERS = 10, 20  # rows
_OFF = 0.05  # of the share that was asked for, from which the share that came is said
_DRAWS = 20  # of groups, to find one that leaves every class on both sides


def choose_held_out(
    dataset: Dataset, y: np.ndarray, labelled: np.ndarray, share: float, by: str, name: str, rng: np.random.Generator
) -> tuple[np.ndarray, list[str]]:
    """Hold out about `share` of the labelled rows.

    dataset: with the `split_columns` to choose from.
    y: class codes that decide.
    labelled: rows that can be held out.
    by, name: key of SPLITS, and the column for "group" and "time".

    Returns the rows held out, bool (n_samples,), and notes. Where the column allows no such split, one of them says
    why, and the rows are split by class.
    """
    held_out, rows = np.zeros(len(y), dtype=bool), np.flatnonzero(labelled)
    count, notes = round(share * len(rows)), list[str]()
    if by != "stratified":
        column = next((each for each in dataset.split_columns if each.name == name), None)
        if column is None:
            found: np.ndarray | str = f"There is no column {name!r} to split by."
        elif by == "time":
            found = _latest(column, rows, count)
        else:
            found = _whole_groups(column, rows, y, count, rng.spawn(1)[0])
        if not isinstance(found, str) and len(np.unique(y[rows[~found]])) < 2:
            found = f"Split by {name}, the training rows have one class."
        if not isinstance(found, str):
            held_out[rows[found]] = True
            return held_out, _about(dataset, y, rows, found, by, name, share)
        notes = [f"{found} The rows are split by class instead."]
    held_out[rows[stratified_rows(y[rows], count, rng)]] = True
    return held_out, notes


def choose_test(dataset: Dataset, y: np.ndarray, share: float, by: str, name: str) -> tuple[np.ndarray, list[str]]:
    """Keep about `share` of the labelled rows for a test, the same ones for every seed of the split.

    dataset: all rows, before any are sampled.
    y: class codes that decide.
    by, name: as for `choose_held_out`.

    Returns the test rows, bool (n_samples,), and notes. Where the rows do not suffice for three parts there are none,
    and the note says so.
    """
    none = np.zeros(len(y), dtype=bool)
    if not share:
        return none, []
    labelled = dataset.y != UNLABELLED
    test, notes = choose_held_out(dataset, y, labelled, share, by, name, np.random.default_rng(_TEST_SEED))
    others = labelled & ~test
    column = next((each for each in dataset.split_columns if each.name == name), None)
    divides = True
    if column is not None and by != "stratified":
        values = column.codes[others] if by == "group" or column.times is None else column.times[others]
        known = values[values >= 0] if by == "group" else values[~np.isnan(values)]
        divides = len(np.unique(known)) > 1
    enough = test.sum() >= _FEWEST_TEST and others.sum() >= _FEWEST_OTHERS and len(np.unique(y[others])) > 1
    if not divides or not enough:
        return none, ["Too few rows for a test part: the split has two parts."]
    return test, [f"Test rows: {note[0].lower()}{note[1:]}" for note in notes]


def _whole_groups(
    column: SplitColumn, rows: np.ndarray, y: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray | str:
    """Random groups with about `count` rows together; rows without a group are trained on."""
    codes, classes = column.codes[rows], y[rows]
    groups, sizes = np.unique(codes[codes >= 0], return_counts=True)
    if len(groups) < 2:
        return f"Column {column.name!r} has {counted(len(groups), 'group')}; a split by group needs two."
    best, fewest = np.zeros(len(rows), dtype=bool), len(np.unique(classes)) + 1
    for _ in range(_DRAWS):
        order = rng.permutation(len(groups))
        k = 1 + int(np.argmin(np.abs(np.cumsum(sizes[order])[:-1] - count)))
        found = np.isin(codes, groups[order[:k]])
        if (lost := len(_on_one_side(classes, found))) < fewest:
            best, fewest = found, lost
        if not fewest:
            break
    return best


def _latest(column: SplitColumn, rows: np.ndarray, count: int) -> np.ndarray | str:
    """The latest rows, about `count`; equal times stay together, and rows without a time are trained on."""
    if column.times is None:
        return f"Column {column.name!r} holds neither numbers nor dates."
    times = column.times[rows]
    values, sizes = np.unique(times[~np.isnan(times)], return_counts=True)
    if len(values) < 2:
        return f"Column {column.name!r} has {counted(len(values), 'time')}; a split by time needs two."
    later = np.cumsum(sizes[::-1])[::-1][1:]  # rows from each cut on
    return np.asarray(times >= values[1 + int(np.argmin(np.abs(later - count)))])


def _on_one_side(classes: np.ndarray, held_out: np.ndarray) -> np.ndarray:
    return np.setxor1d(classes[held_out], classes[~held_out])


def _about(
    dataset: Dataset, y: np.ndarray, rows: np.ndarray, held_out: np.ndarray, by: str, name: str, share: float
) -> list[str]:
    column = next(each for each in dataset.split_columns if each.name == name)
    codes = column.codes[rows]
    if by == "time" and column.times is not None:
        missing = int(np.isnan(column.times[rows]).sum())
        said = "the latest rows are held out; equal times stay together"
    else:
        groups = len(np.unique(codes[held_out])), len(np.unique(codes[codes >= 0]))
        missing, said = int(np.sum(codes < 0)), f"{groups[0]:,} of {counted(groups[1], 'group')} held out"
    notes = [f"Split by {name}: {said}."]
    if abs(held_out.mean() - share) > _OFF:
        notes.append(f"Split by {name}: {percent(held_out.mean())} of the rows are held out, not {percent(share)}.")
    if by == "group" and name in (*dataset.feature_names, *(category.name for category in dataset.categories)):
        notes.append(f"{name} groups the rows and is a feature, too.")
    if missing:
        notes.append(f"{counted(missing, 'training row has', 'training rows have')} no {name}.")
    if len(lost := _on_one_side(y[rows], held_out)):
        names = first_few([dataset.class_names[code] for code in lost])
        notes.append(f"Split by {name}: only one side has rows of {names}.")
    return notes
