"""Tables of accuracies, classifiers and single rows."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from datasets.base.dataset import Dataset
from datasets.reading.table import unique_names
from nca_core.classifiers import CLASSIFIERS
from stage.plain_text import visible
from study.coping import NoiseResponse
from study.inference import wilson_interval
from study.measure import Measurement, RuleScores
from study.one_point import Doubtful

_ACCURACIES = {
    "Projection": "title",
    "Iteration": "iteration",
    "1-NN, held-out rows": "held_out_1nn",
    "1-NN, training rows (optimistic)": "accuracy_1nn",
    "K = rounded K̂": "k",
    "K-NN, held-out rows": "held_out_knn",
    "K-NN, training rows (optimistic)": "accuracy_knn",
}
_ALWAYS = ("title", "accuracy_1nn")


def accuracy_table(measurements: Sequence[Measurement]) -> pa.Table:
    """A row for each panel; columns of numbers that were not measured are left out."""
    table = {}
    for title, name in _ACCURACIES.items():
        column = pa.array([getattr(one, name) for one in measurements], from_pandas=True)  # NaN is a gap
        if name in _ALWAYS or column.null_count < len(column):
            table[title] = column
    return pa.table(table)


def rules_table(measured: Sequence[RuleScores]) -> pd.DataFrame:
    """A row for each panel, a column for each rule: accuracy on held-out rows, with its 95 % interval (Wilson)."""
    columns: dict[str, list[object]] = {"Space": [one.title for one in measured]}
    for key, rule in CLASSIFIERS.items():
        columns[rule.title] = [_with_interval(one.by_rule[key].accuracy, one.n_queries) for one in measured]
    return pd.DataFrame(columns)


def _with_interval(accuracy: float, n: int) -> str | None:
    if math.isnan(accuracy) or not n:
        return None
    low, high = wilson_interval(round(accuracy * n), n)
    return f"{accuracy:.3f} ({low:.2f} to {high:.2f})"


def rules_notes(measured: Sequence[RuleScores]) -> list[str]:
    """The notes of each rule, such as the K that it chose, in one line a rule."""
    lines = []
    for key, rule in CLASSIFIERS.items():
        notes = [f"{one.title}: {one.by_rule[key].note}" for one in measured if one.by_rule[key].note]
        if notes:
            lines.append(f"{rule.title}. {'; '.join(notes)}.")
    return lines


def rules_caption(measured: Sequence[RuleScores]) -> str:
    """How many rows were predicted, and why some cells are empty."""
    most = max(measured, key=lambda one: one.n_train)
    return (
        f"Accuracy on {most.n_queries:,} held-out rows with its 95 % interval, predicted from {most.n_train:,} "
        "training rows. The best of many cells was chosen on the held-out rows, so it is optimistic. Classifiers by "
        "p_ij need a learned scale; t-SNE and UMAP cannot place new rows."
    )


def predictions_table(predicted: Mapping[str, Mapping[str, int | None]], dataset: Dataset) -> pd.DataFrame:
    """A row for each rule, a column for each space by its title, with class names."""
    columns: dict[str, list[str]] = {"Rule": [rule.title for rule in CLASSIFIERS.values()]}
    for title, codes in predicted.items():
        columns[visible(title)] = [class_name(dataset, codes[key]) for key in CLASSIFIERS]
    return pd.DataFrame(columns)


def right_and_wrong(predicted: Mapping[str, Mapping[str, int | None]], own: int) -> str:
    """How many predictions are the row's own class; empty for an unlabelled row."""
    answers = [code for codes in predicted.values() for code in codes.values() if code is not None]
    if own < 0 or not answers:
        return ""
    return f"{sum(code == own for code in answers)} of {len(answers)} predictions are right."


def row_sentence(title: str, class_name: str | None, held_out: bool, iteration: int | None, right: str) -> str:
    """The row's title, class and part of the split, then `right`, how many predictions are right."""
    known = "held out" if held_out else "a training row (predicted without itself)"
    what = "unlabelled" if class_name is None else f"of class {class_name}, {known}"
    when = "" if iteration is None else f" At iteration {iteration}:" if right else f" Iteration {iteration}."
    return f"{title} is {what}.{when} {right}".strip()


def doubtful_table(found: Doubtful, dataset: Dataset, held_out: pd.Series | None = None) -> pd.DataFrame:
    columns = {
        **visible_row_columns(dataset, found.rows),
        "class": [class_name(dataset, code) for code in dataset.y[found.rows]],
        "p_i": found.p,
        "own K": found.k,
        "picks": [class_name(dataset, code) for code in found.likely],
        "with chance": found.share,
    }
    return pd.DataFrame(columns if held_out is None else columns | {"held out": held_out})


def class_name(dataset: Dataset, code: int | None) -> str:
    if code is None:
        return "–"
    return visible(dataset.class_names[code]) if code >= 0 else "unlabelled"


def visible_row_columns(dataset: Dataset, rows: Sequence[int] | np.ndarray) -> dict[str, list[Any]]:
    """Numbers and names of these rows, as the first columns of a table on the screen."""
    columns = dataset.row_columns(rows)
    return columns if "name" not in columns else columns | {"name": [visible(name) for name in columns["name"]]}


MOST_ROWS = 200
MOST_COLUMNS = 30


def selected_rows(dataset: Dataset, rows: Sequence[int]) -> pd.DataFrame:
    """Number, name, class (the number itself where the label holds numbers) and features of the first selected rows."""
    chosen = list(rows[:MOST_ROWS])
    names = [class_name(dataset, code) for code in dataset.y[chosen]]
    # Feature names do not end in a blank, so "class " differs from all of them.
    numbered = {f"{title} ": shown for title, shown in visible_row_columns(dataset, chosen).items()}
    label = {"class ": names} if dataset.target is None else {"label ": dataset.target[chosen]}
    columns = unique_names(tuple(visible(name) for name in dataset.feature_names[:MOST_COLUMNS]))
    values = pd.DataFrame(dataset.X[chosen][:, :MOST_COLUMNS], columns=list(columns))
    return pd.concat([pd.DataFrame(numbered | label), values], axis=1)


_SHARE = "% of the spread"
_NUMBERS = {"held-out 1-NN": ("held_out_1nn", "%.2f"), "f/n": ("mean_p", "%.3f"), "K̂": ("k_mean_entropy", "%.1f")}
_WHEN = ("before", "at once", "now", "trained anew")
COLUMN_FORMATS = {f"{title} {when}": shown for title, (_, shown) in _NUMBERS.items() for when in _WHEN} | {
    _SHARE: "%.0f %%"
}


def coping_table(
    before: Mapping[str, NoiseResponse],
    at_once: Mapping[str, NoiseResponse],
    now: Mapping[str, NoiseResponse],
    anew: Mapping[str, NoiseResponse],
) -> pd.DataFrame:
    """A row for each panel; columns without any number are left out."""
    keys = [key for key in now if key in before]
    columns: dict[str, object] = {"Panel": [visible(now[key].title) for key in keys]}
    for title, (name, _) in _NUMBERS.items():
        for when, numbers in zip(_WHEN, (before, at_once, now, anew), strict=True):
            columns[f"{title} {when}"] = [getattr(numbers.get(key), name, float("nan")) for key in keys]
    columns[_SHARE] = [100 * now[key].weight for key in keys]
    return pd.DataFrame(columns).dropna(axis=1, how="all")
