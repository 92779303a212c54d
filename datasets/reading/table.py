"""Table: the cells of a file as Arrow strings, with the line of each row; Limits; what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings

import numpy as np

from datasets.base.words import counted, first_few
from datasets.reading.decoding import Guess
from datasets.reading.numerals import as_number, looks_like_a_number
from datasets.reading.samples import STATISTIC, Row, groups_above, numeric_columns, repeated_axes, samples_in_columns

if TYPE_CHECKING:  # loaded where it is needed: the server must answer before pyarrow is imported
    import pyarrow as pa

_MOST_WORDS_SHOWN = 6
_CELLS_OF_A_BATCH = 40_000
_FEWEST_ROWS_OF_A_BATCH = 64
_AT_A_TIME = 10_000
_SOME_LEVELS = 200
_FEWEST_WITH_BLANKS, _LARGEST_ANSWER, _SOME_LARGE = 8, 10, 4  # columns; of a scale; one column of so many
_MOST_CELLS = 1_000_000  # that are looked at for blanks that mean 0
_FEW_ZEROS, _FEWEST_IN_PAIRS, _UNEVEN = 2, 6, 5.0
FAR_ABOVE_0 = 2  # times the least of other numbers, within which these lie
GAP_CODES = (*range(-9, 0), *(sign * code for code in (66, 77, 88, 96, 97, 98, 99) for sign in (-1, 1)))  # of surveys
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LETTER_OR_SIGN, _SIGN = r"^[^\d\s]$", r"^[^\w\s]$"
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
# What spreadsheets show where a formula has no result.
_ERRORS = frozenset({"#n/a", "#n/d", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"})
BLANKS = ("", "-")  # what may mean 0 beside numbers
_DASHES = {"-", "--", "---", "_", "\u2013", "\u2014"}
# Statistical offices write a colon, points or a star.
MISSING = (
    _ERRORS
    | _DASHES
    | {"", "?", "na", "n/a", "n.a.", "n.a", "n.d.", "n.d", "nan", "null", "none", "<na>", "nat", "\\n"}
    | {":", ".", "..", "...", "…", "*", "(跳过)", "(空)"}  # the last two of Chinese surveys: skipped, blank
    | {"redacted", "[redacted]", "нет данных"}
)
_NO_TIME = "NaT"
FIXED, LOG = "fixed", "log"
SEPARATORS = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "pipe",
    ":": "colon",
    " ": "spaces",
    FIXED: "fixed width",
    LOG: "the form of a log",
}
THOUSANDS = {",": "comma", ".": "point", " ": "blank", "'": "apostrophe", "": "none"}


@dataclass(frozen=True)
class Limits:
    """How much is read."""

    file_bytes: int = 50_000_000  # of the file as it is
    decoded_bytes: int = 400_000_000  # of what it unpacks to
    text_bytes: int = 120_000_000  # of a text table, unpacked
    lines: int = 10_000_000  # of a text table, blank ones and comments too, for each takes time
    columns: int = 20_000  # of a table
    cells: int = 5_000_000  # of a table; of a longer text table rows are drawn at random, other formats are refused
    seconds: float = 60.0  # that a binary format may take
    child_memory: int = 1_500_000_000  # address space in bytes of the process that reads it


@dataclass(frozen=True)
class ReadOptions:
    """What is known about a text file; None where it is to be detected."""

    encoding: str | None = None  # a key of ENCODINGS
    separator: str | None = None  # a key of SEPARATORS
    decimal: str | None = None  # "." or ","
    header_lines: int | None = None  # 0, 1, 2, …: lines that hold names; several are joined
    comment: str | None = None  # the mark that begins a comment line; "" for none
    thousands: str | None = None  # a key of THOUSANDS: the mark between groups of three digits; "" for none
    # words that mean a missing value, besides the usual ones, in every format
    missing: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()  # numbers that do, in columns of numbers where they lie outside all others
    transposed: bool = False  # whether columns become rows, named by the first column
    without_lines: tuple[int, ...] = ()  # those of rows that are left out before blanks become 0 or columns rows
    widened: tuple[str, ...] = ()  # of a long table, the columns that name quantities, and the one that holds them
    all_sheets: bool = False  # whether the sheets of a workbook that have the columns of the one read are joined
    beside: str | None = None  # the sheet of a workbook whose columns on the same rows or samples are added
    blanks_are_0: bool = False  # whether blank cells count as 0 in columns of numbers above 0
    faulty_lines: str | None = None  # "skip" leaves out lines with more cells than the header; else they are refused


@dataclass(frozen=True)
class Detected:
    """How a text file was read, guessed or said."""

    encoding: str  # one that `bytes.decode` knows
    separator: str  # a key of SEPARATORS
    header_lines: int  # lines that hold names
    n_comments: int  # comment lines that were left out
    line_end: str  # "LF", "CRLF" or "CR"
    # a cell such as "1,234" where every decimal mark could group thousands as well, else ""
    doubtful: str = ""
    # where it is doubtful, what it could be, each with a preview, the one that was taken first
    encodings: tuple[Guess, ...] = field(default=(), compare=False)


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it was read: text cells and where they stood."""

    name: str  # name of the file
    cells: pa.Table  # one column of strings for each column of the file, stripped, "" for a blank cell
    line_numbers: np.ndarray  # int64 (n_rows,), the line on which each row begins in the file, counted from 1
    decimal: str = "."  # decimal mark, "." or ","
    notes: tuple[str, ...] = ()  # plain sentences about what was detected
    others: tuple[str, ...] = ()  # sentences on other tables of the file that were left out
    # names of a workbook's filled sheets, or of a text's tables if there are several; () for other formats
    sheets: tuple[str, ...] = ()
    sheet: str = ""  # the one of these that was read
    alike: tuple[str, ...] = ()  # the sheets with the columns of this one, itself among them
    beside: tuple[str, ...] = ()  # the sheets that tell more of the rows
    beside_samples: tuple[str, ...] = ()  # those that tell of the columns, as samples
    # the mark between groups of three digits, a key of THOUSANDS; None where it was not given
    thousands: str | None = None
    detected: Detected | None = None  # how a text file was read; None for other formats
    short_lines: tuple[int, ...] = ()  # lines whose rows had too few cells and were filled up with missing ones
    other_header: int | None = None  # how many lines may hold names just as well; None where that is clear
    # the lines that the names are joined from, where these are several, below those that describe samples in columns
    header: tuple[Row, ...] = ()
    title: str = ""  # a line of a single cell right above the names
    is_turned: bool = False  # whether its columns stood in rows
    holds_curves: bool = False  # whether each column but the first is one, over the first one
    # what `datasets.columns` computed of its columns, by name; dropped with the table
    parsed: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_rows(
        cls,
        name: str,
        columns: Sequence[str],
        rows: Iterable[Row],
        line_numbers: Sequence[int],
        **more: Any,
    ) -> Table:
        """A table of Python strings; `more` are the other attributes."""
        cells = arrow_cells(rows, len(columns)).rename_columns([_encodable(column) for column in columns])
        return cls(name, cells, np.asarray(line_numbers, dtype=np.int64), **more)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, all different."""
        return tuple(self.cells.column_names)

    @property
    def n_rows(self) -> int:
        return int(self.cells.num_rows)

    @property
    def n_bytes(self) -> int:
        """Memory of its cells, its line numbers and the arrays that were parsed of them, about."""
        return int(self.cells.nbytes + self.line_numbers.nbytes) + sum(each.n_bytes for each in [*self.parsed.values()])

    @property
    def rows(self) -> list[Row]:
        """All rows as tuples of strings; of a long table take `some_rows` or `column`."""
        return self.some_rows(0, self.n_rows)

    def some_rows(self, first: int, last: int) -> list[Row]:
        """The rows from `first` up to, not including, `last`, counted from 0."""
        return rows_between(self.cells, first, last)

    def row(self, k: int) -> Row:
        return self.some_rows(k, k + 1)[0]

    def column(self, name: str) -> list[str]:
        """The cells of one column; KeyError where there is none of that name."""
        return strings(self.cells.column(name))

    def cell(self, k: int, name: str) -> str:
        return str(self.cells.column(name)[k].as_py())

    def without_rows(self, rows: Iterable[int], notes: tuple[str, ...] = ()) -> Table:
        """The table without the given rows, with `notes` in front of its own."""
        import pyarrow as pa

        kept = np.ones(self.n_rows, dtype=bool)
        kept[list(rows)] = False
        cells, lines = self.cells.filter(pa.array(kept)), self.line_numbers[kept]
        return replace(self, cells=cells.combine_chunks(), line_numbers=lines, notes=(*notes, *self.notes))

    def with_column(self, name: str, cells: Sequence[str]) -> Table:
        """The table with a column behind the others, of which what was parsed is kept."""
        table = replace(self, cells=self.cells.append_column(name, string_array(cells)))
        table.parsed.update(self.parsed)
        return table

    def varying_most(self, most: int) -> Table:
        """At most so many of the rows, those whose numbers vary most; rows without numbers stay."""
        if self.n_rows <= most:
            return self
        import pyarrow as pa
        import pyarrow.compute as pc

        values = []
        for cells in self.cells.columns[1:]:
            text = pc.replace_substring(cells, self.decimal, ".")
            numbers = pc.if_else(pc.match_substring_regex(text, _NUMBER), text, None)
            values.append(pc.cast(numbers, pa.float64()).to_numpy())
        with catch_warnings(action="ignore", category=RuntimeWarning):  # of rows without any number
            variance = np.nanvar(np.column_stack(values), axis=1)
        order = np.argsort(-np.where(np.isnan(variance), np.inf, variance), kind="stable")
        left = sorted(order[most:].tolist())
        return self.without_rows(
            left, (f"{len(left):,} of {self.n_rows:,} rows, those that vary least, were left out.",)
        )

    def transposed(self) -> Table:
        """Columns as rows: the first column names the columns, and the names of the others stand in the first one.

        Columns of words or statistics right behind the first one or last, as of genes, are left out. What the header
        lines say of groups of columns stands in columns behind the others; without such lines, so do the words in names
        such as tumour_1 and normal_2.
        """
        import pyarrow as pa

        filled = [[cell for cell in self.column(name) if cell] for name in self.columns]
        numbers = [
            0 < len(cells) <= 2 * sum(map(looks_like_a_number, cells)) and not STATISTIC.fullmatch(name)
            for name, cells in zip(self.columns, filled, strict=True)
        ]
        numeric = numeric_columns(numbers, [not cells for cells in filled])
        n_values = lambda name: len(set(self.column(name)))  # noqa: E731
        first, begin, end = samples_in_columns(self.columns, numeric, n_values, self.header)
        described = [name for name in (*self.columns[:begin], *self.columns[end:]) if name != first]
        samples = list(self.columns[begin:end])
        groups = groups_above(self.header, samples, begin, end)
        rows = rows_between(self.cells.select(samples), 0, self.n_rows)
        columns = [("sample", samples), *zip(self.column(first), rows, strict=True)]
        columns += groups
        names = unique_names(tuple(name for name, _ in columns))
        cells = pa.table([string_array(column) for _, column in columns], names=list(names))
        lines = np.arange(2, len(samples) + 2)
        left_out = f" Left out beside these: {first_few(described)}." if described else ""
        notes = (*self.notes, f"Columns were taken as rows, named by {first!r}.{left_out}")
        return replace(self, cells=cells, line_numbers=lines, notes=notes, short_lines=(), is_turned=True)

    @cached_property
    def counts_with_blanks(self) -> tuple[str, ...]:
        """Columns that hold numbers above 0 or nothing, where these are many, mostly blank, and count or measure: there
        a blank may mean 0, as in lists of species."""
        import pyarrow.compute as pc

        names, masks, n_mostly, n_large, n_even = list[str](), set[bytes](), 0, 0, 0
        cells = self.cells.slice(0, _MOST_CELLS // max(1, len(self.columns)))
        for name, column in zip(self.columns, cells.columns, strict=True):
            blank = pc.is_in(column, value_set=string_array(BLANKS)).to_numpy()
            n_blank = int(blank.sum())
            if not blank[: cells.num_rows - n_blank].any():  # below the last cell only
                continue
            different = strings(pc.unique(column))
            values = [as_number(cell, self.decimal) for cell in different if cell not in BLANKS]
            n_zeros = pc.sum(pc.equal(column, "0")).as_py()
            if not any(values) or n_zeros > _FEW_ZEROS or any(value is None or value < 0 for value in values):
                continue
            names.append(name)
            masks.add(blank.tobytes())
            is_mostly_blank = 2 * n_blank > cells.num_rows
            n_mostly += is_mostly_blank
            measured = [value or 0.0 for value in values if value not in GAP_CODES]
            n_large += is_mostly_blank and max(measured, default=0.0) > _LARGEST_ANSWER
            least = min(filter(None, measured), default=0.0)
            whole = sum(value.is_integer() for value in measured)
            n_even += is_mostly_blank and 2 * whole < len(measured) and max(measured) < _UNEVEN * least
        enough = n_mostly >= _FEWEST_WITH_BLANKS and _SOME_LARGE * n_large >= n_mostly and 2 * len(masks) > len(names)
        return tuple(names) if enough and 2 * n_even < n_mostly else ()  # sizes, of which no thing has all

    @property
    def all_notes(self) -> tuple[str, ...]:
        """`others`, `notes`, and which of the rows of the table came from short lines."""
        said = (*self.others, *self.notes)
        present = set(self.line_numbers.tolist()) if self.short_lines else set()
        short = [line for line in self.short_lines if line in present]
        if not short:
            return said
        lines = counted(len(short), "short line was", "short lines were")
        where = f"line{'s' if len(short) > 1 else ''} {first_few([str(line) for line in short])}"
        return (*said, f"{lines} filled up with missing cells ({where}).")


def rows_between(cells: pa.Table, first: int, last: int) -> list[Row]:
    """Rows `first` to `last` - 1 of columns of strings."""
    part = cells.slice(first, max(0, last - first))
    return list(zip(*(column.to_pylist() for column in part.columns), strict=True))


def strings(column: pa.Array | pa.ChunkedArray) -> list[str]:
    """Python strings of a column, some at a time: while `to_pylist` runs, no other thread of the server does."""
    pieces = (column.slice(first, _AT_A_TIME).to_pylist() for first in range(0, len(column), _AT_A_TIME))
    return list(chain.from_iterable(pieces))


def arrow_cells(rows: Iterable[Row], n_columns: int) -> pa.Table:
    """Rows of strings in columns named "0", "1", ..., some at a time: a Python string takes 60 bytes a cell."""
    import pyarrow as pa

    names = [str(k) for k in range(n_columns)]
    batches, rows = [], iter(rows)
    at_a_time = max(_FEWEST_ROWS_OF_A_BATCH, _CELLS_OF_A_BATCH // max(1, n_columns))
    while part := list(islice(rows, at_a_time)):
        cells = string_array(list(chain.from_iterable(zip(*part, strict=True))))
        columns = [cells.slice(k * len(part), len(part)) for k in range(n_columns)]
        batches.append(pa.RecordBatch.from_arrays(columns, names=names))
    schema = pa.schema([(name, pa.string()) for name in names])
    return pa.Table.from_batches(batches, schema).combine_chunks()


def string_array(cells: Sequence[str]) -> pa.StringArray:
    """The strings as an Arrow array; `pa.array` would import pandas, which the child process has no room for."""
    import pyarrow as pa

    offsets = np.zeros(len(cells) + 1, dtype=np.int32)
    lengths: Iterable[int] = map(len, cells)
    text = "".join(cells)
    if not text.isascii():
        cells = [_encodable(cell) for cell in cells]
        text = "".join(cells)
        lengths = (len(cell.encode()) for cell in cells)
    np.cumsum(np.fromiter(lengths, dtype=np.int32, count=len(cells)), out=offsets[1:])
    return pa.StringArray.from_buffers(len(cells), pa.py_buffer(offsets), pa.py_buffer(text.encode()))


def _encodable(text: str) -> str:
    """Replace half a surrogate pair, which JSON can escape but no page can show, by U+FFFD."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def unique_names(row: tuple[str, ...]) -> tuple[str, ...]:
    """Each name on one line; blank names become "column 3", later copies of a name "a (2)"."""
    names: dict[str, None] = {}
    for k, cell in enumerate(row):
        name = stem = " ".join(filter(None, map(str.strip, cell.splitlines()))) or f"column {k + 1}"
        copy = 2
        while name in names:
            name = f"{stem} ({copy})"
            copy += 1
        names[name] = None
    return tuple(names)


def missing_words(table: Table) -> tuple[str, ...]:
    """The words in the table that mean a missing value, the blank cell ("") among them; at most six."""
    import pyarrow.compute as pc

    found: set[str] = set()
    for column in table.cells.columns:
        found.update(pc.unique(column.filter(missing_cells(column))).to_pylist())
    return tuple(sorted(found)[:_MOST_WORDS_SHOWN])


def is_missing(cell: str) -> bool:
    """Whether a cell means a missing value; "NAT" is a word, and no time that is none."""
    return cell.lower() in MISSING and (cell == _NO_TIME or cell.lower() != _NO_TIME.lower())


def missing_cells(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Which cells mean a missing value, bool (n_rows,); beside "+" the sign "-" does not, nor "none" among words, nor
    a star in a column of single letters and signs, or without other cells, nor "Na" beside "Mg" and "Ca"."""
    import pyarrow.compute as pc

    words = MISSING - {"-"} if pc.any(pc.equal(column, "+")).as_py() else MISSING
    lower = pc.utf8_lower(column)
    if pc.any(pc.equal(column, "*")).as_py():
        others = column.filter(pc.invert(pc.is_in(lower, value_set=_as_set(words))))
        are_marks = (
            pc.all(pc.match_substring_regex(others, _LETTER_OR_SIGN)),
            pc.any(pc.match_substring_regex(others, _SIGN)),
        )
        if not len(others) or all(each.as_py() for each in are_marks):
            words = words - {"*"}
    is_no_time = pc.equal(column, _NO_TIME)
    words = words - {_NO_TIME.lower()}
    missing = pc.or_(pc.is_in(lower, value_set=_as_set(words)), is_no_time)
    is_sodium = pc.equal(column, "Na")
    if pc.any(is_sodium).as_py() and all(pc.any(pc.equal(column, metal)).as_py() for metal in ("Mg", "Ca")):
        missing = pc.and_(missing, pc.invert(is_sodium))
    if not pc.any(pc.equal(lower, "none")).as_py():
        return missing
    others = strings(pc.unique(column.filter(pc.invert(missing))).slice(0, _SOME_LEVELS))
    if 2 * sum(map(looks_like_a_number, others)) >= len(others):
        return missing
    return pc.or_(pc.is_in(lower, value_set=_as_set(words - {"none"})), is_no_time)


@lru_cache(maxsize=16)
def _as_set(words: frozenset[str]) -> pa.StringArray:
    return string_array(sorted(words))


def without_repeated_axes(table: Table) -> Table:
    """The table without the columns of x before each y but the first."""
    start = table.some_rows(0, 2)  # most tables are left alone without a look at all of their cells
    alike = all(len(set(row[::2])) == 1 and looks_like_a_number(row[0]) for row in start)
    if len(table.columns) < _FEWEST_IN_PAIRS or not alike or len({row[0] for row in start}) < 2:
        return table
    gone = repeated_axes([table.column(name) for name in table.columns])
    if not gone:
        return table
    kept = [name for k, name in enumerate(table.columns) if k not in gone]
    note = f"Each second column repeats {kept[0]!r}: {len(gone)} of these were left out."
    return replace(table, cells=table.cells.select(kept), notes=(*table.notes, note), holds_curves=True, header=())


def blanks_of(table: Table) -> str:
    """What may mean 0 in its columns of numbers above 0."""
    import pyarrow.compute as pc

    n = {
        mark: sum(pc.sum(pc.equal(table.cells.column(name), mark)).as_py() for name in table.counts_with_blanks)
        for mark in BLANKS
    }
    return "blanks and dashes" if all(n.values()) else "dashes" if n["-"] else "blanks"


def with_zeros(table: Table) -> Table:
    """The table with 0 in blank cells of columns of numbers above 0, and in those with a dash."""
    import pyarrow.compute as pc

    names, cells = table.counts_with_blanks, table.cells
    note = f"{blanks_of(table).capitalize()} count as 0 in {counted(len(names), 'column')}: {first_few(names)}."
    for name in names:
        column = cells.column(name)
        filled = pc.if_else(pc.is_in(column, value_set=string_array(BLANKS)), "0", column)
        cells = cells.set_column(table.columns.index(name), name, filled)
    return replace(table, cells=cells, notes=(*table.notes, note)) if names else table


def without_words(table: Table, words: Sequence[str], codes: Sequence[str] = ()) -> Table:
    """The table with each cell that is exactly one of `words` left blank, or one of `codes` in a column of numbers that
    lie all above or all below it; a note counts them."""
    import pyarrow.compute as pc

    everywhere = {word.strip() for word in words} - {""}
    dropped = sorted({*everywhere, *codes})
    if not dropped:
        return table
    cells, count = table.cells, 0
    for k, column in enumerate(cells.columns):
        outside = codes_outside(strings(pc.unique(column)), codes, table.decimal) if codes else ()
        found = pc.is_in(column, value_set=string_array(sorted({*everywhere, *outside})))
        if here := pc.sum(found).as_py():
            count += here
            cells = cells.set_column(k, table.columns[k], pc.if_else(found, "", column))
    quoted = " or ".join(map(repr, dropped))
    what = counted(count, f"cell that says {quoted} counts", f"cells that say {quoted} count")
    return replace(table, cells=cells, notes=(*table.notes, f"{what} as missing."))


def codes_outside(cells: Sequence[str], codes: Sequence[str], decimal: str) -> list[str]:
    """Those of the `codes` among the different `cells` of a column that lie above or below all its other numbers; zeros
    far below."""
    there = [code for code in codes if code in cells]
    others = [as_number(cell, decimal) for cell in cells if cell not in there and not is_missing(cell)] if there else []
    numbers = [number for number in others if number is not None]
    if 2 * len(numbers) <= len(others):
        return []
    values = {code: as_number(code, decimal) for code in there}
    low, high = min(numbers), max(numbers)
    low = low if high - low < FAR_ABOVE_0 * low or 0 not in values.values() else min(low, 0)
    return [code for code, value in values.items() if value is not None and not low <= value <= high]
