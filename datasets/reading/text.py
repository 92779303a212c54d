"""Text tables (CSV and its relatives) -> Table of text cells; what was detected is said, what is broken is named."""

from __future__ import annotations

import csv
import io
import random

from datasets.errors import DataError
from datasets.reading.table import Limits, Table, as_number, header

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


def read_text(data: bytes, filename: str, limits: Limits) -> Table:
    """Read a delimited text file.

    Raises:
        DataError: with file and line, for anything that is not such a table or is too large.
    """
    text, notes = _decoded(data, filename)
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if not first:
        raise DataError(f"{filename} holds only blank lines.")
    separator = _separator(lines)
    if first.count(separator) >= limits.columns:
        raise DataError(
            f"{filename}, line 1 has {first.count(separator) + 1:,} columns; at most {limits.columns:,} are read."
        )
    rows, numbers, repaired = _split(text, separator, filename, limits)
    if separator != ",":
        notes.append(f"Columns are separated by {_SEPARATORS[separator]}.")
    notes.extend(repaired)
    if not rows:
        raise DataError(f"{filename} holds only blank cells.")
    columns, headed = header(rows[0])
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


def _split(
    text: str, separator: str, filename: str, limits: Limits
) -> tuple[list[tuple[str, ...]], list[int], list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[str, ...]] = []
    numbers: list[int] = []
    short, trailing = 0, False
    begins = 1
    n_lines = max(1, text.count("\n"))
    share = limits.cells / (n_lines * (text[: text.find("\n")].count(separator) + 1))
    draw = random.Random(0)
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if share < 1 and rows and draw.random() > share:
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
    if share < 1:
        notes.append(
            f"The file has about {n_lines:,} lines, more than are read at once: {len(rows) - 1:,} rows were drawn "
            "at random from all of it."
        )
    if trailing:
        notes.append("Separators at the ends of lines were left out.")
    return rows, numbers, notes


def _decimal(rows: list[tuple[str, ...]], separator: str) -> str:
    if separator == ",":
        return "."
    cells = [cell for row in rows[:200] for cell in row]
    commas = sum("," in cell and as_number(cell, ",") is not None for cell in cells)
    points = sum("." in cell and as_number(cell) is not None for cell in cells)
    return "," if commas > points else "."
