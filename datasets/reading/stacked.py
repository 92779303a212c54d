"""Blocks of rows below each other in a sheet, each below names that come again and a title of its own -> one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from datasets.base.words import first_few
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.place import repeated_names
from datasets.reading.table import Row, unique_names

_FEWEST_BLOCKS, _FEWEST_ROWS = 3, 2
_FEWEST_NAMES, _FEWEST_BESIDE_TITLES = 4, 2
_MOST_ABOVE = 5  # rows above the first names


def stacked_blocks(rows: Sequence[Row], numbers: Sequence[int]) -> tuple[Row, list[Row], list[int], str] | None:
    """(names of the columns, rows, their line numbers, a note) of blocks whose names come three times or more; None of
    any other rows, or where all have the same names, words that differ.

    Columns with the same name are one. Short rows of words right above the names of a block are its titles: a column
    each, the upper ones filled down. So is a first cell of the names that differs, blank in the rows below.
    """
    rows, numbers, fewest = _titles_apart(rows, numbers)
    counts = Counter(rows)
    pairs = ((row, below) for row, below in pairwise(rows) if counts[row] >= _FEWEST_BLOCKS)
    variants = {row for row, below in pairs if _are_names(row, below, fewest)}
    heads = [k for k, row in enumerate(rows) if row in variants]
    if not heads or heads[0] > _MOST_ABOVE or (len(variants) == 1 and repeated_names(rows) is not None):
        return None
    titles = [_titles_above(rows, k) for k in heads]
    n_levels = max(map(len, titles))
    begins = [k - len(above) for k, above in zip(heads, titles, strict=True)]
    ends = [*begins[1:], len(rows)]
    if begins[0] or min(end - k for k, end in zip(heads, ends, strict=True)) <= _FEWEST_ROWS:
        return None
    names = {k: unique_names(tuple(filter(None, rows[k]))) for k in heads}
    columns = tuple(dict.fromkeys(name for k in heads for name in names[k]))
    found, lines, above = list[Row](), list[int](), [""] * n_levels
    for k, end, own in zip(heads, ends, titles, strict=True):
        above = [*above[: n_levels - len(own)], *own]
        filled = [place for place, cell in enumerate(rows[k]) if cell]
        for j in range(k + 1, end):
            cells = {name: rows[j][place] for name, place in zip(names[k], filled, strict=True)}
            found.append((*above, *(cells.get(name, "") for name in columns)))
            lines.append(numbers[j])
    named = unique_names((*["heading"] * n_levels, *columns))
    said = f"The rows stand in {len(heads)} blocks below names that come again; these were left out."
    if n_levels:
        said += f" The titles of each block are its cells in {first_few([repr(name) for name in named[:n_levels]])}."
    return named, found, lines, said


def _titles_apart(rows: Sequence[Row], numbers: Sequence[int]) -> tuple[Sequence[Row], Sequence[int], int]:
    """The rows and their numbers with titles that stand in the first cell of the names as rows of their own, and how
    many names there are at least."""
    pairs = enumerate(pairwise(rows))
    above = {k: row[1:] for k, (row, below) in pairs if row[0] and any(row[1:]) and not below[0]}
    above = {k: names for k, names in above.items() if not any(map(looks_like_a_number, names))}
    names, n = Counter(above.values()).most_common(1)[0] if above else ((), 0)
    if n < _FEWEST_BLOCKS:
        return rows, numbers, _FEWEST_NAMES
    found, lines = list[Row](), list[int]()
    for k, (row, number) in enumerate(zip(rows, numbers, strict=True)):
        blank = [""] * (len(row) - 1)
        parts = [(row[0], *blank), ("", *names)] if above.get(k) == names else [row]
        found += parts
        lines += [number] * len(parts)
    return found, lines, _FEWEST_BESIDE_TITLES


def _are_names(row: Row, below: Row, fewest: int) -> bool:
    """Whether a row is of words mostly, the first one too, and the row below of numbers in the same columns."""
    filled = [k for k, cell in enumerate(row) if cell]
    words = [k for k in filled if not looks_like_a_number(row[k])]
    n_numbers = sum(looks_like_a_number(below[k]) for k in filled)
    is_above = [bool(cell) for cell in below] == [bool(cell) for cell in row]
    return (
        len(filled) >= fewest
        and filled[0] in words
        and len(filled) < 2 * len(words)
        and is_above
        and 2 * n_numbers > len(filled)
    )


def _titles_above(rows: Sequence[Row], head: int) -> list[str]:
    found = list[str]()
    for row in reversed(rows[:head]):
        cells = [cell for cell in row if cell]
        are_words = len(cells) == 1 or not any(map(looks_like_a_number, cells))
        if 2 * len(cells) > sum(map(bool, rows[head])) or not are_words:
            break
        found.append(" ".join(cells))
    return found[::-1]
