"""The table of a comparison: a row for each panel, a column for each number; as a frame to look at and as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from datasets.export import export_csv
from pages.text.plain_text import visible
from study.scores import NAMES, Scores
from study.splits import FEWEST, Splits

HELD_OUT, OWN = "Held-out rows", "Training rows, leave-one-out (optimistic)"


@dataclass(frozen=True)
class Column:
    """A number of the table: the group above it, its title, its digits, and whether the greatest is the best."""

    group: str
    title: str
    digits: int = 3
    ranked: bool = False


COLUMNS: dict[str, Column] = {
    "held_out_1nn": Column(HELD_OUT, "1-NN", ranked=True),
    "held_out_knn": Column(HELD_OUT, "K̂-NN", ranked=True),
    "held_out_local": Column(HELD_OUT, "each its own K", ranked=True),
    "held_out_stochastic": Column(HELD_OUT, "likeliest class", ranked=True),
    "own_1nn": Column(OWN, "1-NN "),
    "own_knn": Column(OWN, "K̂-NN "),
    "own_local": Column(OWN, "each its own K "),
    "own_stochastic": Column(OWN, "likeliest class "),
    "trustworthiness": Column("Projection", "trustworthiness", ranked=True),
    "mean_p": Column("Projection", "f/n"),
    "k_mean_entropy": Column("Projection", "K̂", 1),
    "k_mean_perplexity": Column("Projection", "mean of own K", 1),
    "k": Column("Projection", "K asked", 0),
    "seconds": Column("Computing", "seconds"),
}
assert set(COLUMNS) == set(NAMES)
_BOLD = "font-weight: 700"


def fair_table(titles: Mapping[str, str], scores: Mapping[str, Scores]) -> Styler:
    """The numbers as measured once; nothing is bold, as one split tells no luck from skill.

    Parameters
    ----------
    titles : mapping of str to str
        What the panels are called, by key, in the order of the rows.
    scores : mapping of str to Scores
        By key; a panel without any has empty cells.
    """
    keys = list(titles)
    rows = [scores.get(key, Scores()) for key in keys]
    values = np.array([[getattr(row, name) for name in COLUMNS] for row in rows], dtype=np.float64)
    styler = _frame(titles, values).style
    for name, column in COLUMNS.items():
        styler = styler.format(precision=column.digits, subset=[_label(name)])
    return styler


def splits_table(titles: Mapping[str, str], splits: Splits) -> Styler:
    """Mean ± standard error over the splits; the best is bold where it is so beyond its uncertainty."""
    there = {panel.key for panel in splits.recipe.panels}
    titles = {key: title for key, title in titles.items() if key in there}
    values = np.array([[splits.mean(key, name) for name in COLUMNS] for key in titles], dtype=np.float64)
    frame = _frame(titles, values)
    styler = frame.style
    for name, column in COLUMNS.items():
        best = splits.best(name) if column.ranked else None
        for place, key in enumerate(titles):
            cell: Any = (frame.index[place : place + 1], [_label(name)])
            error = splits.standard_error(key, name)
            written = f"{{:.{column.digits}f}}" + ("" if np.isnan(error) else f" ± {error:.{column.digits}f}")
            styler = styler.format(written, subset=cell)
            if key == best:
                styler = styler.map(lambda _: _BOLD, subset=cell)
    return styler


def told_apart(splits: Splits, name: str) -> list[str]:
    """The panels that have this number, the one with the best mean first."""
    keys = [panel.key for panel in splits.recipe.panels if not np.isnan(splits.mean(panel.key, name))]
    return sorted(keys, key=lambda key: -splits.mean(key, name))


def differences_table(titles: Mapping[str, str], splits: Splits, name: str, one: str) -> pd.DataFrame:
    """The panel `one` against each other one: the paired difference, its error, and how sure it is."""
    few = f"fewer than {FEWEST} splits"
    lines = []
    for other in told_apart(splits, name):
        if other != one:
            mean, error = splits.difference(one, other, name)
            pair = f"{visible(titles[one])} − {visible(titles[other])}"
            sure = splits.beyond_chance(one, other, name) or splits.beyond_chance(other, one, name)
            lines.append((pair, mean, error, few if splits.done < FEWEST else "yes" if sure else "no"))
    return pd.DataFrame(lines, columns=["pair", "mean difference", "standard error", "beyond chance"])


def table_csv(titles: Mapping[str, str], scores: Mapping[str, Scores], splits: Splits | None) -> bytes:
    """The table for spreadsheets; of repeated splits, mean and standard error of every number."""
    names = [f"{column.group}: {column.title.strip()}" for column in COLUMNS.values()]
    if splits is None:
        lines: list[list[object]] = [
            [title, *(_number(getattr(scores.get(key, Scores()), name)) for name in COLUMNS)]
            for key, title in titles.items()
        ]
        return export_csv(["panel", *names], lines).encode("utf-8-sig")
    head = ["panel", "splits", *(part for name in names for part in (name, f"{name}, standard error"))]
    there = {panel.key for panel in splits.recipe.panels}
    lines = [
        [title, splits.done, *(_number(value) for name in COLUMNS for value in _both(splits, key, name))]
        for key, title in titles.items()
        if key in there
    ]
    return export_csv(head, lines).encode("utf-8-sig")


def _both(splits: Splits, key: str, name: str) -> tuple[float, float]:
    return splits.mean(key, name), splits.standard_error(key, name)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _label(name: str) -> tuple[str, str]:
    return COLUMNS[name].group, COLUMNS[name].title


def _frame(titles: Mapping[str, str], values: np.ndarray) -> pd.DataFrame:
    columns = pd.MultiIndex.from_tuples([_label(name) for name in COLUMNS])
    return pd.DataFrame(values, index=_distinct(titles), columns=columns)


def _distinct(titles: Mapping[str, str]) -> list[str]:
    """The names of the panels; two of the same name are told apart by their keys, as styles go by name."""
    shown = [visible(title) for title in titles.values()]
    return [f"{name} ({key})" if shown.count(name) > 1 else name for name, key in zip(shown, titles, strict=True)]
