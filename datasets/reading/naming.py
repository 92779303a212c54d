"""Names of the columns from the lines that hold them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from datasets.base.words import counted, numbered
from datasets.reading.numerals import counts_up
from datasets.reading.table import Row, unique_names

MOST_HEADER_LINES = 4
_ASKS = ("?", "\uff1f", "\u061f")  # also in East Asian and Arabic scripts
_LONG_NAME = 15  # letters of a cell, on average over a line
_DRAWN = re.compile(r"#|[-=_]{3,}")  # the mark of a comment, and over the columns that a name spans


def names_of(
    lines: Sequence[Row], n_columns: int, line: str, *, doubtful: bool, is_drawn: bool = False
) -> tuple[tuple[str, ...], list[str]]:
    """(one name a column, a note unless one row holds them for sure).

    lines: the rows that hold names, all of one length.
    line: what the note calls them, "line" or "row".
    is_drawn: whether widths cut the lines.
    """
    n = len(lines)
    if not n:
        note = f"The first {line} holds data, not names, so the columns are named column 1, column 2, …"
        return numbered("column", n_columns), [note]
    used = lines[:1] if n > MOST_HEADER_LINES else _that_name(lines)
    left_out = [each for each in lines if each not in used]
    unused = [each for each in left_out if not counts_up([cell for cell in each if cell])]
    notes = [f"The names are joined from {len(used)} header {line}s."] if len(used) > 1 else []
    if unused:
        what = counted(len(unused), f"{line} below the column names is", f"{line}s below the column names are")
        notes.append(f"{what} not used as names, from {next(filter(None, unused[0]), '')!r} on.")
    if len(unused) < len(left_out):
        notes.append(f"A {line} of numbers of the columns was left out.")
    notes += [f"The first {line} was read as names, which is doubtful."] if doubtful else []
    return _joined_names(used, is_drawn), notes


def with_brackets_closed(names: Row) -> Row:
    """The names with those joined that a comma inside brackets parted, as in "D(v,0.1)"."""
    found, is_open = list[str](), False
    for name in names:
        if is_open:
            found[-1] += f",{name}"
        else:
            found.append(name)
        is_open = found[-1].count("(") > found[-1].count(")")
    return tuple(found) if not is_open else names


def _that_name(lines: Sequence[Row]) -> list[Row]:
    """The header lines that name columns.

    Of lines below names that differ, long cells, as the questions of a survey, are left out, and so is what a line
    says of most columns in three lines or more, as their types.
    """
    first, *others = [line for line in lines if not counts_up([cell for cell in line if cell])] or list(lines)
    if all(first) and len(set(first)) == len(first):
        others = [line for line in others if not _says_more(line, several=len(others) > 1)]
    return [first, *others]


def _joined_names(lines: Sequence[Row], is_drawn: bool) -> tuple[str, ...]:
    """One name a column: the cells of the lines with a blank between, equal ones once.

    Headings of groups stand before the names of all their columns, unless widths cut the lines, where a heading may be
    centred. Names that would be equal also get the headings over several columns that stand in the first lines alone.
    """
    longer = carried(lines)
    grouped = lines if is_drawn else _over_groups(lines, longer)
    short, joined, longest = (list(map(_joined, zip(*each, strict=True))) for each in (lines, grouped, longer))
    again = {name for name, count in (Counter(short) | Counter(joined)).items() if name and count > 1}
    kept = [long if {a, b} & again else b for a, b, long in zip(short, joined, longest, strict=True)]
    return unique_names(tuple(kept))


def _over_groups(lines: Sequence[Row], longer: Sequence[Row]) -> list[Row]:
    """The lines with the headings of groups over each of their columns: of lines most headings of which hold for
    several columns, each with a name below.

    Where names are written on two lines instead, one column has two words and the next one only the lower. So has a
    heading whose name below goes on in lower case, unlike those beside it. A question below ends a group, and the only
    heading, over the first column, is a title.
    """
    found: list[Row] = []
    for k, (line, full) in enumerate(zip(lines, longer, strict=True)):
        below = [next(filter(None, cells), "") for cells in zip(*lines[k + 1 :], strict=True)] or [""] * len(line)
        runs, goes_on = list[list[int]](), False
        for j, cell in enumerate(full):
            goes_on = bool(line[j]) or (goes_on and not below[j].endswith(_ASKS))
            if line[j]:
                runs.append([j])
            elif cell and goes_on:
                runs[-1].append(j)
        named = [run for run in runs if all(below[j] for j in run)]
        groups = [run for run in named if len(run) > 1]
        go_on = sum(not below[a][:1].isupper() and all(below[j][:1].isupper() for j in run) for a, *run in groups)
        alone = {below[run[0]] for run in named if len(run) == 1}  # such as "Response" below each question
        is_title = len(runs) == 1 and bool(line[0])
        if not is_title and len(groups) > len(alone) + 2 * go_on:
            reached = {j for run in groups for j in run}
            line = tuple(full[j] if j in reached else cell for j, cell in enumerate(line))
        found.append(line)
    return found


def carried(lines: Sequence[Row]) -> list[Row]:
    """The lines with the blanks of each but the last filled from the left, as far as the same heading reaches."""
    found: list[Row] = []
    for line in lines[:-1] if len(lines) > 1 else lines:
        filled = list(line)
        for k in range(1, len(line)):
            if not line[k] and all(above[k] == above[k - 1] for above in found):
                filled[k] = filled[k - 1]
        found.append(tuple(filled))
    return [*found, *lines[len(found) :]]


def _joined(cells: Sequence[str]) -> str:
    cells = [" ".join(cell.split()) for cell in cells]
    words = [cell for cell in cells if cell and not _DRAWN.fullmatch(cell)]
    first, *others = dict.fromkeys(words or filter(None, cells)) or [""]
    return " ".join([first, *(cell for cell in others if cell != first.split()[-1])])  # such as its unit


def _says_more(line: Row, several: bool) -> bool:
    cells = [cell for cell in line if cell]
    return sum(map(len, cells)) > _LONG_NAME * len(cells) or (several and len(cells) > max(2, 2 * len(set(cells))))
