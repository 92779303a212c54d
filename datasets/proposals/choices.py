"""Choices: what the user decided about a table."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

ROLES = {
    "number": "used as a number",
    "categories": "used as categories",
    "ordered": "used as steps of a scale",
    "left_out": "left out",
}
ODD_CELLS = {
    "missing": "treat them as missing",
    "text": "take the column as text",
    "leave_out": "leave the column out",
}
ROW_GROUPS = {
    "header": "repeated header lines",
    "second_table": "a second table below the first",
    "subtotal": "totals of the rows below them",
    "statistic": "rows of other statistics than the mean",
    "summary": "rows of totals or statistics",
    "footer": "footer lines",
    "heading": "headings of groups of rows",
    "decoy": "proteins that are decoys or contaminants",
}


@dataclass(frozen=True)
class Choices:
    """What the user said; None, or a column that is not named, leaves the matter to the proposal.

    Choices go by column names, so they survive a new label, re-reading with other options, another sheet and another
    data set; those that name a column which the table at hand does not have wait until it is there again.
    """

    label: str | None = None
    label_modes: tuple[tuple[str, str], ...] = ()  # (column, key of LABEL_MODES), for each that was a label once
    n_bins: int | None = None  # classes of equal frequency for a label of numbers
    roles: tuple[tuple[str, str], ...] = ()  # (column, key of ROLES)
    odd_cells: tuple[tuple[str, str], ...] = ()  # (column, key of ODD_CELLS), for columns of numbers
    missing: str | None = None  # a key of MISSING_CHOICES
    category_gaps: str | None = None  # a key of CATEGORY_GAPS
    singletons: str | None = None  # a key of SINGLES_CHOICES, for classes of one row
    merge_spellings: bool | None = None  # whether words that differ only in capitals, blanks or accents are one
    label_gaps: bool | None = None  # whether labels such as "NA" mean that there is none
    row_groups: tuple[tuple[str, bool], ...] = ()  # (key of ROW_GROUPS, whether these rows are skipped)
    label_blanks: tuple[tuple[str, bool], ...] = ()  # (label, whether its blank cells are a class)
    leaks: tuple[tuple[str, bool], ...] = ()  # (label, whether columns that give it away are left out)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return self == Choices()

    def with_label(self, column: str | None) -> Choices:
        """The label column, None to go back to what is proposed."""
        return replace(self, label=column)

    def saying(self, part: str, key: str, value: str | bool | None) -> Choices:
        """Put (key, value) into a field of pairs; with None the matter is left to the proposal again."""
        return replace(self, **{part: _put(getattr(self, part), key, value)})  # type: ignore[arg-type]

    def said_over(self, asked: Choices, now: Choices) -> Choices:
        """`now` with that in which this answer differs from what had been said when it was `asked`."""
        for each in fields(self):
            mine, before = getattr(self, each.name), getattr(asked, each.name)
            if isinstance(mine, tuple):
                mine, before = dict(mine), dict(before)
                for key in mine | before:
                    if mine.get(key) != before.get(key):
                        now = now.saying(each.name, key, mine.get(key))
            elif mine != before:
                now = replace(now, **{each.name: mine})
        return now


def _put(pairs: tuple[tuple[str, Any], ...], key: str, value: Any) -> tuple[tuple[str, Any], ...]:
    kept = [pair for pair in pairs if pair[0] != key]
    return tuple(kept if value is None else [*kept, (key, value)])
