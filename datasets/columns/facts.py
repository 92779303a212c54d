"""What each column of a table holds, to be shown before one chooses."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.columns.cells import column_cells, numbers_of
from datasets.columns.dates import dates_or_times
from datasets.reading import Table, is_missing

KINDS = ("numbers", "words", "dates", "empty")
_EXAMPLES = 3


@dataclass(frozen=True)
class ColumnFacts:
    """Attributes:
    name: the column's name.
    kind: one of KINDS; a column counts as words where more than half of its present cells are no numbers.
    n_values: different cells, missing ones left aside.
    n_missing: missing cells.
    examples: the first few different cells.
    """

    name: str
    kind: str
    n_values: int
    n_missing: int
    examples: tuple[str, ...]


def describe_columns(table: Table) -> tuple[ColumnFacts, ...]:
    """The facts of every column, in the table's order."""
    return tuple(_facts(table, name) for name in table.columns)


def _facts(table: Table, name: str) -> ColumnFacts:
    cells, numbers = column_cells(table, name), numbers_of(table, name)
    values = dict.fromkeys(cells)
    different = [cell for cell in values if not is_missing(cell)]
    n_missing = int(numbers.gaps.sum())
    n_present = len(cells) - n_missing
    if not n_present:
        kind = "empty"
    elif numbers.words.sum() <= n_present / 2:
        kind = "numbers"
    else:
        kind = "dates" if dates_or_times(cells) else "words"
    return ColumnFacts(name, kind, len(different), n_missing, tuple(different[:_EXAMPLES]))
