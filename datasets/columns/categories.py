"""Columns of words -> columns of 0 and 1, one a level; rare levels of wide columns become "other"."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.base.errors import DataError
from datasets.columns.cells import levels_of
from datasets.columns.plan import ColumnPlan
from datasets.reading import Table

MOST_LEVELS = 20
MISSING_LEVEL = "(missing)"
OTHER_LEVEL = "other"


@dataclass(frozen=True)
class OneHot:
    """A category as columns of 0 and 1.

    Attributes
    ----------
    X : np.ndarray
        0 and 1, (n_kept_rows, n_levels).
    levels : tuple[str, ...]
        What each column stands for.
    n_rare : int
        Levels that were taken together as "other".
    """

    X: np.ndarray
    levels: tuple[str, ...]
    n_rare: int


def one_hot(table: Table, name: str, rows: np.ndarray, plan: ColumnPlan) -> OneHot:
    """Encode a category for the rows that stay, bool (n_rows,); a level that stands in no such row makes no column.

    Missing cells become a level of their own where the plan says so, else they count as the most frequent level.

    Raises
    ------
    DataError
        Where more than MOST_LEVELS levels stand in the column and none of them repeats.
    """
    column = levels_of(table, name)
    codes = column.codes[rows]
    counts = np.bincount(codes, minlength=len(column.values))
    there = np.flatnonzero((counts > 0) & ~column.missing)
    by_count = there[np.argsort(-counts[there], kind="stable")]
    rare = np.empty(0, dtype=int)
    if len(there) > MOST_LEVELS:
        if counts[by_count[0]] < 2:
            raise DataError(
                f"{table.name}: no value of column {name!r} repeats, so it cannot be used as categories. Leave it out."
            )
        frequent = by_count[: MOST_LEVELS - 1]
        frequent = frequent[counts[frequent] > 1]
        rare = np.setdiff1d(there, frequent)
        there = frequent
    there = np.array(sorted(there.tolist(), key=lambda k: column.values[k]), dtype=int)
    names = [column.values[k] for k in there]
    place = np.full(len(column.values), -1)
    place[there] = np.arange(len(there))
    if rare.size:
        place[rare] = len(names)
        names.append(_free(OTHER_LEVEL, names))
    if (codes_missing := column.missing[codes]).any():
        if plan.category_gaps == "level":
            place[column.missing] = len(names)
            names.append(_free(MISSING_LEVEL, names))
        elif len(by_count):
            place[column.missing] = place[by_count[0]]
        else:
            raise DataError(f"{table.name}: column {name!r} is empty in all {codes_missing.sum():,} rows that stay.")
    return OneHot((place[codes][:, None] == np.arange(len(names))).astype(float), tuple(names), len(rare))


def _free(name: str, taken: list[str]) -> str:
    while name in taken:
        name += " (2)"
    return name


def categories_note(encoded: dict[str, OneHot]) -> list[str]:
    """One sentence about all of them; rare levels are said."""
    if not encoded:
        return []
    rare = [f"{name} (rarer ones count as 'other')" for name, hot in encoded.items() if hot.n_rare]
    if len(encoded) == 1:
        name, hot = next(iter(encoded.items()))
        if not hot.n_rare:
            return [f"{name}: each of its {len(hot.levels)} values became a column of 0 and 1."]
        kept = len(hot.levels)
        return [f"{name}: {kept} columns of 0 and 1; its {hot.n_rare:,} rarest values count as 'other'."]
    n_columns = sum(len(hot.levels) for hot in encoded.values())
    what = ", ".join(f"{name} ({len(hot.levels)})" for name, hot in list(encoded.items())[:5])
    more = " and more" if len(encoded) > 5 else ""
    end = f" Rare values count as 'other' in {len(rare)} of them." if rare else ""
    return [f"{len(encoded)} columns of words became {n_columns:,} columns of 0 and 1: {what}{more}.{end}"]
