"""Rows that are no data: repeated headers, a second table, totals and means, footers. They are recognised, and skipped
unless the user keeps them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from datasets.base.counted import counted
from datasets.columns.cells import numbers_of
from datasets.reading import Table, is_missing, on_one_line

_SUMMARY = re.compile(
    r"(?:grand |sub-?)?totals?|sums?|means?|averages?|avg\.?|std\.?(?: ?dev\.?)?|st\.? ?dev\.?|sd|medians?|min(?:imum)?"
    r"|max(?:imum)?|count|n|25%|50%|75%|gesamt|summe|mittelwert|durchschnitt|moyenne|totaux|media|promedio|totale"
    r"|合计|总计|平均|平均值|合計|平均値|합계|평균",
    re.IGNORECASE,
)
_MOST_FOOTERS = 15
_MOST_SUMMARIES = 10
_FEWEST_ROWS = 6
_ASK_ABOVE = 0.2


@dataclass(frozen=True)
class RowGroup:
    """Rows that look as if they were no data.

    Attributes
    ----------
    kind : str
        A key of ROW_GROUPS.
    rows : tuple[int, ...]
        Their places in the table, counted from 0.
    sentence : str
        What they are and where.
    ask : bool
        Whether so many would go that the user should decide.
    """

    kind: str
    rows: tuple[int, ...]
    sentence: str
    ask: bool = False


def row_groups(table: Table) -> tuple[RowGroup, ...]:
    """The groups of rows to skip; a row belongs to the first group that claims it."""
    if len(table.rows) < _FEWEST_ROWS:
        return ()
    taken: set[int] = set()
    groups = []
    for kind, find in (
        ("footer", _footers),
        ("header", _repeated_headers),
        ("second_table", _second_table),
        ("summary", _summaries),
    ):
        rows = [k for k in find(table, taken) if k not in taken]
        if rows and len(rows) < len(table.rows):
            taken.update(rows)
            groups.append(
                RowGroup(kind, tuple(rows), _sentence(table, kind, rows), len(rows) > _ASK_ABOVE * len(table.rows))
            )
    return tuple(groups)


def without_rows(table: Table, groups: tuple[RowGroup, ...]) -> Table:
    """The table without the rows of the groups; the same object where there are none."""
    gone = {row for group in groups for row in group.rows}
    if not gone:
        return table
    return replace(
        table,
        rows=[row for k, row in enumerate(table.rows) if k not in gone],
        line_numbers=tuple(line for k, line in enumerate(table.line_numbers) if k not in gone),
        notes=(*(group.sentence for group in groups), *table.notes),
    )


def _sentence(table: Table, kind: str, rows: list[int]) -> str:
    first, last = table.line_numbers[rows[0]], table.line_numbers[rows[-1]]
    where = (
        f"line {first}"
        if len(rows) == 1
        else f"lines {first} to {last}"
        if kind == "second_table"
        else (
            "lines " + ", ".join(str(table.line_numbers[k]) for k in rows[:5]) + (" and more" if len(rows) > 5 else "")
        )
    )
    n = len(rows)
    cells = on_one_line(" ".join(cell for cell in table.rows[rows[0]] if cell))[:50]
    what = {
        "footer": counted(n, "line") + " below the table",
        "header": counted(n, "line repeats", "lines repeat") + " the header and",
        "second_table": f"A second table begins on line {first}: " + counted(n, "row"),
        "summary": counted(n, "row") + " of totals or means",
    }[kind]
    return f"{what} {'was' if n == 1 else 'were'} skipped ({where}: {cells!r})."


def _footers(table: Table, taken: set[int]) -> list[int]:
    """Rows at the end with a single cell, of words, in a table whose rows hold several."""
    width = len(table.columns)
    if width < 3 and not (width == 2 and not table.rows[-1][1]):
        return []
    end = len(table.rows)
    while end > len(table.rows) - _MOST_FOOTERS and end > 3:
        filled = [k for k, cell in enumerate(table.rows[end - 1]) if cell]
        cell = table.rows[end - 1][filled[0]] if filled else ""
        if len(filled) != 1 or filled[0] > 1 or is_missing(cell) or _is_number(cell):
            break
        end -= 1
    above = table.rows[max(0, end - 200) : end]
    alone = sum(sum(map(bool, row)) == 1 for row in above)
    return list(range(end, len(table.rows))) if alone <= 0.02 * len(above) else []


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).replace(",", "").lstrip("+-").isdigit()


def _repeated_headers(table: Table, taken: set[int]) -> list[int]:
    header = tuple(name.lower() for name in table.columns)
    first = table.columns[0]
    cells = table.column(first)
    places = (k for k, cell in enumerate(cells) if cell == first) if first in cells else ()
    return [k for k in places if tuple(cell.lower() for cell in table.rows[k]) == header]


def _second_table(table: Table, taken: set[int]) -> list[int]:
    """From a row on in which names stand in every column of numbers, each but once in its column, to the end."""
    n = len(table.rows)
    numeric = []
    for name in table.columns:
        numbers = numbers_of(table, name)
        n_present = n - int(numbers.gaps.sum())
        if n_present > n / 2 and numbers.words.sum() <= n_present / 2:
            numeric.append(numbers)
    if len(numeric) < 2:
        return []
    could = np.ones(n, dtype=bool)
    n_words = np.zeros(n, dtype=int)
    for numbers in numeric:
        could &= numbers.words | numbers.gaps
        n_words += numbers.words
    for k in np.flatnonzero(could & (n_words >= max(2, len(numeric) // 2))).tolist():
        row = table.rows[k]
        names = [cell for cell in row if cell]
        if k in taken or k == n - 1 or len(set(names)) < len(names) or any(map(is_missing, names)):
            continue
        if all(table.column(name).count(cell) == 1 for name, cell in zip(table.columns, row, strict=True) if cell):
            alone = k > 0 and sum(map(bool, table.rows[k - 1])) == 1  # its title
            return [row for row in range(k - alone, n) if row not in taken]
    return []


def _summaries(table: Table, taken: set[int]) -> list[int]:
    """Rows that begin with a word such as "Total" or "mean", where the column holds other things and few of these."""
    n = len(table.rows)
    for name in table.columns[:2]:
        if not numbers_of(table, name).words.any():
            continue
        cells = table.column(name)
        rows = [k for k, cell in enumerate(cells) if k not in taken and _SUMMARY.fullmatch(cell.rstrip(":"))]
        different = len({cells[k].lower() for k in rows})
        rare = len(rows) <= min(_MOST_SUMMARIES, max(2, n // 4)) and different > len(rows) / 2
        if rows and rare and all(_holds_numbers(table.rows[k]) for k in rows):
            return rows
    return []


def _holds_numbers(row: tuple[str, ...]) -> bool:
    return any(_is_number(cell) for cell in row)
