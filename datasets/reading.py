"""Text tables (CSV and its relatives) -> Table of text cells; what was detected is said, what is broken is named."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from dataclasses import dataclass

from datasets.errors import DataError

MAX_BYTES = 50_000_000
MAX_DECODED = 400_000_000
MAX_COLUMNS = 2_000
_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


@dataclass(frozen=True)
class Table:
    """A table of text cells.

    Attributes:
        name: the file's name.
        columns: names, unique.
        rows: cells as text, one tuple a row, all of len(columns).
        line_numbers: the line of the file on which each row begins, counted from 1.
        decimal: the decimal mark of its numbers.
        notes: what was detected or repaired, as sentences.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    line_numbers: tuple[int, ...]
    decimal: str
    notes: tuple[str, ...]


def read_table(data: bytes, filename: str) -> Table:
    """Read a delimited text file, gzipped or not.

    Raises:
        DataError: with file and line, for anything that is not such a table or is too large.
    """
    if not data:
        raise DataError(f"{filename} is empty. Choose a file with a header line and rows.")
    if len(data) > MAX_BYTES:
        raise DataError(f"{filename} has {len(data) / 1e6:.0f} MB; at most {MAX_BYTES // 1_000_000} MB are read.")
    data = _unzipped(data, filename)
    text, notes = _decoded(data, filename)
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if not first:
        raise DataError(f"{filename} holds only blank lines.")
    separator = _separator(lines)
    if first.count(separator) >= MAX_COLUMNS:
        raise DataError(
            f"{filename}, line 1 has {first.count(separator) + 1:,} columns; at most {MAX_COLUMNS:,} are read."
        )
    rows, numbers, repaired = _split(text, separator, filename)
    if separator != ",":
        notes.append(f"Columns are separated by {_SEPARATORS[separator]}.")
    notes.extend(repaired)
    if not rows:
        raise DataError(f"{filename} holds only blank cells.")
    columns, headed = _header(rows[0])
    if headed:
        rows, numbers = rows[1:], numbers[1:]
    else:
        notes.append("The first line holds numbers only, so the columns are named column 1, column 2, …")
    if not rows:
        raise DataError(f"{filename} has a header line and no rows below it.")
    decimal = _decimal(rows, separator)
    if decimal == ",":
        notes.append("Numbers are written with a decimal comma.")
    return Table(filename, columns, tuple(rows), tuple(numbers), decimal, tuple(notes))


def _unzipped(data: bytes, filename: str) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            unzipped = file.read(MAX_DECODED + 1)
    except (OSError, EOFError, zlib.error):
        raise DataError(f"{filename} begins like a gzip file but cannot be unpacked; save it again.") from None
    if len(unzipped) > MAX_DECODED:
        raise DataError(f"{filename} unpacks to more than {MAX_DECODED // 1_000_000} MB, which is the limit.")
    return unzipped


def _decoded(data: bytes, filename: str) -> tuple[str, list[str]]:
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                raise DataError(f"{filename} says it is {encoding} but is not; save it as UTF-8.") from None
            if "\0" in text:
                break
            return text, ["The text is UTF-16."] if encoding == "utf-16" else []
    known = {b"PK\x03\x04": "a zip or Excel file", b"PAR1": "a Parquet file", b"\x93NUMPY": "a NumPy array"}
    for mark, what in known.items():
        if data.startswith(mark):
            raise DataError(f"{filename} is {what}; only text tables are read yet. Save it as CSV.")
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise DataError(f"{filename}, line {line} holds a zero byte: this is not a text table. Save it as CSV.")
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), ["The text is not UTF-8; it was read as Windows-1252."]


def _separator(lines: list[str]) -> str:
    """The separator that cuts the first lines into most columns, equally many in most lines."""
    sample = [line for line in lines[:50] if line.strip()]

    def merit(separator: str) -> tuple[float, int]:
        counts = [len(row) for row in csv.reader(sample, delimiter=separator)]
        usual = max(set(counts), key=counts.count)
        return (counts.count(usual) / len(counts) if usual > 1 else 0.0, usual)

    try:
        return max(_SEPARATORS, key=merit)
    except csv.Error:
        return ","


def _split(text: str, separator: str, filename: str) -> tuple[list[tuple[str, ...]], list[int], list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[str, ...]] = []
    numbers: list[int] = []
    short, trailing = 0, False
    begins = 1
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            row = tuple(cell.strip() for cell in cells)
            if rows and len(row) == len(rows[0]) + 1 and not row[-1]:
                row, trailing = row[:-1], True
            if rows and len(row) > len(rows[0]):
                raise DataError(
                    f"{filename}, line {line} has {len(row)} columns, the first line has {len(rows[0])}. "
                    "Mend the line, or put cells that contain the separator in quotes."
                )
            if rows and len(row) < len(rows[0]):
                row += ("",) * (len(rows[0]) - len(row))
                short += 1
            rows.append(row)
            numbers.append(line)
    except csv.Error as error:
        hint = "a quote that is opened there is never closed" if "end of data" in str(error) else str(error)
        raise DataError(f"{filename}, line {begins}: {hint}. Mend the line and try again.") from None
    notes = [f"{short} short line(s) were filled up with missing cells."] if short else []
    if trailing:
        notes.append("Separators at the ends of lines were left out.")
    return rows, numbers, notes


def as_number(cell: str, decimal: str = ".") -> float | None:
    """The number in a cell, or None."""
    try:
        return float(cell.replace(",", ".") if decimal == "," else cell)
    except ValueError:
        return None


def _header(row: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """Column names from the first row, unique and never blank; (names, False) where it holds only numbers."""
    if all(as_number(cell, ",") is not None for cell in row):
        return tuple(f"column {k + 1}" for k in range(len(row))), False
    names: list[str] = []
    for k, cell in enumerate(row):
        name = cell or f"column {k + 1}"
        copy = 2
        while name in names:
            name = f"{cell or f'column {k + 1}'} ({copy})"
            copy += 1
        names.append(name)
    return tuple(names), True


def _decimal(rows: list[tuple[str, ...]], separator: str) -> str:
    if separator == ",":
        return "."
    cells = [cell for row in rows[:200] for cell in row]
    commas = sum("," in cell and as_number(cell, ",") is not None for cell in cells)
    points = sum("." in cell and as_number(cell) is not None for cell in cells)
    return "," if commas > points else "."
