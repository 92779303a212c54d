"""propose: what a table holds, which rows of it are no data, and which columns could be the label."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os.path import commonprefix

import numpy as np

from datasets.base.errors import DataError
from datasets.base.words import counted, first_few
from datasets.columns.cells import Column, column_of
from datasets.columns.names import about_the_recording, label_score, places_on_a_plate
from datasets.proposals.filling import alone_in_rows, filled_down, sheets_apart
from datasets.proposals.labels import (
    LabelCandidate,
    are_frequencies,
    is_seldom_a_label,
    is_sure,
    label_candidates,
    other_statistics,
)
from datasets.proposals.leaks import Leaks
from datasets.proposals.odd_cells import OddCells, odd_cells_of
from datasets.proposals.parts import with_parts_of_cells
from datasets.proposals.roles import (
    CODE,
    could_place,
    holds_large_numbers,
    measured_alike,
    numbers_in_names,
    numbers_of_groups,
)
from datasets.proposals.row_names import sheet_column, with_groups_in_names, with_groups_of_sheets
from datasets.proposals.totals import (
    FEWEST_OF_A_TOTAL,
    MOST_SUMMARIES,
    SUMMARY,
    below_dates,
    summaries,
    totals_of_groups,
)
from datasets.reading import Table, is_missing, on_one_line
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.place import pattern_of
from datasets.reading.samples import OF_NAMES, common_key
from datasets.reading.table import Row, unique_names

_MOST_FOOTERS = 200
_FEWEST_WITH_HEADINGS = 3  # columns
_SEVERAL_LARGE = 3  # columns
_NEARLY_ALL = 0.9  # of the first cells
_FEWEST_ROWS = 6
_LOOKED_AT_ABOVE = 200  # rows above a footer
_FEW_ALONE = 0.05  # share of these
_ASK_ABOVE = 0.2
_WIDE = 6  # columns
_UNNAMED = re.compile(r"column \d+")
_FIRST_NAMES = 2  # columns
_SAYS_DECOY = re.compile(r"(?:CON__|REV__|contam_|rev_|DECOY_|XXX_|Cont_)\S*[A-Z\d]{5}")
_OF_MAXQUANT = ("reverse", "potential contaminant", "contaminant", "only identified by site")


@dataclass(frozen=True)
class RowGroup:
    """Rows that look as if they were no data: repeated headers, a second table, totals and means, footers."""

    kind: str  # a key of ROW_GROUPS
    rows: tuple[int, ...]  # places in the table, counted from 0
    sentence: str  # what they are and where
    ask: bool  # whether so many would go that the user should decide


@dataclass(frozen=True)
class Proposal:
    """What a table holds and what could be made of it."""

    source: Table = field(repr=False)  # as it was read
    groups: tuple[RowGroup, ...]
    skipped: tuple[str, ...]  # kinds of the groups that `table` goes without
    table: Table = field(repr=False)  # `source` without the rows that are skipped
    facts: tuple[Column, ...]
    odd: dict[str, OddCells]  # by column of numbers
    candidates: tuple[LabelCandidate, ...]  # columns that could be the label, best first
    joined: tuple[str, ...] = ()  # columns of 0 and 1 that the last column joins
    # leaks found so far, by the label, how it is read, and the columns beside it
    leaks: dict[tuple[object, ...], Leaks | None] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def has_large(self) -> bool:
        """Whether several columns hold large whole numbers: there these are measurements."""
        return sum(map(holds_large_numbers, self.facts)) >= _SEVERAL_LARGE

    @cached_property
    def of_recording(self) -> frozenset[str]:
        """Columns that tell how the data were recorded: what programs of surveys add, and flags of measurements."""
        return frozenset() if are_frequencies(self.facts) else about_the_recording(self.table.columns)

    @cached_property
    def on_a_plate(self) -> frozenset[str]:
        """Columns that tell a row and a column of a plate or field."""
        could = [fact.name for fact in self.facts if could_place(fact)]
        return frozenset() if self.source.is_turned else places_on_a_plate(could)

    @cached_property
    def alike(self) -> frozenset[str]:
        """Columns of numbers that end like identifiers, but are measures."""
        return measured_alike(self.facts)

    @cached_property
    def in_names(self) -> frozenset[str]:
        """Columns of numbers that stand in the names of the rows, or number groups or their members."""
        if self.source.is_turned:
            return frozenset()
        return numbers_in_names(self.facts) | numbers_of_groups(self.facts)

    @cached_property
    def sheet_column(self) -> str | None:
        """The column that names the sheets that were joined."""
        return sheet_column(self.source)

    def fact(self, name: str) -> Column:
        """The column of that name."""
        return column_of(self.table, name)

    def skipping(self, skipped: tuple[str, ...]) -> Proposal:
        """The proposal where only the groups of these kinds are skipped."""
        return self if skipped == self.skipped else _looked_over(self.source, self.groups, skipped)


def propose(table: Table) -> Proposal:
    """Look a table over.

    Raises DataError where there is one column only.
    """
    if len(table.columns) == 1:
        uncut = any(mark in row[0] for row in table.some_rows(0, _LOOKED_AT_ABOVE) for mark in ",;|\t ")
        advice = " Check the separator." if uncut and table.detected is not None else ""
        raise DataError(f"{table.name} has one column only; a label and at least one feature are needed.{advice}")
    table = filled_down(table)
    groups = _row_groups(table)
    return _looked_over(table, groups, tuple(group.kind for group in groups))


def _looked_over(table: Table, groups: tuple[RowGroup, ...], skipped: tuple[str, ...]) -> Proposal:
    away = [group for group in groups if group.kind in skipped]
    body = table
    if away:
        body = table.without_rows(
            [row for group in away for row in group.rows], tuple(group.sentence for group in away)
        )
    n_columns = len(body.columns)
    above = next((group for group in away if group.kind in ("heading", "subtotal")), None)
    if above is not None:
        body = _with_headings_of_rows(body, table, above.rows, differ=above.kind == "subtotal")
    headed = body.columns[n_columns:]
    body = with_groups_of_sheets(body)
    body, joined = _with_joined(body)
    body, ticked = with_parts_of_cells(body)
    facts, candidates = _candidates(body, joined, ticked, headed)
    # One of many columns of numbers is hardly a label by its few values.
    plain = {
        fact.name for fact in facts if fact.kind == "numbers" and fact.n_values > 2 and label_score(fact.name) <= 0
    }
    plain = plain if len(plain) >= _MANY_NUMBERS else set()
    has_label = any(c.score > 0 and c.name not in plain and not is_seldom_a_label(c) for c in candidates)
    named, are_repeated = with_groups_in_names(body, has_label=has_label)
    if named is not body:
        body = named
        facts, grouped = _candidates(body, joined, ticked, headed)
        candidates = grouped if not has_label or (are_repeated and not is_sure(candidates)) else candidates
    asked = (fact for fact in facts if not OF_NAMES.fullmatch(fact.name))
    odd = {fact.name: found for fact in asked if (found := odd_cells_of(fact)) is not None}
    return Proposal(table, groups, skipped, body, facts, odd, candidates, joined)


def _candidates(
    table: Table, joined: tuple[str, ...], ticked: Collection[str], headed: tuple[str, ...]
) -> tuple[tuple[Column, ...], tuple[LabelCandidate, ...]]:
    """What the columns hold, and which could be the label: none of `ticked`; `headed` holds headings."""
    facts = tuple(column_of(table, name) for name in table.columns)
    asked = tuple(fact for fact in facts if fact.name not in ticked)
    return facts, label_candidates(asked, asked[-1].name if joined else "", headed)


_MANY_NUMBERS = 20  # columns
_FEWEST_JOINED, _SEVERAL_JOINED, _MARKED_ROWS = 3, 5, 0.95  # columns; share of the rows


def _with_joined(table: Table) -> tuple[Table, tuple[str, ...]]:
    """The table with a column more where three or more columns of 0 and 1 at one of its ends mark one class each, or
    five or more do in nearly all rows."""
    for names in (table.columns[::-1], table.columns):
        marks: list[np.ndarray] = []
        for name in names:
            values = column_of(table, name).numbers.values
            if not np.isin(values, (0.0, 1.0)).all() or np.ptp(values) == 0:
                break
            marks.append(values)
        # All of these, or those nearest to the end.
        for n in range(len(marks), _FEWEST_JOINED - 1, -1):
            is_marked = np.sum(marks[:n], axis=0) == 1.0
            if is_marked.all() or (n >= _SEVERAL_JOINED and is_marked.mean() >= _MARKED_ROWS):
                members = tuple(name for name in table.columns if name in names[:n])
                stem = commonprefix(members)  # noqa: RUF071  (names, not paths)
                stem = "" if all(name[len(stem) :].isdecimal() for name in members) else stem
                levels = {name: name[len(stem) :] or name for name in members}
                title = stem.strip(" _-.:=") or "class"
                while title in table.columns:
                    title += " (2)"
                which = np.argmax([column_of(table, name).numbers.values for name in members], axis=0)
                cells = [levels[members[k]] if one else "" for k, one in zip(which.tolist(), is_marked, strict=True)]
                return table.with_column(title, cells), members
    return table, ()


def _row_groups(table: Table) -> tuple[RowGroup, ...]:
    """The groups of rows to skip, found sheet by sheet."""
    found: dict[str, list[int]] = {}
    for begin, part in sheets_apart(table):
        for kind, rows in _rows_to_skip(part).items():
            found.setdefault(kind, []).extend(begin + k for k in rows)
    n = table.n_rows
    return tuple(
        RowGroup(kind, tuple(found[kind]), _sentence(table, kind, found[kind]), len(found[kind]) > _ASK_ABOVE * n)
        for kind in _KINDS
        if kind in found
    )


def _rows_to_skip(table: Table) -> dict[str, list[int]]:
    """The rows of each kind; a row belongs to the first kind that claims it."""
    taken: set[int] = set()
    found: dict[str, list[int]] = {}
    for kind, find in _KINDS.items() if table.n_rows >= _FEWEST_ROWS else ():
        rows = [k for k in find(table, taken) if k not in taken]
        if rows and len(rows) < table.n_rows:
            taken.update(rows)
            found[kind] = rows
    return found


def _sentence(table: Table, kind: str, rows: list[int]) -> str:
    first, last = table.line_numbers[rows[0]], table.line_numbers[rows[-1]]
    where = f"line {first}"
    if kind == "second_table" and len(rows) > 1:
        where = f"lines {first} to {last}"
    elif len(rows) > 1:
        where = f"lines {first_few([str(table.line_numbers[k]) for k in rows])}"
    n = len(rows)
    cells = on_one_line(" ".join(cell for cell in table.row(rows[0]) if cell))[:50]
    what = {
        "footer": counted(n, "line") + " below the table",
        "heading": counted(n, "row") + " with a heading only",
        "header": counted(n, "line repeats", "lines repeat") + " the header and",
        "second_table": f"A second table begins on line {first}: " + counted(n, "row"),
        "decoy": counted(n, "row") + " of decoys or contaminants",
        "subtotal": counted(n, "row") + " of totals of the rows " + ("below each" if n > 1 else "below"),
        "statistic": counted(n, "row") + " of other statistics than the mean",
        "summary": counted(n, "row") + " of totals or statistics",
    }[kind]
    return f"{what} {'was' if n == 1 else 'were'} skipped ({where}: {cells!r})."


def _footers(table: Table, taken: set[int]) -> list[int]:
    """Rows at the end with a single cell, of words, in a table whose rows hold several; else words below dates; none
    of records that hold their names, as in JSON."""
    if table.detected is None and table.line_numbers[0] == 1 and not all(map(_UNNAMED.fullmatch, table.columns)):
        return []
    width = len(table.columns)
    if width < 3 and not (width == 2 and not table.cell(table.n_rows - 1, table.columns[1])):
        return []
    n = table.n_rows
    bottom = max(0, n - _MOST_FOOTERS)
    last_rows, end = table.some_rows(bottom, n), n
    while end > max(bottom, 3):
        row = last_rows[end - 1 - bottom]
        filled = [k for k, cell in enumerate(row) if cell]
        at_an_edge = filled in ([0], [1]) or (filled == [0, width - 1] and width >= _WIDE)  # in two languages
        is_key = filled == [0, 1] and width >= _WIDE and row[0].endswith(":")  # and its value, as "Source: us"
        gaps_or_numbers = any(looks_like_a_number(row[k]) or (is_missing(row[k]) and row[k].isalnum()) for k in filled)
        are_few = width >= _WIDE and 0 < len(filled) <= width // _WIDE  # words, as of who signs
        if not (is_key or ((at_an_edge or are_few) and not gaps_or_numbers)):
            break
        end -= 1
    above = table.some_rows(max(0, end - _LOOKED_AT_ABOVE), end)
    alone = sum(sum(map(bool, row)) == 1 for row in above)
    if end < n:
        rows = list(range(end, n))
        return rows if alone <= _FEW_ALONE * len(above) or _headings(table, set(rows)) else []
    if keyless := _without_a_key(table) or _below_numbers(table):
        return keyless
    below = below_dates(table, list(range(n)))  # such as the names of a table without rows
    return [] if any(looks_like_a_number(cell) for k in below for cell in table.row(k)) else below


def _without_a_key(table: Table) -> list[int]:
    """The last rows, where these are blank in the first column, which no other row is, and in most others."""
    blank = np.array([not cell for cell in table.column(table.columns[0])])
    rows = np.flatnonzero(blank).tolist()
    few = 0 < len(rows) <= min(MOST_SUMMARIES, len(blank) / 10) and rows[0] == len(blank) - len(rows)
    return rows if few and all(2 * sum(map(bool, table.row(k))) < len(table.columns) for k in rows) else []


def _below_numbers(table: Table) -> list[int]:
    """The last rows, where these have a word in the first column, of numbers elsewhere, and few other cells."""
    column = column_of(table, table.columns[0])
    odd = np.flatnonzero(~column.odd).tolist() if column.kind == "numbers" and column.odd.any() else []
    n_below = len(column.cells) - 1 - odd[-1] if odd else 0
    rows = list(range(len(column.cells) - n_below, len(column.cells)))
    below = [table.row(k) for k in rows[: MOST_SUMMARIES + 1]]
    few = len(rows) <= MOST_SUMMARIES and all(2 * sum(map(bool, row)) <= len(row) for row in below)
    return rows if few and not any(SUMMARY.fullmatch(row[0]) for row in below) else []


def _fills_few(table: Table) -> np.ndarray:
    """Whether a row has a quarter of the cells at most, bool (n_rows,)."""
    import pyarrow.compute as pc

    n_filled = sum(pc.not_equal(column, "").to_numpy().astype(int) for column in table.cells.columns)
    return np.asarray(4 * n_filled <= len(table.columns))


def _headings(table: Table, taken: set[int]) -> list[int]:
    """Two or more rows with their first or second cell alone, of words and no code, each above a row that has more;
    above rows that begin with a number, with a word and few other cells. One is enough if it is like the title."""
    if len(table.columns) < _FEWEST_WITH_HEADINGS:
        return []
    first = column_of(table, table.columns[0])
    cells = [one or other for one, other in zip(*map(table.column, table.columns[:2]), strict=True)]
    above_numbers = first.kind == "numbers" and bool(first.odd.any())
    alone = _fills_few(table) & first.odd if above_numbers else alone_in_rows(table, 2)
    end = table.n_rows
    while end - 1 in taken:  # a footer
        end -= 1
    rows = np.flatnonzero(alone[:end]).tolist()
    alike = len(rows) == 1 and _begin_alike(cells[rows[0]], table.title)
    if len(rows) < 2 - alike or len(rows) > end / (2 if above_numbers else FEWEST_OF_A_TOTAL):
        return []
    if not above_numbers and (rows[-1] == end - 1 or alone[np.array(rows) + 1].any()):
        return []
    are_codes = not above_numbers and any(CODE.fullmatch(cells[k]) for k in rows)
    return [] if are_codes or any(is_missing(cells[k]) for k in rows) else rows


def _begin_alike(one: str, other: str) -> bool:
    """Whether two titles begin with the same word before a number, as "Plate 1 (calm)" and "Plate 2", or are alike."""
    (first, *_), (second, *_) = one.split(maxsplit=2) or [""], other.split(maxsplit=2) or [""]
    numbered = [re.match(r"(\D+ )\d", title) for title in (one, other)]
    return pattern_of(one) == pattern_of(other) or (None not in numbered and first == second)


def _with_headings_of_rows(body: Table, table: Table, heads: Sequence[int], *, differ: bool) -> Table:
    """The body of a table with a column more: the last of the headings above each row, the title of the table above the
    first. What all of them name, as in "Site: north", names the column. With `differ` only where no two are equal."""
    follows = np.isin(np.array(heads) + 1, heads)  # another heading, as that of a part
    upper, lower = (
        [k for k, has in zip(heads, follows.tolist(), strict=True) if has == is_upper] for is_upper in (True, False)
    )
    if upper and (len(upper) < 2 or np.isin(np.array(upper) + 1, upper).any()):
        return body  # remarks
    for rows, title in ((lower, table.title), *([(upper, "")] if upper else [])):
        body = _with_heading_column(body, table, rows, title, differ=differ)
    return body


def _with_heading_column(body: Table, table: Table, heads: Sequence[int], above: str, *, differ: bool) -> Table:
    names = [above, *(next(filter(None, table.row(k)), "") for k in heads)]
    are_alike = len(heads) > 1 and len(set(names[1:])) == 1  # such as "of which:", whatever the title
    if are_alike or len(set(filter(None, names))) < 2 or (differ and len(set(names)) < len(names)):
        return body
    key, names = common_key(names)
    *_, title = unique_names((*body.columns, key or "heading"))
    which = np.searchsorted(table.line_numbers[list(heads)], body.line_numbers).tolist()
    note = f"The heading above each row is its cell in {title!r}."
    return replace(body.with_column(title, [names[k] for k in which]), notes=(*body.notes, note))


def _repeated_headers(table: Table, taken: set[int]) -> list[int]:
    """Rows that hold the names again, most of them at least and nothing else, or a line of those that these are joined
    from."""
    written = tuple("" if _UNNAMED.fullmatch(name) else name for name in table.columns)
    lines = {tuple(map(str.lower, line)): line for line in (table.columns, written, *table.header)}
    places = {k for line in lines.values() for k in _rows_with(table, table.columns[0], line[0])}
    return sorted(
        k
        for k in places
        if {tuple(map(str.lower, row)) for row in (table.row(k), unique_names(table.row(k)))} & lines.keys()
        or _holds_most(written, table.row(k))
    )


def _holds_most(names: Row, row: Row) -> bool:
    """Whether the row holds most of the names at their places, and nothing else."""
    filled = [(name.lower(), cell.lower()) for name, cell in zip(names, row, strict=True) if cell]
    return 2 * len(filled) > sum(map(bool, names)) and all(name == cell for name, cell in filled)


def _decoys(table: Table, taken: set[int]) -> list[int]:
    """Rows with "+" in a column that MaxQuant fills for its decoys, for contaminants, and for proteins that it knows by
    modified peptides only; and those of a few proteins whose names say so, as other programs write them."""
    could = [column_of(table, name) for name in table.columns if name.lower().replace(".", " ") in _OF_MAXQUANT]
    marks = [column.name for column in could if {"+"}.issuperset(filter(None, column.levels.values))]  # no strands
    rows = {k for name in marks for k in _rows_with(table, name, "+")}
    for name in table.columns[:_FIRST_NAMES]:
        levels = column_of(table, name).levels
        said = [k for k, cell in enumerate(levels.values) if _SAYS_DECOY.match(cell)]
        if 2 * len(said) < len(levels.values):
            rows.update(np.flatnonzero(np.isin(levels.codes, said)).tolist())
    return sorted(rows)


def _other_statistics(table: Table, taken: set[int]) -> list[int]:
    """Rows of deviations, minima and so on, where a column tells these from rows of means."""
    columns = {name: other_statistics(column_of(table, name)) for name in table.columns}
    return sorted(k for name, cells in columns.items() for cell in cells for k in _rows_with(table, name, cell))


def _rows_with(table: Table, name: str, cell: str) -> list[int]:
    """The rows whose cell of a column is `cell`."""
    import pyarrow.compute as pc

    rows: list[int] = np.flatnonzero(pc.equal(table.cells.column(name), cell).to_numpy()).tolist()
    return rows


def _same_rows_again(table: Table) -> list[int]:
    """The rows from the title above repeated names on, where the first column holds the same different cells above and
    below these, as of the states in dollars of each year, then of the last."""
    cells = table.column(table.columns[0])
    heads = _repeated_headers(table, set())
    if not heads:
        return []
    begin = heads[0]
    above, below = list(filter(None, cells[:begin])), list(filter(None, cells[heads[-1] + 1 :]))
    is_repeated = len({*above}) < len(above) or len({*below}) < len(below)
    n_alike = len({*above} & {*below})
    if is_repeated or n_alike < max(_FEWEST_ROWS, _NEARLY_ALL * max(len(above), len(below))):
        return []
    while begin and sum(map(bool, table.row(begin - 1))) <= 1:
        begin -= 1
    title = next(filter(None, table.row(begin)))
    return [] if table.title and _begin_alike(title, table.title) else list(range(begin, table.n_rows))


def _second_table(table: Table, taken: set[int]) -> list[int]:
    """Rows from one on that holds a name in every column of numbers, each name once in its column, or the first name
    of the table again; those behind the names of all columns where they tell of the same things as those above."""
    n = table.n_rows
    if again := _same_rows_again(table):
        return again
    numeric = []
    for name in table.columns:
        column = column_of(table, name)
        if column.n_present > n / 2 and column.kind == "numbers":
            numeric.append(column.numbers)
    if len(numeric) < 2:
        return []
    could = np.ones(n, dtype=bool)
    n_words = np.zeros(n, dtype=int)
    for numbers in numeric:
        could &= numbers.words | numbers.gaps
        n_words += numbers.words
    for k in np.flatnonzero(could & (n_words >= max(2, len(numeric) // 2))).tolist():
        row = table.row(k)
        names = [cell for cell in row if cell]
        if k in taken or k == n - 1 or len(set(names)) < len(names) or any(map(is_missing, names)):
            continue
        cells = [(name, cell) for name, cell in zip(table.columns, row, strict=True) if cell]
        cells = cells[row[0] == table.columns[0] :]
        if all(len(_rows_with(table, name, cell)) == 1 for name, cell in cells):
            alone = k > 0 and sum(map(bool, table.row(k - 1))) == 1  # its title
            return [row for row in range(k - alone, n) if row not in taken]
    return []


_KINDS: dict[str, Callable[[Table, set[int]], list[int]]] = {
    "footer": _footers,
    "decoy": _decoys,
    "header": _repeated_headers,
    "second_table": _second_table,
    "heading": _headings,
    "subtotal": totals_of_groups,
    "statistic": _other_statistics,
    "summary": summaries,
}
