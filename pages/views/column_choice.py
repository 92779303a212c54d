"""The columns of a table and what the plan does with each, as rows that can be ticked; and back into choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from datasets.proposals import Choices, PlannedColumn
from datasets.reading import on_one_line
from pages.text.plain_text import visible

USE, AS_CATEGORIES = "Use", "As categories"
_MOST_LETTERS = 40


@dataclass(frozen=True)
class Ticks:
    """The table of columns as it was opened: ticks are differences to it.

    Attributes
    ----------
    widget : str
        The key of the editor.
    planned : tuple[PlannedColumn, ...]
        Its rows.
    choices : Choices
        What had been said by then.
    """

    widget: str
    planned: tuple[PlannedColumn, ...]
    choices: Choices


def columns_frame(planned: tuple[PlannedColumn, ...]) -> pd.DataFrame:
    """One row a column, the label aside: what it holds, whether it is used, and why not."""
    return pd.DataFrame(
        {
            USE: [column.role != "left_out" for column in planned],
            "Column": [visible(column.name) for column in planned],
            "Holds": [column.facts.kind for column in planned],
            AS_CATEGORIES: [column.role == "categories" for column in planned],
            "Different": [column.facts.n_values for column in planned],
            "Missing": [column.facts.n_missing for column in planned],
            "Examples": [", ".join(map(_short, column.facts.examples)) for column in planned],
            "Why left out": [visible(column.reason) for column in planned],
        }
    )


def _short(cell: str) -> str:
    return visible(on_one_line(cell)[:_MOST_LETTERS])


def choices_with_ticks(now: Choices, opened: Ticks, edited: Mapping[int, Mapping[str, Any]]) -> Choices:
    """`now` with what was ticked, {row of columns_frame: {its column: new value}}.

    Words can only be used as categories, so a column of words that is put back becomes some. A tick that was taken
    back, which the editor may leave out, leaves the column as it was when the editor was opened.
    """
    now, before = replace(now, roles=opened.choices.roles), dict(opened.choices.roles)
    for place, changed in edited.items():
        column = opened.planned[int(place)]
        used = changed.get(USE, column.role != "left_out")
        categories = changed.get(AS_CATEGORIES, column.role == "categories") or column.facts.kind in ("words", "dates")
        role = "left_out" if not used else "categories" if categories else "number"
        now = now.with_role(column.name, before.get(column.name) if role == column.role else role)
    return now
