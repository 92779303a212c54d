"""The preamble of a text table: the "sep=;" line of spreadsheets, title lines, and the header that R writes without a
name for the row names. Lines are blanked rather than removed, so the lines below keep their numbers."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter

from datasets.reading.table import as_number

_SAID = re.compile(r'"?sep=([,;\t|])"?[,;\t| ]*(?=[\r\n])', re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_LINE_END = re.compile(r"[^\r\n]+")
_MOST_TITLES = 10
_SAMPLE = 50
_SAMPLE_LETTERS = 200_000


def lines_of(text: str) -> Iterator[str]:
    """The lines with their ends, one at a time: a StringIO would hold four bytes a character."""
    return map(itemgetter(0), _LINE.finditer(text))


def declared_separator(text: str) -> tuple[str, str | None]:
    """(the text without a first line such as "sep=;", the separator it names or None)."""
    match = _SAID.match(text)
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
    usual = Counter(map(len, rows[:_SAMPLE])).most_common(1)[0][0]
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
            if len(records) == _SAMPLE:
                break
    except csv.Error:
        pass  # the reader proper names the line
    return records[:-1] if len(start) < len(text) and len(records) < _SAMPLE else records  # the last one was cut


def _is_number(cell: str) -> bool:
    return as_number(cell, ",") is not None
