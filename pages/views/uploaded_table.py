"""The user's table in words and rows: how it was read, its columns, and what its size means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from datasets.base.dataset import UNLABELLED, Dataset
from datasets.base.words import counted, short_name
from datasets.columns import left_out_note
from datasets.proposals import Choices, Plan, PlannedColumn
from datasets.reading import Table, on_one_line
from datasets.reading.table import unique_names
from pages.views.notes import sample_of
from stage.plain_text import as_text, visible

DECIMAL_WORDS = {".": "point", ",": "comma"}
USE, AS_CATEGORIES = "Use", "As categories"
_MOST_LETTERS = 40
MOST_ROWS = 50
MOST_COLUMNS = 30
_LONGEST_CELL = 200
_MOST_NAMED = 8
_LONGEST_COST = 90


@dataclass(frozen=True)
class Ticks:
    """The table of columns when its editor was opened; ticks are differences to it."""

    widget: str  # the key of the editor
    planned: tuple[PlannedColumn, ...]  # its rows
    choices: Choices  # the choices by then


def columns_frame(planned: tuple[PlannedColumn, ...]) -> pd.DataFrame:
    """A row for each column except the label: what it holds, whether it is used, and why not."""
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
    """`now` with the ticks, {row of columns_frame: {its column: new value}}.

    Text can only be used as categories. A tick that was undone, which the editor may leave out, restores the column as
    it was when the editor was opened.
    """
    now, before = replace(now, roles=opened.choices.roles), dict(opened.choices.roles)
    for place, changed in edited.items():
        column = opened.planned[int(place)]
        used = changed.get(USE, column.role != "left_out")
        categories = changed.get(AS_CATEGORIES, column.role == "categories") or column.facts.kind in ("words", "dates")
        role = "left_out" if not used else "categories" if categories else "number"
        if used and column.role == "ordered" and AS_CATEGORIES not in changed:
            role = "ordered"
        now = now.saying("roles", column.name, before.get(column.name) if role == column.role else role)
    return now


def preview_frame(table: Table, most: int = MOST_ROWS) -> pd.DataFrame:
    """Line number and cells of the first rows; line breaks show as ⏎, control characters are written out."""
    width = min(MOST_COLUMNS, len(table.columns))
    rows = table.some_rows(0, most)
    names = unique_names(("line", *(visible(name) for name in table.columns[:width])))[1:]
    cells = {name: [visible(on_one_line(row[k])[:_LONGEST_CELL]) for row in rows] for k, name in enumerate(names)}
    return pd.DataFrame({"line": table.line_numbers[:most], **cells})


def preview_caption(table: Table) -> str:
    """How much of the table the preview shows."""
    n, width = table.n_rows, len(table.columns)
    rows, columns = "The only row" if n == 1 else f"All {n:,} rows", f"all {counted(width, 'column')}"
    if n > MOST_ROWS:
        rows = f"The first {MOST_ROWS} of {n:,} rows"
    if width > MOST_COLUMNS:
        columns = f"the first {MOST_COLUMNS} of {width:,} columns"
    return f"{rows}, {columns}."


def missing_chip(words: Sequence[str], plan: Plan | None) -> str:
    """The words that count as missing, as in "blank NA, except in party", where NA is a class of that label."""
    shown = " ".join(word or "blank" for word in words) or "none"
    if plan is None or plan.label is None or plan.columns.label_mode != "classes":
        return shown
    levels = plan.proposal.fact(plan.label.name).levels
    is_class = any(cell and gap for cell, gap in zip(levels.values, levels.missing, strict=True))
    return f"{shown}, except in {_short(plan.label.name)}" if is_class else shown


def table_notes(plan: Plan, dataset: Dataset | None) -> tuple[str, ...]:
    """The notes of the data set; without one, those of the table and its plan."""
    if dataset is not None:
        return dataset.notes
    notes = [*plan.costs, *filter(None, plan.table.all_notes), *left_out_note(plan.columns.left_out)]
    return tuple(dict.fromkeys(notes))


def columns_line(plan: Plan) -> str:
    """The features and the unused columns by name, so that a row number among the features is noticed."""
    left_out = [column.name for column in plan.planned if column.role == "left_out"]
    columns = {"Features": plan.columns.features, "Not used": left_out}
    return " ".join(f"{title}: {_named(names)}." for title, names in columns.items() if names)


def _named(names: Sequence[str], most: int = _MOST_NAMED) -> str:
    more, shown = len(names) - most, map(on_one_line, names[:most])
    return ", ".join(map(short_name, shown)) + (f" and {more:,} more" if more > 0 else "")


def summary_line(filename: str, plan: Plan, *, recalled: bool = False) -> str:
    """What was guessed about a table, and its greatest cost, on one line."""
    left_out = [column.name for column in plan.planned if column.role == "left_out"]
    parts = [filename]
    if plan.label is not None:
        parts.append(f"label {_short(plan.label.name)}")
    parts.append(counted(len(plan.columns.features), "feature column"))
    parts += [f"not used: {_named([_short(name) for name in left_out], 3)}"] if left_out else []
    parts += ["your earlier choices apply"] if recalled else []
    if plan.costs:
        more = f" (and {len(plan.costs) - 1} more)" if len(plan.costs) > 1 else ""
        parts.append(_shortened(plan.costs[0].rstrip(".")) + more)
    return " · ".join(parts)


def size_sentence(dataset: Dataset, max_rows: int, held_out: float = 0.0) -> str:
    """How many rows are trained on if the share `held_out` of the labelled ones is held out."""
    n, most = dataset.n_samples, min(dataset.n_samples, max_rows)
    unlabelled = int(np.sum(dataset.y == UNLABELLED))
    tested = round(held_out * (n - unlabelled))
    if most < n:
        sentence = f"Trains on {sample_of(most, n)}; the limit is under 'Advanced' on the Explore page."
    else:
        most -= unlabelled + tested
        left_out = [f"{tested:,} {'is' if tested == 1 else 'are'} held out for testing"] if tested else []
        left_out += [f"{unlabelled:,} {'has' if unlabelled == 1 else 'have'} no label"] if unlabelled else []
        which = f"{most:,} of the {n:,} rows: {', '.join(left_out)}" if left_out else f"all {n:,} rows"
        sentence = f"Trains on {which}."
    if dataset.target is not None:
        pairs = most * (most - 1) // 2
        return f"{sentence} Each iteration compares {pairs:,} pairs: twice the rows take four times as long."
    return f"{sentence} Each iteration visits every row, which takes time." if most > 20_000 else sentence


def _shortened(cost: str) -> str:
    return cost if len(cost) <= _LONGEST_COST else cost[: _LONGEST_COST - 1] + "…"


def answer_words(text: str, cost: str) -> str:
    """As in "**merge them** · 3 classes: a 20, b 20, c 20"; a long text or cost is shortened."""
    text, short = as_text(short_name(text)), _shortened(cost)
    return f"**{text}** · {as_text(short)}" if short else f"**{text}**"
