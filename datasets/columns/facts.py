"""What each column of a table holds, to be shown before one chooses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from datasets.columns.cells import levels_of, numbers_of, odd_cells
from datasets.columns.dates import dates_or_times
from datasets.reading import Table, is_missing

KINDS = ("numbers", "words", "dates", "empty")
_EXAMPLES = 3
_SAMPLE = 200


@dataclass(frozen=True)
class ColumnFacts:
    """What a column holds.

    Attributes
    ----------
    name : str
        The column's name.
    kind : str
        One of KINDS; a column counts as words where more than half of its present cells are no numbers.
    n_values : int
        Different cells, missing ones left aside; different numbers where all cells are numbers.
    n_missing : int
        Missing cells.
    examples : tuple[str, ...]
        The first few different cells.
    n_odd : int
        Of a column of numbers, cells that cannot be trained on: words, infinite or too large values.
    odd_examples : tuple[str, ...]
        The most frequent of these, in full.
    """

    name: str
    kind: str
    n_values: int
    n_missing: int
    examples: tuple[str, ...]
    n_odd: int = 0
    odd_examples: tuple[str, ...] = ()


def describe_columns(table: Table) -> tuple[ColumnFacts, ...]:
    """The facts of every column, in the table's order; kept with the table."""
    return tuple(facts_of(table, name) for name in table.columns)


def facts_of(table: Table, name: str) -> ColumnFacts:
    """The facts of one column, kept with the table."""
    key = ("facts", name)
    if key not in table.parsed:
        table.parsed[key] = _facts(table, name)
    return table.parsed[key]


def _facts(table: Table, name: str) -> ColumnFacts:
    numbers = numbers_of(table, name)
    wrong = odd_cells(numbers)
    if not wrong.any() and not numbers.gaps.all():  # the different cells of a long column of numbers take their time
        known = numbers.values[~numbers.gaps]
        present_cells = (cell for cell in table.down(name) if not is_missing(cell))
        first = tuple(islice(dict.fromkeys(islice(present_cells, _SAMPLE)), _EXAMPLES))
        return ColumnFacts(name, "numbers", len(np.unique(known)), int(numbers.gaps.sum()), first)
    levels = levels_of(table, name)
    present = np.flatnonzero(~levels.missing)
    examples = tuple(levels.values[k] for k in present[:_EXAMPLES])
    n_missing = int(numbers.gaps.sum())
    n_present = len(numbers.gaps) - n_missing
    if not n_present:
        return ColumnFacts(name, "empty", 0, n_missing, ())
    if numbers.words.sum() > n_present / 2:
        kind = "dates" if dates_or_times(table.column(name)) else "words"
        return ColumnFacts(name, kind, len(present), n_missing, examples)
    often = np.bincount(levels.codes[wrong], minlength=len(levels.values))
    odd = [levels.values[k] for k in np.argsort(-often, kind="stable")[:_EXAMPLES] if often[k]]
    return ColumnFacts(name, "numbers", len(present), n_missing, examples, int(wrong.sum()), tuple(odd))
