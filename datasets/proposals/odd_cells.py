"""Cells of a column of numbers that are no numbers: what they mean, and whether a person is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from datasets.columns.build import MOST_LEVELS
from datasets.columns.cells import MEANS_MISSING, Column
from datasets.reading import GAP_CODES, on_one_line

_LEADING_ZERO = re.compile(r"0\d+")
_FEW_ODD = 0.01
_NEARLY_ALL_NUMBERS = 0.1
_MOST_WORDS, _MOSTLY_ONE = 3, 0.7  # share of the odd cells that say the same
_FEWEST_OF_A_CODE = 10  # cells
_SHOWN = 3


@dataclass(frozen=True)
class OddCells:
    """Cells of a column of numbers that are neither missing nor usable numbers, and what is proposed."""

    column: str
    n: int
    n_present: int  # cells that are not missing
    examples: tuple[tuple[str, int], ...]  # the most frequent odd cells with their counts, in full
    first: str  # the cell on `first_line`
    first_line: int
    what: str  # a key of ODD_CELLS
    ask: bool  # whether the user should decide before anything is trained

    @property
    def are_all_shown(self) -> bool:
        return sum(count for _, count in self.examples) == self.n

    @property
    def words(self) -> tuple[str, ...]:
        """The examples without their counts."""
        return tuple(cell for cell, _ in self.examples)

    @property
    def sentence(self) -> str:
        """How many cells, the first with its line, and the most frequent with their counts."""
        are = "is not a usable number" if self.n == 1 else "are not usable numbers"
        where = f"line {self.first_line}" if self.n == 1 else f"the first on line {self.first_line}"
        about = f"Column {self.column!r}: {self.n:,} of {self.n_present:,} cells {are}, {where}: {_quoted(self.first)}"
        if len(self.examples) == 1:
            return f"{about} ({self.n:,})." if self.n > 1 else f"{about}."
        shown = [f"{_quoted(cell)} ({count:,})" if count > 1 else _quoted(cell) for cell, count in self.examples]
        return f"{about}. {'All' if self.are_all_shown else 'The most frequent'}: {', '.join(shown)}."


def _quoted(cell: str) -> str:
    return repr(on_one_line(cell)[:60])


def odd_cells_of(fact: Column) -> OddCells | None:
    """The odd cells of a column that is mostly numbers; None where there are none."""
    wrong = fact.odd
    if fact.kind != "numbers" or not wrong.any():
        return None
    levels = fact.levels
    counts = np.bincount(levels.codes[wrong], minlength=len(levels.values))
    order = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k]]
    n, n_present = int(wrong.sum()), fact.n_present
    huge = bool((wrong & ~fact.numbers.words).any())  # infinite or too large: never dropped silently
    others = [k for k in order if not MEANS_MISSING.fullmatch(levels.values[k])]
    n_others, means_missing = int(counts[others].sum()), not others
    few_words = len(order) <= _MOST_WORDS and not any(re.search(r"\d", levels.values[k]) for k in order)
    what, ask = "missing", huge
    n_levels = int(np.count_nonzero(levels.counts[~levels.missing]))
    are_codes = fact.is_whole and n_levels <= MOST_LEVELS and n_others >= _FEWEST_OF_A_CODE and not fact.has_one_word
    are_gaps = bool(np.isin(fact.numbers.values[~fact.numbers.gaps & ~wrong], GAP_CODES).all())  # of a survey
    are_codes = are_codes or fact.name == "key" or any(_LEADING_ZERO.fullmatch(cell) for cell in levels.values)
    if not means_missing and (are_codes or are_gaps):
        what, ask = "text", False
    elif not (means_missing or n_others <= max(1, _FEW_ODD * n_present)):
        few_words = few_words or 2 * n_others > n_present  # beside many numbers, else it were a column of words
        is_one = counts[order[0]] >= _MOSTLY_ONE * n and not re.search(r"\d", levels.values[order[0]])  # as "NC"
        what = "missing" if huge or n_others <= _NEARLY_ALL_NUMBERS * n_present or few_words or is_one else "text"
        ask = what == "missing"  # mixed codes are text, as any column of words
    first = int(wrong.argmax())
    examples = tuple((levels.values[k], int(counts[k])) for k in order[:_SHOWN])
    return OddCells(fact.name, n, n_present, examples, fact.cell(first), int(fact.line_numbers[first]), what, ask)
