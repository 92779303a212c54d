"""propose: what can be said about a table before the user says anything; computed once for each table."""

from __future__ import annotations

from dataclasses import dataclass, field

from datasets.base.errors import DataError
from datasets.columns import ColumnFacts, describe_columns
from datasets.proposals.label_candidates import LabelCandidate, label_candidates
from datasets.proposals.odd import OddCells, odd_cells_of
from datasets.proposals.rows import RowGroup, row_groups, without_rows
from datasets.reading import Table


@dataclass(frozen=True)
class Proposal:
    """What a table holds and what could be made of it.

    Attributes
    ----------
    source : Table
        The table as it was read.
    groups : tuple[RowGroup, ...]
        Rows that look as if they were no data.
    skipped : tuple[str, ...]
        The kinds of those that `table` goes without.
    table : Table
        `source` without the rows that are skipped.
    facts : tuple[ColumnFacts, ...]
        What each column of `table` holds.
    odd : dict[str, OddCells]
        Odd cells of its columns of numbers, by column.
    candidates : tuple[LabelCandidate, ...]
        Columns that could be the label, best first.
    """

    source: Table = field(repr=False)
    groups: tuple[RowGroup, ...]
    skipped: tuple[str, ...]
    table: Table = field(repr=False)
    facts: tuple[ColumnFacts, ...]
    odd: dict[str, OddCells]
    candidates: tuple[LabelCandidate, ...]


def propose(table: Table) -> Proposal:
    """Look a table over.

    Raises
    ------
    DataError
        Where there is one column only.
    """
    if len(table.columns) == 1:
        raise DataError(
            f"{table.name} has one column only; a label and at least one feature are needed. Check the separator."
        )
    groups = row_groups(table)
    return proposal_without(table, groups, tuple(group.kind for group in groups))


def proposal_without(table: Table, groups: tuple[RowGroup, ...], skipped: tuple[str, ...]) -> Proposal:
    """The proposal where only the named kinds of rows are skipped."""
    body = without_rows(table, tuple(group for group in groups if group.kind in skipped))
    facts = describe_columns(body)
    found = {fact.name: odd for fact in facts if (odd := odd_cells_of(body, fact)) is not None}
    return Proposal(table, groups, skipped, body, facts, found, label_candidates(body, facts))
