"""Columns made of the parts of cells: lists of answers, pairs of numbers, lines, ranks, elements, amounts in texts."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from datasets.base.words import first_few
from datasets.columns.cells import Column, column_of
from datasets.columns.lists import is_gap_of_pairs
from datasets.reading import Table
from datasets.reading.table import unique_names

_AMOUNT = re.compile(r"(\D{0,80}[^\W\d])\s+(\d+(?:[.,]\d+)?)\s+([^\W\d]+)\b.*[^\W\d]")
_NEARLY_ALL, _MOST_GROUPS = 0.95, 40  # of the levels; words


def with_parts_of_cells(table: Table) -> tuple[Table, tuple[str, ...]]:
    """The table with a column of 0 and 1 for each answer of columns that hold lists of these, and a column for each
    number of pairs, each line, each rank of lineages, each element of formulas, and words and numbers before a unit;
    and the names of those that are no label."""
    found: list[tuple[str, list[str]]] = []
    notes, of_pairs, could_be = list[str](), list[str](), list[str]()
    for name in table.columns:
        column, levels = column_of(table, name), column_of(table, name).levels.values
        if answers := column.answers:
            for answer, held in answers.items():
                found.append((f"{name}: {answer}", np.where(held[column.levels.codes], "1", "0").tolist()))
            what = f"each of {len(answers)} is a column of 0 and 1, rarer ones and blank cells are 0"
            notes.append(f"{name!r} holds lists of answers: {what}.")
            fits = np.any([*answers.values()], axis=0).tolist()
            notes.append(column.misfits(fits, "with rarer answers only", "0"))
        elif pairs := column.pairs:
            codes, width = column.levels.codes.tolist(), len(pairs[0])
            found += [(f"{name} {k + 1}", [pairs[code][k] for code in codes]) for k in range(width)]
            if column.holds_lines:
                could_be += [f"{name} {k + 1}" for k in range(width)]
                notes.append(f"{name!r} holds {width} lines in each cell: each is a column.")
            elif width == 2:
                of_pairs.append(repr(name))
            else:
                notes.append(f"{name!r} holds {width} numbers in a text: each number is a column.")
            fits = [any(pair) or is_gap_of_pairs(cell) for pair, cell in zip(pairs, levels, strict=True)]
            what = "lines" if column.holds_lines else "numbers"
            notes.append(column.misfits(fits, f"without {'two' if width == 2 else width} {what}", "missing"))
        elif ranks := column.lineages:
            codes = column.levels.codes.tolist()
            found += [(f"{name}: {rank}", [cells[code] for code in codes]) for rank, cells in ranks.items()]
            could_be += [f"{name}: {rank}" for rank in ranks]
            notes.append(f"{name!r} holds lineages: each of {len(ranks)} ranks is a column.")
            fits = [any(cells) for cells in zip(*ranks.values(), strict=True)]
            notes.append(column.misfits(fits, "without ranks", "missing"))
        elif elements := column.elements:
            codes = column.levels.codes.tolist()
            found += [(f"{name}: {element}", [held[code] for code in codes]) for element, held in elements.items()]
            notes.append(f"{name!r} holds formulas: the amount of each of {len(elements)} elements is a column.")
            fits = [*map(bool, next(iter(elements.values())))]
            notes.append(column.misfits(fits, "without a formula", "missing"))
        elif parts := _around_amounts(column):
            codes, units = column.levels.codes.tolist(), {unit for *_, unit in parts if unit}
            titles = [f"group read from {name}", *(f"{name}: {unit}" for unit in units)]
            found += [(title, [parts[code][k] for code in codes]) for k, title in enumerate(titles)]
            could_be.append(titles[0])
            notes.append(f"{name!r} holds words before a number and {', '.join(units)}: each is a column.")
            notes.append(column.misfits([bool(unit) for *_, unit in parts], "without these", "missing"))
    if not found:
        return table, ()
    if of_pairs:
        holds = "holds" if len(of_pairs) == 1 else "hold"
        notes.append(f"{first_few(of_pairs)} {holds} pairs of numbers: each number is a column.")
    names = unique_names((*table.columns, *(title for title, _ in found)))[len(table.columns) :]
    ticked = tuple(name for name, (title, _) in zip(names, found, strict=True) if title not in could_be)
    for title, (_, cells) in zip(names, found, strict=True):
        table = table.with_column(title, cells)
    return replace(table, notes=(*table.notes, *filter(None, notes))), ticked


def _around_amounts(column: Column) -> list[tuple[str, str, str]]:
    """(the words before a number, the number, its unit) of each level such as "north of Town 4.2 km (on the coast)",
    where the unit is one, the words repeat and the levels do not; else []."""
    levels = column.levels.values
    if column.kind != "words" or 2 * len(levels) < len(column.cells) or not any(map(_AMOUNT.match, levels[:9])):
        return []
    parts = [(match[1], match[2], match[3]) if (match := _AMOUNT.match(cell)) else ("", "", "") for cell in levels]
    words, _, units = ({part for part in each if part} for each in zip(*parts, strict=True))
    n_fitting = sum(bool(unit) for *_, unit in parts)
    are_groups = 1 < len(words) <= min(_MOST_GROUPS, n_fitting / 2)
    return parts if are_groups and len(units) == 1 and n_fitting >= _NEARLY_ALL * len(levels) else []
