"""What each column is used as when nobody said anything: a number, categories, or left out with a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from datasets.columns import ColumnFacts
from datasets.columns.categories import MOST_LEVELS
from datasets.columns.cells import levels_of, numbers_of
from datasets.proposals.names import names_code, names_identifier, names_time
from datasets.proposals.whole_numbers import whole
from datasets.proposals.why_no_feature import COUNTER_NAMES, why_no_feature
from datasets.reading import Table

_MANY_GAPS = 0.5
_NEARLY_ALL_DIFFERENT = 0.9
_COVERED = 0.6  # share of the rows that the frequent levels of a wide category hold at least
_FEWEST_COUNTED = 20
_WIDEST_COUNT = 5  # a column that counts upwards leaves out four numbers of five at most
_FEWEST_IDS = 50  # below, the number of a shop or a site tells groups apart
_SAMPLE = 500
_SMALLEST_CODE = 10_000
_NEARLY_ALL_CODES = 0.95
_CODE = re.compile(r"(?=.*\d)[\w./#-]{1,20}(?: [\w./#-]{1,20})?")


@dataclass(frozen=True)
class ProposedRole:
    """A key of ROLES, and the reason where the column is left out."""

    role: str
    reason: str = ""


def proposed_role(table: Table, fact: ColumnFacts, label: str | None, as_text: bool = False) -> ProposedRole:
    """Propose what to do with a column.

    Parameters
    ----------
    table, fact : the column.
    label : the label column, which another column may repeat.
    as_text : take a column of numbers with other cells among them as text.
    """
    n = len(table.rows)
    n_present = n - fact.n_missing
    reason = why_no_feature(table, fact.name, label) if not as_text else ""
    if reason:
        return ProposedRole("left_out", reason)
    if fact.n_missing > _MANY_GAPS * n:
        return ProposedRole("left_out", f"{fact.n_missing:,} of {n:,} cells are missing")
    if fact.kind == "words" or as_text:
        return _role_of_text(table, fact, n_present, mixed=as_text)
    if names_code(fact.name) and fact.n_values > n_present / 2:
        return ProposedRole("left_out", "it holds codes, nearly all different")
    if _counts_upwards(table, fact):
        return ProposedRole("left_out", "it counts upwards, like an identifier")
    if names_identifier(fact.name) and fact.n_values > _FEWEST_IDS and whole(numbers_of(table, fact.name)):
        return ProposedRole("left_out", "it holds the numbers of an identifier")
    if _names_the_rows(table, fact):
        return ProposedRole("left_out", "it holds large numbers, nearly all different, like an identifier")
    return ProposedRole("number")


def _role_of_text(table: Table, fact: ColumnFacts, n_present: int, mixed: bool) -> ProposedRole:
    levels = levels_of(table, fact.name)
    present = np.flatnonzero(~levels.missing)
    sample = [levels.values[k] for k in present[:_SAMPLE]]
    n_words = sum(len(cell.split()) for cell in sample) / max(1, len(sample))
    n_values = len(present)
    if n_values > _NEARLY_ALL_DIFFERENT * n_present or n_values > n_present // 2:
        if sum(_CODE.fullmatch(cell) is not None for cell in sample) > 0.6 * len(sample):
            return ProposedRole("left_out", "it holds codes, nearly all different")
        if n_words > 4:
            return ProposedRole("left_out", "it holds free text")
        return ProposedRole("left_out", "it holds names or text, nearly all different")
    counts = np.sort(levels.counts[present])[::-1]
    if n_values <= MOST_LEVELS:
        return ProposedRole("categories")
    if n_words > 4:
        return ProposedRole("left_out", "it holds free text")
    if counts[: MOST_LEVELS - 1].sum() >= _COVERED * n_present:
        return ProposedRole("categories")
    what = "codes" if mixed else "values"
    return ProposedRole("left_out", f"it has {n_values:,} different {what}, too many for categories")


def _counts_upwards(table: Table, fact: ColumnFacts) -> bool:
    """Whether the numbers are whole, all different and rise from row to row without wide gaps, as serial numbers do;
    under the name of a row number it is enough that they never fall."""
    n = len(table.rows)
    if n < _FEWEST_COUNTED or fact.n_missing or fact.n_odd or names_time(fact.name):
        return False
    numbers = numbers_of(table, fact.name)
    steps = np.diff(numbers.values)
    if fact.name.strip().lower() in COUNTER_NAMES and fact.n_values > n / 3:  # twins may share a row number
        return bool((steps >= 0).all()) and whole(numbers)
    if fact.n_values < n:
        return False
    return bool((steps > 0).all()) and whole(numbers) and np.ptp(numbers.values) < _WIDEST_COUNT * n


def _names_the_rows(table: Table, fact: ColumnFacts) -> bool:
    """Whether a first column without a name holds large whole numbers, nearly all different."""
    n = len(table.rows)
    if n < _FEWEST_COUNTED or fact.n_odd or fact.n_missing or not fact.name == table.columns[0] == "column 1":
        return False
    numbers = numbers_of(table, fact.name)
    different = fact.n_values > _NEARLY_ALL_CODES * n
    return different and whole(numbers) and bool(numbers.values.min() >= _SMALLEST_CODE)
