"""Tables: accuracies, classifiers and single rows; a comparison over one split or several, and its differences."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.io.formats.style import Styler

from datasets.base.dataset import Dataset
from datasets.base.words import percent
from datasets.reading.table import unique_names
from export.statistics import Columns, column_numbers, pair_columns
from nca_core.classifiers import CLASSIFIERS
from stage.plain_text import visible
from study.coping import NoiseResponse
from study.inference import MARGIN, Conclusion, Difference, wilson_interval
from study.measure import NAMES, Measurement, RuleScores
from study.one_point import Doubtful
from study.repetitions import Splits

_ACCURACIES = {
    "Projection": "title",
    "Iteration": "iteration",
    "1-NN, held-out rows": "held_out_1nn",
    "1-NN, training rows (optimistic)": "accuracy_1nn",
    "K = rounded K̂": "k",
    "K-NN, held-out rows": "held_out_knn",
    "K-NN, training rows (optimistic)": "accuracy_knn",
}
MOST_ROWS = 200
MOST_COLUMNS = 30
_SHARE = "% of the spread"
_NUMBERS = {"held-out 1-NN": ("held_out_1nn", "%.2f"), "f/n": ("mean_p", "%.3f"), "K̂": ("k_mean_entropy", "%.1f")}
_WHEN = ("before", "at once", "now", "trained anew")
HELD_OUT, OWN = "Held-out rows", "Training rows, leave-one-out (optimistic)"


def accuracy_table(measurements: Sequence[Measurement]) -> pa.Table:
    """A row for each panel; columns of numbers that were not measured are left out."""
    table = {}
    for title, name in _ACCURACIES.items():
        column = pa.array([getattr(one, name) for one in measurements], from_pandas=True)  # NaN is a gap
        if name in ("title", "accuracy_1nn") or column.null_count < len(column):
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
        if notes := [f"{one.title}: {one.by_rule[key].note}" for one in measured if one.by_rule[key].note]:
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


COLUMN_FORMATS = {f"{title} {when}": shown for title, (_, shown) in _NUMBERS.items() for when in _WHEN}
COLUMN_FORMATS[_SHARE] = "%.0f %%"


def coping_table(*responses: Mapping[str, NoiseResponse]) -> pd.DataFrame:
    """A row for each panel, its responses before, at once, now and anew; columns without any number are left out."""
    before, _, now, _ = responses
    keys = [key for key in now if key in before]
    columns: dict[str, object] = {"Panel": [visible(now[key].title) for key in keys]}
    for title, (name, _) in _NUMBERS.items():
        for when, numbers in zip(_WHEN, responses, strict=True):
            columns[f"{title} {when}"] = [getattr(numbers.get(key), name, float("nan")) for key in keys]
    columns[_SHARE] = [100 * now[key].weight for key in keys]
    return pd.DataFrame(columns).dropna(axis=1, how="all")


# -- a comparison


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


def fair_table(titles: Mapping[str, str], scores: Mapping[str, Measurement]) -> Styler:
    """The numbers of one split, a row for each panel; nothing is bold, as one split cannot tell luck from skill."""
    styler = _frame(titles, [[_of(scores.get(key), name) for name in COLUMNS] for key in titles]).style
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
                styler = styler.map(lambda _: "font-weight: 700", subset=cell)
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
        values = [_of(scores.get(key), name) if splits is None else splits.mean(key, name) for key in titles]
        columns[title] = column_numbers(values)
        if splits is not None:
            columns[f"{title}, standard error"] = column_numbers([splits.standard_error(key, name) for key in titles])
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
