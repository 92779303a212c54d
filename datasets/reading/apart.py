"""read_apart: packed files and long texts are read in the child process, too; the table comes back piece by piece.

The server never holds what they unpack to, and answers everybody else meanwhile.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import chain
from typing import Any, BinaryIO

from datasets.base.errors import DataError
from datasets.reading.ask_reader import ask_reader
from datasets.reading.compact_rows import CompactRows
from datasets.reading.east_asian import Guess
from datasets.reading.faulty_lines import FaultyLine, FaultyLinesError
from datasets.reading.options import ReadOptions
from datasets.reading.table import Detected, Limits, Table

_PLAIN = ("name", "decimal", "sheet", "thousands")
_SEQUENCES = ("columns", "notes", "sheets", "short_lines")
_AT_ONCE = 20_000  # line numbers in a piece: while one is read, no other thread of the server gets on


def read_apart(
    data: bytes,
    filename: str,
    sheet: str | None,
    limits: Limits,
    options: ReadOptions,
    cancelled: Callable[[], bool],
) -> Table:
    """Read `data` of any kind in a child process, which is killed on time-out and on `cancelled()`.

    Raises
    ------
    DataError
        The child's sentence, or one that says which limit it broke.
    """
    request = {"kind": "any", "sheet": sheet, "options": asdict(options), "limits": asdict(limits)}
    broken = (
        f"Reading {filename} took more memory than the {limits.child_memory / 1e9:.1f} GB allowed, or broke the "
        "reader. Save a smaller part of it."
    )
    with tempfile.TemporaryFile() as answer:
        ask_reader(
            request, data, filename, limits, cancelled, advice="Save a part of it.", broken=broken, answer=answer
        )
        answer.seek(0)
        return _table(answer)


def _table(answer: BinaryIO) -> Table:
    pieces = map(json.loads, answer)
    told = next(pieces)
    if "faulty" in told:
        lines = [FaultyLine(**line) for line in told.pop("faulty")]
        raise FaultyLinesError(told["filename"], lines, told["n_lines"], told["n_columns"], told["n_sound"])
    if "error" in told:
        raise DataError(told["error"])
    detected = told["detected"]
    if detected is not None:
        detected = Detected(**detected | {"encodings": tuple(Guess(**guess) for guess in detected["encodings"])})
    fields: dict[str, Any] = {name: told[name] for name in _PLAIN} | {name: tuple(told[name]) for name in _SEQUENCES}
    numbers = tuple(chain.from_iterable(next(pieces) for _ in range(told["n_line_pieces"])))
    return Table(rows=CompactRows.joined(pieces), line_numbers=numbers, detected=detected, **fields)


def pieces_of(table: Table) -> Iterator[Any]:
    """What the child prints of a table, a line each."""
    told: dict[str, Any] = {name: getattr(table, name) for name in (*_PLAIN, *_SEQUENCES)}
    told["detected"] = None if table.detected is None else asdict(table.detected)
    assert isinstance(table.rows, CompactRows)
    numbers = [table.line_numbers[first : first + _AT_ONCE] for first in range(0, len(table.line_numbers), _AT_ONCE)]
    told["n_line_pieces"] = len(numbers)
    return chain([told], numbers, table.rows.pieces())


def pieces_of_error(error: DataError) -> Iterator[Any]:
    """The same of what was raised in its place."""
    if not isinstance(error, FaultyLinesError):
        return iter([{"error": str(error)}])
    names = ("filename", "n_lines", "n_columns", "n_sound")
    return iter([{name: getattr(error, name) for name in names} | {"faulty": [asdict(line) for line in error.lines]}])
