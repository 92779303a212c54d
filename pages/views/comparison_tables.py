"""Tables of a comparison: its numbers, over one split or several, and where the projections differ."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from datasets.base.dataset import Dataset
from datasets.base.words import percent
from export.statistics import Columns, column_numbers, pair_columns
from pages.views.tables import class_name, visible_row_columns
from stage.plain_text import visible
from study.inference import MARGIN, Conclusion, Difference
from study.measure import NAMES, Measurement
from study.repetitions import Splits

HELD_OUT, OWN = "Held-out rows", "Training rows, leave-one-out (optimistic)"


@dataclass(frozen=True)
class NumberColumn:
    """A column: its group, title and digits, and whether the largest number is the best."""

    group: str
    title: str
    digits: int = 3
    ranked: bool = False


COLUMNS: dict[str, NumberColumn] = {
    "held_out_1nn": NumberColumn(HELD_OUT, "1-NN", ranked=True),
    "held_out_knn": NumberColumn(HELD_OUT, "K̂-NN", ranked=True),
    "held_out_local": NumberColumn(HELD_OUT, "each its own K", ranked=True),
    "held_out_stochastic": NumberColumn(HELD_OUT, "likeliest class", ranked=True),
    "accuracy_1nn": NumberColumn(OWN, "1-NN "),
    "accuracy_knn": NumberColumn(OWN, "K̂-NN "),
    "accuracy_local": NumberColumn(OWN, "each its own K "),
    "accuracy_stochastic": NumberColumn(OWN, "likeliest class "),
    "trustworthiness": NumberColumn("Projection", "trustworthiness", ranked=True),
    "mean_p": NumberColumn("Projection", "f/n"),
    "k_mean_entropy": NumberColumn("Projection", "K̂", 1),
    "k_mean_perplexity": NumberColumn("Projection", "mean of own K", 1),
    "k": NumberColumn("Projection", "K used", 0),
    "seconds": NumberColumn("Computing", "seconds"),
}
assert set(COLUMNS) == set(NAMES)
_BOLD = "font-weight: 700"


def fair_table(titles: Mapping[str, str], scores: Mapping[str, Measurement]) -> Styler:
    """The numbers of one split, a row for each panel; nothing is bold, as one split cannot tell luck from skill."""
    values = [[_of(scores.get(key), name) for name in COLUMNS] for key in titles]
    styler = _frame(titles, values).style
    for name, column in COLUMNS.items():
        styler = styler.format(precision=column.digits, subset=[_label(name)])
    return styler


def splits_table(titles: Mapping[str, str], splits: Splits) -> Styler:
    """Mean ± standard error over the splits; bold if better than all others beyond chance."""
    titles = _repeated(titles, splits)
    frame = _frame(titles, [[splits.mean(key, name) for name in COLUMNS] for key in titles])
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


def differences_frame(titles: Mapping[str, str], family: Mapping[tuple[str, str], Difference]) -> pd.DataFrame:
    """A row for each pair; difference, interval and corrected p-value."""
    found = pair_columns({key: visible(title) for key, title in titles.items()}, family)
    shown = ("first", "second", "difference", "low", "high", "corrected p")
    frame = pd.DataFrame({name: found[name] for name in shown})
    return frame.assign(result=[_RESULTS[one.answer] for one in family.values()])


_RESULTS = {
    Conclusion.BETTER: "first is better",
    Conclusion.WORSE: "second is better",
    Conclusion.WITHIN_MARGIN: f"no difference over {100 * MARGIN:.0f} points",
    Conclusion.CANNOT_TELL: "no difference can be told",
}


def result_sentence(
    titles: Mapping[str, str],
    means: Mapping[str, float],
    family: Mapping[tuple[str, str], Difference],
    when: str,
    rows: str,
) -> str:
    """What the tests of all pairs say of the panel with the best mean beside each other one.

    means: accuracies of the panels of `family`, by key.
    when, rows: as in "Over 20 splits" and "held-out rows".
    """
    best = max(means, key=means.__getitem__)
    said = []
    for (first, second), one in family.items():
        if best not in (first, second):
            continue
        other, sign = (second, 1) if first == best else (first, -1)
        gap, *limits = (100 * sign * value for value in (one.estimate, one.low, one.high))
        low, high = sorted(limits)
        clear = one.answer in (Conclusion.BETTER, Conclusion.WORSE)
        sure = "" if math.isnan(low) else f" (95\N{NO-BREAK SPACE}% interval {low:.1f} to {high:.1f})"
        less = f"{gap:.1f} points less{sure}"
        said.append(f"{titles[other]}: {less}: {'a clear difference' if clear else _RESULTS[one.answer]}.")
    return f"{when}, {titles[best]} classifies {percent(means[best], 1)} of {rows} correctly. {' '.join(said)}"


def numbers_columns(titles: Mapping[str, str], scores: Mapping[str, Measurement], splits: Splits | None) -> Columns:
    """The table as columns of a file; over splits with the mean and standard error of every number."""
    if splits is not None:
        titles = _repeated(titles, splits)
    columns: dict[str, Sequence[object]] = {"panel": list(titles.values())}
    if splits is None:
        columns["iteration"] = [scores[key].moment if key in scores else "" for key in titles]
    else:
        columns["splits"] = [splits.done for _ in titles]
    for name, column in COLUMNS.items():
        title = f"{column.group}: {column.title.strip()}"
        if splits is None:
            columns[title] = column_numbers(np.array([_of(scores.get(key), name) for key in titles]))
        else:
            columns[title] = column_numbers(np.array([splits.mean(key, name) for key in titles]))
            errors = np.array([splits.standard_error(key, name) for key in titles])
            columns[f"{title}, standard error"] = column_numbers(errors)
    return columns


def _repeated(titles: Mapping[str, str], splits: Splits) -> dict[str, str]:
    there = {panel.key for panel in splits.recipe.panels}
    return {key: title for key, title in titles.items() if key in there}


def _of(measured: Measurement | None, name: str) -> float:
    return float("nan") if measured is None else float(getattr(measured, name))


def _label(name: str) -> tuple[str, str]:
    return COLUMNS[name].group, COLUMNS[name].title


def _frame(titles: Mapping[str, str], values: Sequence[Sequence[float]]) -> pd.DataFrame:
    columns = pd.MultiIndex.from_tuples([_label(name) for name in COLUMNS])
    index = _distinct(titles.values(), titles)  # styles need distinct names
    return pd.DataFrame(np.array(values, dtype=np.float64), index=index, columns=columns)


def _distinct(names: Iterable[str], marks: Iterable[object]) -> list[str]:
    """The names with a mark where several are the same."""
    shown = [visible(name) for name in names]
    return [f"{name} ({mark})" if shown.count(name) > 1 else name for name, mark in zip(shown, marks, strict=False)]


def confusion_frame(counts: np.ndarray, class_names: Sequence[str]) -> pd.DataFrame:
    """A row for each true class, a column for each predicted class."""
    names = _distinct(class_names, count())
    return pd.DataFrame(counts, index=names, columns=[f"predicted {name}" for name in names])


def agreement_frame(shares: np.ndarray, titles: Sequence[str]) -> pd.DataFrame:
    names = _distinct(titles, count(1))
    return pd.DataFrame(shares, index=names, columns=names)


def changed_frame(dataset: Dataset, common: np.ndarray, rows: np.ndarray) -> pd.DataFrame:
    names = [class_name(dataset, code) for code in dataset.y[rows]]
    return pd.DataFrame({**visible_row_columns(dataset, rows), "class": names, "neighbours in common": common[rows]})
