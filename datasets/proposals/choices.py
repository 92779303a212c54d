"""Choices: what the user decided about a table, apart from what is proposed; Question and Answer, which offer them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TypeVar

from datasets.base.errors import DataError
from datasets.columns import CATEGORY_GAPS, LABEL_MODES, MISSING_CHOICES, SINGLES_CHOICES

_Value = TypeVar("_Value")

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
    "summary": "rows of totals or means",
    "footer": "footer lines",
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
    merge_spellings: bool | None = None  # whether labels that differ only in capitals or blanks are one class
    row_groups: tuple[tuple[str, bool], ...] = ()  # (key of ROW_GROUPS, whether these rows are skipped)
    leaks: tuple[tuple[str, bool], ...] = ()  # (label, whether columns that give it away are left out)

    def __post_init__(self) -> None:
        known: tuple[tuple[str, list[object], dict[str, str]], ...] = (
            ("Label mode", [mode for _, mode in self.label_modes], LABEL_MODES),
            ("Role", [role for _, role in self.roles], ROLES),
            ("Odd cells", [what for _, what in self.odd_cells], ODD_CELLS),
            ("Missing values", [self.missing], MISSING_CHOICES),
            ("Missing categories", [self.category_gaps], CATEGORY_GAPS),
            ("Classes of one row", [self.singletons], SINGLES_CHOICES),
            ("Rows to skip", [kind for kind, _ in self.row_groups], ROW_GROUPS),
        )
        for what, said, keys in known:
            for key in said:
                if key is not None and key not in keys:
                    raise DataError(f"{what}: {key!r} is unknown; there are {', '.join(keys)}.")
        if self.n_bins is not None and self.n_bins < 2:
            raise DataError(f"{self.n_bins} classes cannot be told apart; choose at least 2.")

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return self == Choices()

    def with_label(self, column: str | None) -> Choices:
        """The label column, None to go back to what is proposed."""
        return replace(self, label=column)

    def with_label_mode(self, column: str, mode: str | None) -> Choices:
        return replace(self, label_modes=_put(self.label_modes, column, mode))

    def with_role(self, column: str, role: str | None) -> Choices:
        """What a column is used as; None to go back to what is proposed."""
        return replace(self, roles=_put(self.roles, column, role))

    def with_odd_cells(self, column: str, what: str | None) -> Choices:
        return replace(self, odd_cells=_put(self.odd_cells, column, what))

    def with_rows(self, kind: str, skipped: bool | None) -> Choices:
        return replace(self, row_groups=_put(self.row_groups, kind, skipped))

    def with_leaks(self, label: str, left_out: bool | None) -> Choices:
        """Whether columns that give this label away are left out; None to ask again."""
        return replace(self, leaks=_put(self.leaks, label, left_out))

    def said_over(self, asked: Choices, now: Choices) -> Choices:
        """`now` with that in which this answer differs from what had been said when it was `asked`."""
        changed: dict[str, object] = {}
        for field in fields(self):
            mine, before = getattr(self, field.name), getattr(asked, field.name)
            if mine != before and isinstance(mine, tuple):
                pairs, mine, before = getattr(now, field.name), dict(mine), dict(before)
                for key in mine | before:
                    if mine.get(key) != before.get(key):
                        pairs = _put(pairs, key, mine.get(key))
                changed[field.name] = pairs
            elif mine != before:
                changed[field.name] = mine
        return replace(now, **changed)  # type: ignore[arg-type]


def _put(pairs: tuple[tuple[str, _Value], ...], key: str, value: _Value | None) -> tuple[tuple[str, _Value], ...]:
    kept = [pair for pair in pairs if pair[0] != key]
    return tuple(kept if value is None else [*kept, (key, value)])


@dataclass(frozen=True)
class Answer:
    """A button: its words, what it costs, and the choices that hold once it is pressed."""

    text: str
    choices: Choices
    cost: str = ""


@dataclass(frozen=True)
class Question:
    """Something the user may decide."""

    key: str  # "label", "features", "odd_cells", "rows", "missing", "spellings" or "leaks"
    text: str
    answers: tuple[Answer, ...]  # the proposed one first
    blocking: bool  # nothing is trained before it is answered; else it is an offer, and the first answer holds
    column: str = ""  # that it is about
