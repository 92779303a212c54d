"""Columns read out of names: of the rows, such as CK1 and AB2, and of joined sheets."""

from __future__ import annotations

import re

import numpy as np

from datasets.columns.cells import Column, column_of
from datasets.reading import Table
from datasets.reading.samples import are_wells, groups_in_names

_FIRST_COLUMNS = 3
_NEARLY_ALL = 0.9  # of the names differ
_FEWEST_REPEATED, _MOST_REPLICATES = 10, 4  # names; rows of each
_FEW_NUMBERS = 10
_IN_PARTS = re.compile(r"(?=.*[^\W\d])[^\s@]+[_\-/.][^\s@]+")
_NUMBERED = re.compile(r"[^\W\d].*\d")
_TWO_NUMBERS = re.compile(r"\d+[_\-]\d+")


def with_groups_in_names(table: Table, *, has_label: bool) -> tuple[Table, bool]:
    """(the table with a column for each part of the names of its rows that groups them, whether the names repeat).

    The names stand in one of the first columns, and differ, or each of them is that of a few rows, as replicates; or in
    the first column of codes in parts. Where another column may be the label, only names in parts are looked at.
    """
    words = [fact for name in table.columns if (fact := column_of(table, name)).kind == "words"]
    first = [fact for fact in words if fact.name in table.columns[:_FIRST_COLUMNS]]
    names = [fact for fact in first if fact.n_values >= _NEARLY_ALL * table.n_rows]
    if not names and first[:1] and first[0].name == table.columns[0] and 2 * first[0].n_values > table.n_rows:
        names = first[:1]
    repeated = [fact for fact in first if fact not in names and _are_replicates(fact)]
    further = [fact for fact in words if fact not in first and _are_in_parts(fact)]
    names = list(filter(_are_in_parts, names)) if has_label else [*names, *further]
    for fact in [*names, *repeated]:
        cells = table.column(fact.name)
        if found := _groups(fact, cells):
            for title, groups in found:
                table = table if title in table.columns else table.with_column(title, groups)
            return table, fact in repeated
    return table, False


def _groups(fact: Column, cells: list[str]) -> list[tuple[str, list[str]]]:
    """(name, the group of each) for each part of the names that is not all of a name; of two numbers one that has few
    values."""
    levels = [name for name in fact.levels.values if name]
    found = [each for each in groups_in_names(cells, fact.name) if len(set(each[1])) < len(fact.levels.values)]
    if 2 * sum(any(map(str.isalpha, name)) for name in levels) >= len(levels):
        return found
    of_two = all(map(_TWO_NUMBERS.fullmatch, levels))  # but no numbers such as 842.5_17
    return [each for each in found if of_two and len(set(each[1])) <= _FEW_NUMBERS]


def _are_replicates(fact: Column) -> bool:
    """Whether names with numbers are those of a few rows each, two at least."""
    numbered = sum(_NUMBERED.match(name) is not None for name in fact.levels.values)  # and no ages such as "5 to 9"
    counts = fact.levels.counts[~fact.levels.missing]
    are_few = len(counts) >= _FEWEST_REPEATED and counts.sum() <= _MOST_REPLICATES * len(counts)
    are_repeated = are_few and np.mean(counts > 1) >= _NEARLY_ALL and 2 * numbered > len(counts)
    return bool(are_repeated and not are_wells([name for name in fact.levels.values if name]))


def _are_in_parts(fact: Column) -> bool:
    """Whether nearly all cells are codes of several parts, without blanks."""
    levels = [name for name in fact.levels.values if name]
    return sum(_IN_PARTS.fullmatch(name) is not None for name in levels) >= _NEARLY_ALL * len(levels)


def sheet_column(table: Table) -> str | None:
    """The column that names the sheets that were joined."""
    name = table.columns[-1]
    levels = column_of(table, name).levels
    is_one_block_each = np.count_nonzero(np.diff(levels.codes)) == len(levels.values) - 1
    return name if is_one_block_each and table.sheets and set(levels.values) <= set(table.sheets) else None


def with_groups_of_sheets(table: Table) -> Table:
    """The table with a column for each part of the names of joined sheets, such as C1a and C2b, that groups them."""
    name = sheet_column(table)
    if name is None:
        return table
    sheets = list(dict.fromkeys(table.column(name)))
    for title, groups in groups_in_names(sheets, name):
        of_sheet = dict(zip(sheets, groups, strict=True))
        table = table.with_column(title, [of_sheet[sheet] for sheet in table.column(name)])
    return table
