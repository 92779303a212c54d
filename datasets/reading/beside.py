"""Sheets beside the one that was read that tell more of its rows, or of its columns where these are samples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from datasets.base.words import counted, first_few
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.table import Row, is_missing

_FEWEST, _FEWEST_SAMPLES = 10, 6  # rows; columns
_MATCHED = 0.9  # share of the rows or samples
_SAMPLES = 0.5  # share of the columns
_SHARED_ROWS = 3
# Rows below such a name are samples; above the names of columns it may say what these are.
_OF_ROWS = re.compile(
    r"(?:samples?|patients?|subjects?|participants?|animals?|donors?)(?:[ _.-]?(?:id|name|no|code))?", re.I
)
_OF_COLUMNS = re.compile(  # of a sheet that explains what columns of any kind hold
    r"data[ _]?types?|(?:variable|column|field|attribute)s?(?:[ _]?names?)?|units?|explanations?|definitions?|"
    r"camp[oi]s?|champs?|variab[ei]l[ei]s?|variáve(?:l|is)|feld(?:er|name)?|spalten?(?:name)?|colonn[aei]s?|字段|变量|変数|項目",
    re.I,
)


@dataclass(frozen=True)
class Sheet:
    """A sheet with the names of its columns."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Row]
    header: tuple[Row, ...] = ()  # lines above the rows that tell of the columns

    @cached_property
    def cells(self) -> list[tuple[str, ...]]:
        """Those of each column."""
        return list(zip(*self.rows, strict=True))

    def holds_numbers(self, k: int) -> bool:
        """Whether nearly all cells of a column are numbers or gaps."""
        n = sum(is_missing(cell) or looks_like_a_number(cell) for cell in self.cells[k])
        return n >= _MATCHED * len(self.rows)

    @cached_property
    def words(self) -> frozenset[int]:
        """Places of the columns of words that repeat."""
        return frozenset(k for k, cells in enumerate(self.cells) if _repeat(cells))

    @cached_property
    def keys(self) -> frozenset[int]:
        """Places of the columns of words that all differ."""
        differ = (k for k, cells in enumerate(self.cells) if len(set(cells)) == len(cells))
        return frozenset(k for k in differ if not all(map(looks_like_a_number, self.cells[k])))


class Joined(NamedTuple):
    """A sheet with what another one tells of it."""

    sheet: Sheet
    note: str
    of_samples: bool = False  # in columns
    rank: int = 0  # 0 for the same rows by a column of the same name, _SHARED_ROWS where several share one there


def with_sheet(sheet: Sheet, other: Sheet) -> Joined | None:
    """The sheet with what the other one tells of its rows or samples.

    Names in both tell which belongs to which; without these, rows in the same order do, if the sheet has no words that
    repeat. None where nothing belongs together, or the other one has no more columns, one of them of words that repeat;
    numbers are enough where the names stand below the same one, and are no measurements and do not only count.
    """
    there = {name.casefold() for name in sheet.columns}
    new = [k for k, name in enumerate(other.columns) if name.casefold() not in there]
    has_words = not other.words.isdisjoint(new)
    for b, name in enumerate(other.columns):
        cells = other.cells[b]
        if all(map(looks_like_a_number, cells)) and name.casefold() not in there and sheet.columns[-1] not in cells:
            continue  # measurements, and no names of samples in columns
        place = {cell: k for k, cell in enumerate(cells) if not is_missing(cell)}
        if len(place) < _MATCHED * len(cells):
            continue
        told = [k for k in new if k != b]
        if (found_key := _key(sheet, name, place)) is not None:
            a, rank = found_key
            rows = [place.get(row[a]) for row in sheet.rows]
            if rank == _SHARED_ROWS and b and all(map(looks_like_a_number, cells)):
                continue  # of small numbers that are no key many are in other columns, too
            is_same = sheet.columns[a].casefold() == name.casefold()
            are_keys = rank < _SHARED_ROWS and is_same and _could_be_keys(cells)
            has_numbers = are_keys and any(map(other.holds_numbers, told))
            if _agree(sheet, other, a, rows) and (has_words or has_numbers):
                note = _note(other, told, f" by {sheet.columns[a]!r}")
                return Joined(_widened(sheet, other, told, rows), note, rank=rank)
            continue
        for names in () if any(map(_OF_ROWS.fullmatch, sheet.columns[1:])) else (sheet.columns, *sheet.header):
            found = [k for k, cell in enumerate(names) if cell in place]
            could_be = (
                has_words
                and not any(map(_OF_COLUMNS.fullmatch, other.columns))
                and all(map(sheet.holds_numbers, found))
            )
            if could_be and len(found) >= max(_FEWEST_SAMPLES, _SAMPLES * len(names)):
                below = _below_lines(sheet, other, told, place, names, found[0])
                return Joined(below, _note(other, told), of_samples=True)
    if has_words and len(sheet.rows) == len(other.rows) >= _FEWEST and not sheet.words:
        rows = list(range(len(sheet.rows)))
        return Joined(_widened(sheet, other, new, rows), _note(other, new, ", row by row"), rank=2)
    return None


def _repeat(cells: Sequence[str]) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]
    few = 2 <= len(set(present)) <= len(present) / 2
    return few and not all(map(looks_like_a_number, present))


def _could_be_keys(cells: Sequence[str]) -> bool:
    """Whether the cells are no measurements, such as 7.5, and do not only count from 1 on."""
    measured = any(looks_like_a_number(cell) and not cell.isdigit() for cell in cells)
    return not measured and {*cells} != {str(k) for k in range(1, len(cells) + 1)}


def _key(sheet: Sheet, name: str, place: dict[str, int]) -> tuple[int, int] | None:
    """(a column of the sheet whose cells are among the names in another one, its rank): all differ, or they repeat, as
    the site of each sample does; numbers only below the same name."""
    same_name = [a for a, own in enumerate(sheet.columns) if own.casefold() == name.casefold()]
    for a in (*same_name, *sorted(sheet.keys), *sorted(sheet.words)):
        cells, different = sheet.cells[a], set(sheet.cells[a])
        if sum(cell in place for cell in cells) < max(_FEWEST_SAMPLES, _MATCHED * len(cells)):
            continue
        if len(different) == len(cells):
            return a, (a not in same_name) + (different != place.keys())
        if _FEWEST_SAMPLES <= len(different) <= len(cells) / 2:
            return a, _SHARED_ROWS
    return None


def _agree(sheet: Sheet, other: Sheet, key: int, rows: Sequence[int | None]) -> bool:
    """Whether most cells below the same names are equal in the rows that belong together, if there are such names."""
    place = {name.casefold(): k for k, name in enumerate(other.columns)}
    pairs = [
        (a, place[name.casefold()]) for a, name in enumerate(sheet.columns) if a != key and name.casefold() in place
    ]
    equal = [
        row[a] == other.rows[k][b] for row, k in zip(sheet.rows, rows, strict=True) if k is not None for a, b in pairs
    ]
    return 2 * sum(equal) >= len(equal)


def _widened(sheet: Sheet, other: Sheet, told: Sequence[int], rows: Sequence[int | None]) -> Sheet:
    blank = ("",) * len(told)
    more = [blank if k is None else tuple(other.rows[k][j] for j in told) for k in rows]
    columns = (*sheet.columns, *(other.columns[j] for j in told))
    header = tuple((*line, *blank) for line in sheet.header)
    return Sheet(sheet.name, columns, [(*row, *cells) for row, cells in zip(sheet.rows, more, strict=True)], header)


def _below_lines(
    sheet: Sheet, other: Sheet, told: Sequence[int], place: dict[str, int], names: Sequence[str], first: int
) -> Sheet:
    """The sheet below a line for each column of the other one, its name before the first sample."""
    lines = []
    for j in told:
        line = [other.rows[place[name]][j] if name in place else "" for name in names]
        line[max(0, first - 1)] = other.columns[j]
        lines.append(tuple(line))
    return Sheet(sheet.name, sheet.columns, sheet.rows, (*lines, *(sheet.header or (sheet.columns,))))


def _note(other: Sheet, told: Sequence[int], how: str = "") -> str:
    columns = first_few([repr(other.columns[k]) for k in told])
    were = "was" if len(told) == 1 else "were"
    return f"{counted(len(told), 'column')} of the sheet {other.name!r} {were} added{how}: {columns}."
