"""Table: cells as text, with the line each row came from; Limits: how much is read; names for the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datasets.base.counted import counted
from datasets.base.first_few import first_few
from datasets.reading.compact_rows import CompactRows
from datasets.reading.east_asian import Guess


@dataclass(frozen=True)
class Limits:
    """How much is read.

    Attributes
    ----------
    file_bytes : int
        Of the file as it is.
    decoded_bytes : int
        Of what it unpacks to.
    text_bytes : int
        Of a text table, unpacked.
    lines : int
        Of a text table, blank ones and comments too, for each takes time.
    columns : int
        Of a table.
    cells : int
        Of a table; of a longer text table rows are drawn at random, other formats are refused.
    seconds : float
        That a binary format may take.
    child_memory : int
        Address space in bytes of the process that reads it.
    """

    file_bytes: int = 50_000_000
    decoded_bytes: int = 400_000_000
    text_bytes: int = 120_000_000
    lines: int = 10_000_000
    columns: int = 20_000
    cells: int = 5_000_000
    seconds: float = 60.0
    child_memory: int = 1_500_000_000


@dataclass(frozen=True)
class Detected:
    """How a text file was read, guessed or said.

    Attributes
    ----------
    encoding : str
        One that `bytes.decode` knows.
    separator : str
        A key of SEPARATORS.
    header_lines : int
        Lines that hold names.
    n_comments : int
        Comment lines that were left out.
    line_end : str
        "LF", "CRLF" or "CR".
    confidence : float
        0 to 1, how sure the encoding is.
    encodings : tuple[Guess, ...]
        Where it is doubtful, what it could be, each with a preview, the one that was taken first.
    doubtful : str
        A cell such as "1,234" where each mark that was taken for a decimal one could group thousands as
        well; else "".
    """

    encoding: str
    separator: str
    header_lines: int
    n_comments: int
    line_end: str
    doubtful: str = ""
    confidence: float = field(default=1.0, compare=False)
    encodings: tuple[Guess, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Table:
    """A table of text cells.

    Attributes
    ----------
    name : str
        The file's name.
    columns : tuple[str, ...]
        Names, unique.
    rows : Sequence[tuple[str, ...]]
        Cells as text, one tuple a row, all of len(columns); kept as CompactRows.
    line_numbers : tuple[int, ...]
        The line (of text) or row (of a sheet or array) from which each row comes, counted from 1.
    decimal : str
        The decimal mark of its numbers.
    notes : tuple[str, ...]
        What was detected or repaired, as sentences.
    sheets : tuple[str, ...]
        Names of the sheets that hold cells, where the file is a workbook.
    sheet : str
        The one that was read.
    thousands : str | None
        The mark between groups of three digits, "" for none, None where any sound grouping is taken.
    detected : Detected | None
        How the text was read; None for other formats.
    short_lines : tuple[int, ...]
        Lines with fewer cells than the first, filled up with missing ones; those of rows that are skipped too.
    parsed : dict[tuple[str, str], Any]
        What was computed from the cells once and is asked for again (numbers, levels, facts).
        It lives and dies with the table.
    """

    name: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    line_numbers: tuple[int, ...]
    decimal: str
    notes: tuple[str, ...]
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    thousands: str | None = None
    detected: Detected | None = None
    short_lines: tuple[int, ...] = ()
    parsed: dict[tuple[str, str], Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.rows, CompactRows):
            object.__setattr__(self, "rows", CompactRows(self.rows))

    @property
    def n_bytes(self) -> int:
        """What its cells, its line numbers and what was computed of them take, about."""
        computed = sum(map(_array_bytes, list(self.parsed.values())))
        return self._compact.n_bytes + 40 * len(self.line_numbers) + computed

    def let_go(self) -> None:
        """Keep no column unpacked that was asked for."""
        self._compact.let_go()

    def column(self, name: str) -> tuple[str, ...]:
        """The cells of one column, top to bottom; KeyError where there is none of that name."""
        return self._compact.column(self._place(name))

    def down(self, name: str) -> Iterator[str]:
        """The same, one after the other: for those who need but the first few."""
        return self._compact.down(self._place(name))

    def cell(self, row: int, name: str) -> str:
        """One cell, without unpacking its row or its column."""
        return self._compact.cell(row, self._place(name))

    @property
    def _compact(self) -> CompactRows:
        assert isinstance(self.rows, CompactRows)
        return self.rows

    def _place(self, name: str) -> int:
        if name not in self.columns:
            raise KeyError(name)
        return self.columns.index(name)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """`notes`, and which of the rows that are in the table came from short lines."""
        if not self.short_lines:
            return self.notes
        there = set(self.line_numbers)
        short = [line for line in self.short_lines if line in there]
        if not short:
            return self.notes
        lines = counted(len(short), "short line was", "short lines were")
        where = f"line{'s' if len(short) > 1 else ''} {first_few([str(line) for line in short])}"
        return (*self.notes, f"{lines} filled up with missing cells ({where}).")


def as_number(cell: str, decimal: str = ".") -> float | None:
    """The number in a cell, or None. (Python's own "1_000" is not one: nobody's table means it.)"""
    if "_" in cell:
        return None
    try:
        number = float(cell.replace(",", ".") if decimal == "," else cell)
    except ValueError:
        return None
    return None if number != number else number  # "-nan" is no number


def unique_names(row: tuple[str, ...]) -> tuple[str, ...]:
    """Blank names become "column 3", later copies of a name "a (2)"."""
    names: dict[str, None] = {}
    for k, cell in enumerate(row):
        name = cell or f"column {k + 1}"
        copy = 2
        while name in names:
            name = f"{cell or f'column {k + 1}'} ({copy})"
            copy += 1
        names[name] = None
    return tuple(names)


def _array_bytes(computed: Any) -> int:
    """Of the arrays in a dataclass."""
    held = {id(array): array for array in getattr(computed, "__dict__", {}).values() if isinstance(array, np.ndarray)}
    return sum(array.nbytes for array in held.values())
