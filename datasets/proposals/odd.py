"""Cells of a column of numbers that are none: what is proposed for them, and whether it has to be asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from datasets.columns import ColumnFacts
from datasets.columns.cells import levels_of, numbers_of, odd_cells
from datasets.reading import Table, on_one_line

_FEW = 0.01
_NEARLY_ALL_NUMBERS = 0.1
_MOST_WORDS = 3
_SHOWN = 3
_MEANS_MISSING = re.compile(
    r"unk(?:nown)?|missing|abs(?:ent|\.)?"
    r"|(?:not|never) (?:available|measured|recorded|known|given|applicable|tested|stated|done)"
    r"|no data|none given|n\.? ?/?[ad]\.?|n\.m\.|nil|undefined|undetermined|tbd|pending|error|refused|invalid"
    r"|below detection|bdl|<? ?lod|trace|k\.? ?a\.?|keine angabe|unbekannt|fehlt|inconnu|desconocido|sin dato"
    r"|[-–—*#.?x_]+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class OddCells:
    """Odd cells of one column, and what is proposed.

    Attributes
    ----------
    column : str
        Its name.
    n : int
        Cells that are neither missing nor a usable number.
    n_present : int
        Cells that are not missing.
    examples : tuple[tuple[str, int], ...]
        The most frequent odd cells with their counts, in full.
    first_line : int
        The line of the first one.
    what : str
        A key of ODD_CELLS.
    ask : bool
        Whether the user should decide before anything is trained.
    """

    column: str
    n: int
    n_present: int
    examples: tuple[tuple[str, int], ...]
    first_line: int
    what: str
    ask: bool

    @property
    def sentence(self) -> str:
        """The cells with their counts, for people."""
        quoted = [(repr(on_one_line(cell)[:60]), count) for cell, count in self.examples]
        shown = ", ".join(f"{cell} ({count:,})" if count > 1 else cell for cell, count in quoted)
        are = "is not a usable number" if self.n == 1 else "are not usable numbers"
        where = f"line {self.first_line}" if self.n == 1 else f"the first on line {self.first_line}"
        return f"Column {self.column!r}: {self.n:,} of {self.n_present:,} cells {are}, {where}: {shown}."


def odd_cells_of(table: Table, fact: ColumnFacts) -> OddCells | None:
    """The odd cells of a column that is mostly numbers; None where there are none."""
    if fact.kind != "numbers" or not fact.n_odd:
        return None
    numbers, levels = numbers_of(table, fact.name), levels_of(table, fact.name)
    wrong = odd_cells(numbers)
    counts = np.bincount(levels.codes[wrong], minlength=len(levels.values))
    order = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k]]
    n, n_present = fact.n_odd, len(wrong) - fact.n_missing
    huge = bool(
        (wrong & ~numbers.words).any()
    )  # infinite or too large: numbers all the same, so never dropped silently
    means_missing = all(_MEANS_MISSING.fullmatch(levels.values[k]) for k in order)
    few_words = len(order) <= _MOST_WORDS and not any(re.search(r"\d", levels.values[k]) for k in order)
    what, ask = "missing", huge
    if not (means_missing or n <= max(1, _FEW * n_present)):
        ask = True
        what = "missing" if huge or n <= _NEARLY_ALL_NUMBERS * n_present or few_words else "text"
        if what == "text":
            ask = False  # mixed codes are text, as any column of words
    first = table.line_numbers[int(wrong.argmax())]
    examples = tuple((levels.values[k], int(counts[k])) for k in order[:_SHOWN])
    return OddCells(fact.name, n, n_present, examples, first, what, ask)
