"""Text tables (CSV and its relatives) -> Table: the layout is detected and noted, faulty lines are named.

Comment and title lines are blanked rather than removed, so the lines below keep their numbers.
"""

from __future__ import annotations

import csv
import random
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from datasets.base.errors import DataError
from datasets.base.limits import Limits
from datasets.base.words import counted, numbered
from datasets.reading.decoding import decoded
from datasets.reading.number_formats import as_number, decimal_mark, is_grouped
from datasets.reading.table import (
    SEPARATORS,
    THOUSANDS,
    Detected,
    ReadOptions,
    Rows,
    Table,
    is_missing,
    rows_between,
    unique_names,
)

if TYPE_CHECKING:
    import pyarrow as pa

_SEPARATOR_SAMPLE = 200_000
_DOUBT_ROWS = 2_000
_DECIMAL_ROWS = 200
_MOST_LOOKED_AT = 100_000  # cells, of wide tables


def read_text(data: bytes, filename: str, limits: Limits, options: ReadOptions) -> Table:
    """Read a delimited text file.

    Raises
    ------
    DataError
        With file and line, for anything that is not such a table or is too large.
    """
    if len(data) > limits.text_bytes:
        raise DataError(
            f"{filename} unpacks to {len(data) / 1e6:.0f} MB of text; at most {limits.text_bytes // 1_000_000} MB are "
            "read. Save a sample of the rows."
        )
    found = decoded(data, filename, options.encoding)
    text, notes = found.text, list(found.notes)
    if not text or text.isspace():
        raise DataError(f"{filename} holds only blank lines.")
    text, said_first = declared_separator(text)
    n_lines = max(text.count("\n"), text.count("\r"))
    if n_lines > limits.lines:
        raise DataError(
            f"{filename} has {n_lines:,} lines; at most {limits.lines:,} are read. Save a sample of the rows."
        )
    separator = options.separator or said_first or _separator(text)
    line_end = _line_end(text)
    text, n_comments = without_comments(text, separator, options.comment)
    if not text or text.isspace():
        raise DataError(f"{filename} holds only comments and blank lines.")
    if separator == " ":
        text = "\n".join(line.strip() for line in text.splitlines())
    _count_columns(text, separator, filename, limits)
    text, titles = without_titles(text, separator, options.header_lines is not None)
    text, row_names = with_row_names(text, separator) if options.header_lines != 0 else (text, [])
    text = _without_blank_end(text, separator)
    cells, numbers, repaired, short = _split(text, separator, filename, limits, options.faulty_lines == "skip")
    if separator != ",":
        notes.append(f"Columns are separated by {SEPARATORS[separator]}.")
    if n_comments:
        notes.append(f"{counted(n_comments, 'comment line was', 'comment lines were')} left out.")
    notes += [*titles, *row_names, *repaired]
    if not cells.num_rows:
        raise DataError(f"{filename} holds only blank cells.")
    top = rows_between(cells, 0, max(MOST_HEADER_LINES + _SAMPLE_ROWS, options.header_lines or 0))
    n_header = count_header_lines(top) if options.header_lines is None else max(0, options.header_lines)
    columns = joined_names(top[:n_header], len(top[0]))
    cells = cells.slice(n_header).rename_columns(list(columns))
    notes += header_note(n_header, "line")
    if not cells.num_rows:
        raise DataError(f"{filename} has a header line and no rows below it.")
    rows = rows_between(cells, 0, max(10, min(_DOUBT_ROWS, _MOST_LOOKED_AT // len(columns))))
    decimal = options.decimal or _decimal(rows, separator, options.thousands)
    if decimal == ",":
        notes.append("Numbers are written with a decimal comma.")
    if options.thousands == decimal:
        raise DataError(f"The {THOUSANDS[decimal]} cannot be both the decimal and the thousands mark.")
    # Between commas a point is a decimal point: files that group by points have decimal commas and another separator.
    said = options.decimal or options.thousands is not None or separator == ","
    doubtful = "" if said else _doubtful(rows, decimal)
    if doubtful:
        other = "point" if decimal == "," else "comma"
        notes.append(
            f"Cells such as {doubtful!r} were read with a decimal {SEPARATORS.get(decimal, 'point')}, but could as "
            f"well be thousands; then say that the decimal mark is the {other}."
        )
    return Table(
        name=filename,
        cells=cells,
        line_numbers=np.array(numbers[n_header:], dtype=np.int64),
        decimal=decimal,
        notes=tuple(notes),
        thousands=options.thousands,
        short_lines=tuple(short),
        detected=Detected(
            found.encoding, separator, n_header, n_comments, line_end, doubtful, found.confidence, found.alternatives
        ),
    )


def _line_end(text: str) -> str:
    """By the first line; a file of one line counts as LF."""
    first = next(lines_of(text), "")
    return "CRLF" if first.endswith("\r\n") else "CR" if first.endswith("\r") else "LF"


def _without_blank_end(text: str, separator: str) -> str:
    """Spreadsheets write a line of separators for each row that was ever formatted, up to a million of them."""
    end = len(text.rstrip(separator + " \t\r\n"))
    breaks = [place for mark in "\r\n" if (place := text.find(mark, end)) >= 0]
    return text[: min(breaks, default=len(text))]


def _count_columns(text: str, separator: str, filename: str, limits: Limits) -> None:
    """Refuse too many columns by counting separators, before anything is split."""
    start = len(text) - len(text.lstrip("\r\n"))
    ends = [place for mark in "\r\n" if (place := text.find(mark, start)) >= 0]
    n_columns = text.count(separator, start, min(ends, default=len(text))) + 1
    if n_columns > limits.columns:
        line = text[:start].replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        raise DataError(f"{filename}, line {line} has {n_columns:,} columns; at most {limits.columns:,} are read.")


def _separator(text: str) -> str:
    """The separator that cuts the first lines into most columns, equally many in most lines."""
    sample = [line.strip(" ") for line in text[:_SEPARATOR_SAMPLE].splitlines()[:50] if line.strip()]

    def merit(separator: str) -> tuple[float, int]:
        blank = separator == " "
        counts = [len(row) for row in csv.reader(sample, delimiter=separator, skipinitialspace=blank)]
        if blank and len(counts) > 2 and counts[0] + 1 == counts[1]:
            counts[0] = counts[1]  # the first line may lack the name of the row names
        usual = max(set(counts), key=counts.count)
        return (counts.count(usual) / len(counts) if usual > 1 else 0.0, usual)

    try:
        best = max((mark for mark in SEPARATORS if mark != " "), key=merit)
        # Blanks stand inside cells too: they separate only where nothing else does and all lines agree.
        return " " if merit(best)[0] == 0.0 and len(sample) > 1 and merit(" ")[0] == 1.0 else best
    except (csv.Error, ValueError):
        return ","


def _split(
    text: str, separator: str, filename: str, limits: Limits, skip_faulty: bool
) -> tuple[pa.Table, array[int], list[str], list[int]]:
    """Cells, the line of each row, notes, and the lines that had too few cells."""
    reader = csv.reader(lines_of(text), delimiter=separator, skipinitialspace=separator == " ", strict=True)
    rows = Rows()
    first: tuple[str, ...] = ()
    numbers = array("q")
    short: list[int] = []
    trailing, faulty = False, FaultyLines()
    begins, n_cells = 1, -1
    n_lines = max(1, text.count("\n"), text.count("\r"))
    width = max((line.count(separator) + 1 for line in islice(lines_of(text), 20)), default=1)
    share = limits.cells / (n_lines * width)
    draw = random.Random(0)
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + 1
            # The lines that may hold names are never drawn from.
            if share < 1 and len(rows) > MOST_HEADER_LINES and draw.random() > share:
                continue
            row = tuple(map(str.strip, cells))
            if len(row) == n_cells and row[0]:  # nearly all of them
                rows.append(row)
                numbers.append(line)
                continue
            if not any(row):
                continue
            if first and len(row) == len(first) + 1 and not row[-1]:
                row, trailing = row[:-1], True
            if first and len(row) > len(first):
                faulty.add(line, row)
                continue
            if len(row) < len(first):
                row += ("",) * (len(first) - len(row))
                short.append(line)
            rows.append(row)
            numbers.append(line)
            first = first or row
            n_cells = len(first)
    except csv.Error as error:
        hint = str(error)
        if "end of data" in hint:
            hint = "a quote that is opened there is never closed"
        elif "expected after" in hint:
            hint = "a quote stands inside a quoted cell, where it must be doubled"
        raise DataError(f"{filename}, line {begins}: {hint}. Mend the line and try again.") from None
    notes = faulty.settle(filename, len(first), len(rows), skip_faulty)
    cells = rows.table(len(first))
    while cells.num_rows > 1 and cells.num_columns > 1 and not _has_text(cells.column(cells.num_columns - 1)):
        cells = cells.remove_column(cells.num_columns - 1)
        trailing = True
    if share < 1:
        notes.append(
            f"The file has about {n_lines:,} lines, more than are read at once: {len(rows) - 1:,} rows were drawn "
            "at random from all of it."
        )
    if trailing:
        notes.append("Separators at the ends of lines were left out.")
    return cells, numbers, notes, short


def _has_text(column: pa.ChunkedArray) -> bool:
    import pyarrow.compute as pc

    return pc.max(pc.binary_length(column)).as_py() > 0


def _doubtful(rows: Sequence[tuple[str, ...]], decimal: str) -> str:
    """The first cell with a decimal mark, where all such cells look like grouped thousands."""
    first = ""
    for cell in (cell for row in rows for cell in row if decimal in cell):
        if as_number(cell, decimal) is None:
            continue
        if not is_grouped(cell, decimal):
            return ""
        first = first or cell
    return first


def _decimal(rows: Sequence[tuple[str, ...]], separator: str, thousands: str | None) -> str:
    if thousands in (".", ","):
        return "," if thousands == "." else "."
    return decimal_mark((cell for row in rows[:_DECIMAL_ROWS] for cell in row), separator)


_LINES_SHOWN = 4
_LINES_KEPT = 50
_MOST_SKIPPED = 0.5


@dataclass(frozen=True)
class FaultyLine:
    """A line that does not fit: its number in the file, how many cells it has, and how it begins."""

    number: int
    n_cells: int
    text: str


class FaultyLinesError(DataError):
    """Lines with more cells than the header has names."""

    def __init__(self, filename: str, lines: list[FaultyLine], n_lines: int, n_columns: int, n_sound: int) -> None:
        self.filename, self.lines, self.n_lines = filename, tuple(lines), n_lines
        self.n_columns, self.n_sound = n_columns, n_sound
        self.can_skip = n_sound > 2 and n_lines <= _MOST_SKIPPED * (n_lines + n_sound)
        first = lines[0]
        sentence = f"{filename}, line {first.number} has {first.n_cells:,} columns, the first line has {n_columns:,}"
        if n_lines > 1:
            others = ", ".join(f"{line.number} ({line.n_cells:,})" for line in lines[1 : _LINES_SHOWN + 1])
            more = f" and {n_lines - _LINES_SHOWN - 1:,} more" if n_lines > _LINES_SHOWN + 1 else ""
            sentence += f"; too long are also lines {others}{more}"
        skip = f", or skip {'this line' if n_lines == 1 else f'these {n_lines:,} lines'}" if self.can_skip else ""
        mend = "Mend the line" if n_lines == 1 else "Mend the lines"
        super().__init__(f"{sentence}. {mend}: put cells that contain the separator in quotes{skip}.")


class FaultyLines:
    """Collects lines that do not fit while a file is read."""

    def __init__(self) -> None:
        self.lines: list[FaultyLine] = []
        self.count = 0

    def add(self, number: int, cells: tuple[str, ...]) -> None:
        self.count += 1
        if len(self.lines) < _LINES_KEPT:
            self.lines.append(FaultyLine(number, len(cells), " | ".join(cells)[:200]))

    def settle(self, filename: str, n_columns: int, n_sound: int, skip: bool) -> list[str]:
        """A sentence about the lines that were skipped.

        Raises
        ------
        FaultyLinesError
            Where there are some and they are not to be skipped, or too few lines would be left.
        """
        if not self.count:
            return []
        error = FaultyLinesError(filename, self.lines, self.count, n_columns, n_sound)
        if not (skip and error.can_skip):
            raise error
        shown = ", ".join(str(line.number) for line in self.lines[: _LINES_SHOWN + 1])
        more = " and more" if self.count > _LINES_SHOWN + 1 else ""
        lines = counted(self.count, "line with too many cells was", "lines with too many cells were")
        return [f"{lines} skipped ({'line' if self.count == 1 else 'lines'} {shown}{more})."]


_COMMENT_MARKS = ("#", "%", "//")


def without_comments(text: str, separator: str, mark: str | None = None) -> tuple[str, int]:
    """(the text with its comment lines blanked, how many).

    Without a given mark, lines that begin with one count as comments where they cut into another number of cells
    than the first line that does not, and never inside quotes.
    """
    marks = _COMMENT_MARKS if mark is None else (mark,)
    if mark == "" or not any(text.startswith(m) or f"\n{m}" in text or f"\r{m}" in text for m in marks):
        return text, 0
    lines = text.splitlines(keepends=True)
    usual = next((line.count(separator) for line in lines if line.strip() and not line.startswith(marks)), None)
    if usual is None:
        return text, 0
    n_comments, quoted = 0, False
    for k, line in enumerate(lines):
        if not quoted and line.startswith(marks) and (mark is not None or line.count(separator) != usual):
            lines[k] = line[len(line.rstrip("\r\n")) :]
            n_comments += 1
        elif line.count('"') % 2:
            quoted = not quoted
    return "".join(lines), n_comments


_DECLARED_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?[,;\t| ]*(?=[\r\n])', re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_LINE_END = re.compile(r"[^\r\n]+")
_MOST_TITLES = 10
_SAMPLE_ROWS = 50
_SAMPLE_LETTERS = 200_000


def lines_of(text: str) -> Iterator[str]:
    """The lines with their ends, one at a time: a StringIO would hold four bytes a character."""
    return map(itemgetter(0), _LINE.finditer(text))


def declared_separator(text: str) -> tuple[str, str | None]:
    """(the text without a first line such as "sep=;", the separator it names or None)."""
    match = _DECLARED_SEPARATOR.match(text)
    return (text, None) if match is None else (text[match.end() :], match[1])


def without_titles(text: str, separator: str, header_is_said: bool) -> tuple[str, list[str]]:
    """The text with the title lines above its names blanked, and a sentence about them."""
    records = _first_records(text, separator)
    n_titles = count_titles([row for _, row in records], header_is_said)
    if not n_titles:
        return text, []
    place = _place_of(text, records[n_titles][0])
    blanked = _NO_LINE_END.sub("", text[:place])
    return blanked + text[place:], [titles_note([row for _, row in records[:n_titles]])]


def count_titles(rows: Sequence[Sequence[str]], header_is_said: bool = False) -> int:
    """How many of the first rows, blank ones left aside, hold one cell of words above a row of several names.

    In a table of two columns, and where a person said which lines hold names, such a row is a title only if it is
    shorter than the others: it may hold the one name there is.
    """
    if len(rows) < 3:
        return 0
    usual = Counter(map(len, rows[:_SAMPLE_ROWS])).most_common(1)[0][0]
    n = 0
    while n < min(_MOST_TITLES, len(rows) - 2):
        filled = [cell for cell in rows[n] if cell]
        shorter = len(rows[n]) < usual
        if len(filled) != 1 or _is_number(filled[0]) or not (shorter or (usual > 2 and not header_is_said)):
            break
        n += 1
    names = [cell for cell in rows[n] if cell]
    return n if len(names) > 1 and not any(map(_is_number, names)) else 0


def titles_note(rows: Sequence[Sequence[str]]) -> str:
    first = next(cell for cell in rows[0] if cell)
    if len(rows) == 1:
        return f"The title {first[:40]!r} above the names was left out."
    return f"{len(rows)} lines above the names were left out, from {first[:40]!r} on."


def with_row_names(text: str, separator: str) -> tuple[str, list[str]]:
    """The text with a blank name in front where each row has one cell more than there are names, as R writes it."""
    records = _first_records(text, separator)
    if len(records) < 3:
        return text, []
    (begin, names), rows = records[0], [row for _, row in records[1:]]
    # A row that ends in the separator has a blank cell more, at its end.
    if any(len(row) != len(names) + 1 for row in rows) or not any(row[-1] for row in rows):
        return text, []
    if len(names) < 2 or any(map(_is_number, names)):
        return text, []
    place = _place_of(text, begin)
    note = "There is one name fewer than cells in each row, so the first cells were taken as names of the rows."
    return f'{text[:place]}""{separator}{text[place:]}', [note]


def _place_of(text: str, number: int) -> int:
    """Where line `number`, counted from 1, begins."""
    return sum(len(line) for line in islice(lines_of(text), number - 1))


def _first_records(text: str, separator: str) -> list[tuple[int, tuple[str, ...]]]:
    """(the line it begins on, its cells) of the first records that are not blank, up to the first broken one."""
    start = text[:_SAMPLE_LETTERS]
    reader = csv.reader(lines_of(start), delimiter=separator, skipinitialspace=separator == " ")
    records: list[tuple[int, tuple[str, ...]]] = []
    begins = 1
    try:
        for cells in reader:
            row = tuple(map(str.strip, cells))
            if any(row):
                records.append((begins, row))
            begins = reader.line_num + 1
            if len(records) == _SAMPLE_ROWS:
                break
    except csv.Error:
        pass  # the reader proper names the line
    return records[:-1] if len(start) < len(text) and len(records) < _SAMPLE_ROWS else records  # the last one was cut


def _is_number(cell: str) -> bool:
    return as_number(cell, ",") is not None


MOST_HEADER_LINES = 4


def count_header_lines(rows: Sequence[tuple[str, ...]]) -> int:
    """0 where the first row already holds numbers in every column of numbers; more than 1 only where at least two
    columns are numbers from some line on and hold only words above it.

    Numbers can be names too, of years or of a data frame's columns: where three or more count up by one, and the
    words beside them occur nowhere below."""
    body = rows[MOST_HEADER_LINES : MOST_HEADER_LINES + _SAMPLE_ROWS] or rows[1:]
    numeric = [k for k in range(len(rows[0])) if _numbers(row[k] for row in body)]
    first = [rows[0][k] for k in numeric]
    if all(as_number(cell, ",") is not None for cell in rows[0]):
        return int(_counts(rows[0]) and rows[0][0] in ("0", "1"))
    if numeric and all(as_number(cell, ",") is not None for cell in first):
        words = [k for k, cell in enumerate(rows[0]) if as_number(cell, ",") is None]
        return int(_counts(first) and not any(rows[0][k] in {row[k] for row in body} for k in words))
    n_lines = 1
    while (
        len(numeric) >= 2
        and n_lines < min(MOST_HEADER_LINES, len(rows) - 1)
        and all(rows[n_lines][k] and as_number(rows[n_lines][k], ",") is None for k in numeric)
        and not any(is_missing(rows[n_lines][k]) for k in numeric)
    ):
        n_lines += 1
    return n_lines


def joined_names(lines: Sequence[tuple[str, ...]], n_columns: int) -> tuple[str, ...]:
    """One name a column from the header lines: their cells with a blank between, equal ones once."""
    if not lines:
        return numbered("column", n_columns)
    return unique_names(tuple(" ".join(dict.fromkeys(filter(None, cells))) for cells in zip(*lines, strict=True)))


def header_note(n_lines: int, line: str) -> list[str]:
    """What is said of the names where not a single line held them; `line` is "line" or "row"."""
    if n_lines == 0:
        return [f"The first {line} holds data, not names, so the columns are named column 1, column 2, …"]
    return [f"The names are joined from {n_lines} header {line}s."] if n_lines > 1 else []


def _counts(cells: Sequence[str]) -> bool:
    whole = [int(cell) for cell in cells if cell.isascii() and cell.isdigit() and len(cell) < 10]
    return len(cells) > 2 and len(whole) == len(cells) and all(b == a + 1 for a, b in pairwise(whole))


def _numbers(cells: Iterable[str]) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]
    return bool(present) and all(as_number(cell, ",") is not None for cell in present)
