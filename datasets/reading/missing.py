"""The words that stand for a missing value, and those that a person adds to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, product

from datasets.base.counted import counted
from datasets.reading.table import Table

MISSING = frozenset({"", "?", "na", "n/a", "nan", "null", "none", "-", ".", "<na>", "nat"})
# What spreadsheets show where a formula has no result.
_ERRORS = frozenset({"#n/a", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"})
# Each way of writing them in capitals and small letters: one look-up instead of lower() for millions of cells.
_WRITTEN = frozenset("".join(c) for word in MISSING | _ERRORS for c in product(*({a, a.upper()} for a in word)))
_MOST_SHOWN = 6


# The set's own question, not a function around it: it is asked for each of millions of cells.
is_missing = _WRITTEN.__contains__


def missing_words(table: Table) -> tuple[str, ...]:
    """Those that the table holds, as they are written, the blank cell ("") among them; at most six."""
    found = set(filter(is_missing, chain.from_iterable(table.rows)))
    return tuple(sorted(found)[:_MOST_SHOWN])


def without_words(table: Table, words: Sequence[str]) -> Table:
    """The table with each cell that is exactly one of `words` left blank; how many, is said in a note."""
    gone = frozenset(word.strip() for word in words) - {""}
    if not gone:
        return table
    count = 0
    rows = []
    for row in table.rows:
        here = sum(cell in gone for cell in row)
        rows.append(tuple("" if cell in gone else cell for cell in row) if here else row)
        count += here
    said = " or ".join(repr(word) for word in sorted(gone))
    cells = counted(count, f"cell that says {said} counts", f"cells that say {said} count")
    return replace(table, rows=rows, notes=(*table.notes, f"{cells} as missing."))
