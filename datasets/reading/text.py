"""Text tables (CSV and its relatives) -> Table of text cells; what was detected is said, what is broken is named."""

from __future__ import annotations

import csv
import random
from array import array
from collections.abc import Sequence
from itertools import islice

from datasets.base.counted import counted
from datasets.base.errors import DataError
from datasets.reading.comments import without_comments
from datasets.reading.compact_rows import CompactRows
from datasets.reading.decoding import decoded
from datasets.reading.faulty_lines import FaultyLines
from datasets.reading.names import MOST_HEADER_LINES, count_header_lines, header_note, joined_names
from datasets.reading.number_formats import decimal_mark, is_grouped
from datasets.reading.options import SEPARATORS, THOUSANDS, ReadOptions
from datasets.reading.preamble import declared_separator, lines_of, with_row_names, without_titles
from datasets.reading.table import Detected, Limits, Table, as_number

_SAMPLE = 200_000
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
    if separator not in SEPARATORS:
        raise DataError(f"Separator {separator!r} is unknown; there are {', '.join(SEPARATORS.values())}.")
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
    if options.faulty_lines not in (None, "skip"):
        raise DataError(f"Faulty lines: {options.faulty_lines!r} is unknown; there is skip.")
    rows, numbers, repaired, short = _split(text, separator, filename, limits, options.faulty_lines == "skip")
    if separator != ",":
        notes.append(f"Columns are separated by {SEPARATORS[separator]}.")
    if n_comments:
        notes.append(f"{counted(n_comments, 'comment line was', 'comment lines were')} left out.")
    notes += [*titles, *row_names, *repaired]
    if not rows:
        raise DataError(f"{filename} holds only blank cells.")
    n_header = count_header_lines(rows) if options.header_lines is None else max(0, options.header_lines)
    columns = joined_names(rows[:n_header], len(rows[0]))
    rows.skip(n_header)
    numbers = numbers[n_header:]
    notes += header_note(n_header, "line")
    if not rows:
        raise DataError(f"{filename} has a header line and no rows below it.")
    decimal = options.decimal or _decimal(rows, separator, options.thousands)
    if decimal not in (".", ","):
        raise DataError(f"Decimal mark {decimal!r} is unknown; it is a point or a comma.")
    if decimal == ",":
        notes.append("Numbers are written with a decimal comma.")
    if options.thousands not in (None, *THOUSANDS):
        raise DataError(f"Thousands mark {options.thousands!r} is unknown; there are {', '.join(THOUSANDS.values())}.")
    if options.thousands == decimal:
        raise DataError(f"The {THOUSANDS[decimal]} cannot be both the decimal and the thousands mark.")
    # Between commas a point is a decimal point: who groups by points writes decimal commas and separates otherwise.
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
        columns=columns,
        rows=rows,
        line_numbers=tuple(numbers),
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
    sample = [line.strip(" ") for line in text[:_SAMPLE].splitlines()[:50] if line.strip()]

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
) -> tuple[CompactRows, array[int], list[str], list[int]]:
    """Rows, the line of each, notes, and the lines that had too few cells."""
    reader = csv.reader(lines_of(text), delimiter=separator, skipinitialspace=separator == " ", strict=True)
    rows = CompactRows()
    first: tuple[str, ...] = ()
    numbers = array("q")  # int objects between the cells would keep the memory of these from being given back
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
    while len(rows) > 1 and len(rows[0]) > 1 and not any(row[-1] for row in rows):
        rows.drop_last_column()
        trailing = True
    if share < 1:
        notes.append(
            f"The file has about {n_lines:,} lines, more than are read at once: {len(rows) - 1:,} rows were drawn "
            "at random from all of it."
        )
    if trailing:
        notes.append("Separators at the ends of lines were left out.")
    return rows, numbers, notes, short


def _looked_at(rows: Sequence[tuple[str, ...]], n_rows: int) -> int:
    """How many of the first rows are looked at; fewer of wide ones."""
    return max(10, min(n_rows, _MOST_LOOKED_AT // max(1, len(rows[0]))))


def _doubtful(rows: Sequence[tuple[str, ...]], decimal: str) -> str:
    """The first cell with a decimal mark, where all such cells look like grouped thousands."""
    first = ""
    for cell in (cell for row in rows[: _looked_at(rows, _DOUBT_ROWS)] for cell in row if decimal in cell):
        if as_number(cell, decimal) is None:
            continue
        if not is_grouped(cell, decimal):
            return ""
        first = first or cell
    return first


def _decimal(rows: Sequence[tuple[str, ...]], separator: str, thousands: str | None) -> str:
    if thousands in (".", ","):
        return "," if thousands == "." else "."
    return decimal_mark((cell for row in rows[: _looked_at(rows, _DECIMAL_ROWS)] for cell in row), separator)
