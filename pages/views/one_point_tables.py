"""One row in tables: what each rule takes it for, and the rows that lie among other classes."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from datasets.base.dataset import Dataset
from nca_core.classifiers import CLASSIFIERS
from pages.text.plain_text import visible
from study.one_point import Doubtful

NO_ANSWER = "–"


def told_table(told: Mapping[str, Mapping[str, int | None]], dataset: Dataset) -> pd.DataFrame:
    """One row a rule, one column a space by its title; the classes by their names."""
    columns: dict[str, list[str]] = {"Rule": [rule.title for rule in CLASSIFIERS.values()]}
    for title, codes in told.items():
        columns[visible(title)] = [_name(dataset, codes[key]) for key in CLASSIFIERS]
    return pd.DataFrame(columns)


def right_and_wrong(told: Mapping[str, Mapping[str, int | None]], own: int) -> str:
    """How many of the answers name the row's own class; empty for a row without one."""
    answers = [code for codes in told.values() for code in codes.values() if code is not None]
    if own < 0 or not answers:
        return ""
    return f"{sum(code == own for code in answers)} of {len(answers)} answers name its own class."


def told_sentence(number: int, class_name: str | None, held_out: bool, iteration: int | None, counted: str) -> str:
    """Which row it is, what the views know of it, and `counted`, how many of the answers are right."""
    known = "held out" if held_out else "trained on, so told without itself by a view that knows it"
    what = "without a label, so nothing was trained on it" if class_name is None else f"of class {class_name}, {known}"
    when = "" if iteration is None else f" At iteration {iteration}:" if counted else f" Told at iteration {iteration}."
    return f"Row {number} is {what}.{when} {counted}".strip()


def doubtful_table(found: Doubtful, dataset: Dataset, held_out: pd.Series | None = None) -> pd.DataFrame:
    """The rows with the lowest p_i, the lowest first."""
    columns: dict[str, object] = {
        "row": dataset.row_numbers[found.rows],
        "class": [_name(dataset, int(code)) for code in dataset.y[found.rows]],
        "p_i": found.p,
        "own K": found.k,
        "picks": [_name(dataset, int(code)) for code in found.likely],
        "with chance": found.share,
    }
    if held_out is not None:
        columns["held out"] = held_out
    return pd.DataFrame(columns)


def _name(dataset: Dataset, code: int | None) -> str:
    if code is None:
        return NO_ANSWER
    return visible(dataset.class_names[code]) if code >= 0 else "unlabelled"
