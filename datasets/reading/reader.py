"""read_table: a file's bytes -> Table, its format detected from the content; large or foreign files in a child process.

The child is this module too: it gets a JSON line and the bytes on stdin and answers with an Arrow IPC stream. The
schema's metadata holds the other attributes of the table as JSON, or the refusal in place of a table.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from datasets.base.child_process import ask_child
from datasets.base.errors import DataError
from datasets.base.words import counted, first_few
from datasets.reading.answers import with_answers_joined
from datasets.reading.beside import Sheet, with_sheet
from datasets.reading.decoding import ENCODINGS, FORMAT_NAMES, ZIPPED, Guess, kind_of, unzipped
from datasets.reading.faulty_lines import FaultyLine, FaultyLinesError
from datasets.reading.joining import joined_tables
from datasets.reading.layout import left_out_notes
from datasets.reading.naming import names_of
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.place import place_of
from datasets.reading.samples import lines_about_samples
from datasets.reading.stacked import stacked_blocks
from datasets.reading.table import (
    Detected,
    Limits,
    ReadOptions,
    Row,
    Table,
    arrow_cells,
    missing_cells,
    unique_names,
    with_zeros,
    without_repeated_axes,
    without_words,
)
from datasets.reading.text import read_text
from datasets.reading.widening import widened

if TYPE_CHECKING:
    from datasets.reading.formats import Cells

_LOOKED_AT = 120  # rows, for titles and names
_READ_HERE = 1_000_000  # bytes of text; longer texts and all other formats are read in the child
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}


def read_table(
    data: bytes,
    filename: str,
    options: ReadOptions | None = None,
    *,
    sheet: str | None = None,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Table:
    """Read a table of any known kind, gzipped or not: delimited text, workbooks, Parquet, ARFF, JSON, libsvm, NPZ, NPY.

    data: the file's bytes.
    filename: its name, for messages; the content decides how it is read.
    options: what is known about a text file; the rest is detected. Header lines count for workbooks too.
    sheet: which sheet of a workbook, or table of a text; the one that looks most like a table unless given.
    limits: how much is read; `Limits()` unless given.
    cancelled: polled ten times a second while the child reads; True kills it.

    Raises DataError with file and line, for anything that is not such a table or is too large.
    """
    limits, options = limits or Limits(), options or ReadOptions()
    if not data:
        raise DataError(f"{filename} is empty. Choose a file with a header line and rows.")
    if len(data) > limits.file_bytes:
        raise DataError(
            f"{filename} has {len(data) / 1e6:.0f} MB; at most {limits.file_bytes // 1_000_000} MB are read."
        )
    kind = "packed" if data.startswith(ZIPPED) else kind_of(data, filename)
    if kind == "text" and len(data) <= _READ_HERE:
        table = read_text(data, filename, limits, options, sheet)
    else:
        table = _read_in_child(kind, data, filename, options, sheet, limits, cancelled)
    table = with_answers_joined(without_repeated_axes(_without_missing_rows(table)))
    if options.without_lines and (options.blanks_are_0 or options.transposed):
        rows = np.flatnonzero(np.isin(table.line_numbers, options.without_lines)).tolist()
        n_rows = counted(len(rows), "row that looks like no data was", "rows that look like no data were")
        lines = first_few([str(table.line_numbers[k]) for k in rows])
        table = table.without_rows(rows, (f"{n_rows} left out first (lines {lines}).",)) if rows else table
    if options.blanks_are_0:
        table = with_zeros(table)
    if options.transposed:
        table = table.varying_most(limits.columns - 1).transposed()
    if options.widened and set(options.widened) <= set(table.columns):
        table = widened(table, *options.widened)
    return without_words(table, options.missing, options.codes)


def _without_missing_rows(table: Table) -> Table:
    """The table without the rows in which every cell means a missing value, two or more by a word such as "NULL"."""
    rows = np.arange(table.n_rows)
    for column in table.cells.columns:
        rows = rows[missing_cells(column.take(rows)).to_numpy()]
        if not rows.size:
            return table
    rows = rows[[sum(map(bool, table.row(k))) > 1 for k in rows.tolist()]]
    if not 0 < len(rows) < table.n_rows:
        return table
    lines = first_few([str(table.line_numbers[k]) for k in rows])
    what = counted(
        len(rows), "row holds no value and was left out (line", "rows hold no value and were left out (lines"
    )
    return table.without_rows(rows.tolist(), (f"{what} {lines}).",))


def _read_in_child(
    kind: str,
    data: bytes,
    filename: str,
    options: ReadOptions,
    sheet: str | None,
    limits: Limits,
    cancelled: Callable[[], bool],
) -> Table:
    """Read the file in a child process, which is killed on time-out and on `cancelled()`."""
    until = time.monotonic() + limits.seconds
    other_format = FORMAT_NAMES.get(kind)

    def check() -> None:
        if cancelled():
            raise DataError(f"Reading {filename} was cancelled.")
        if time.monotonic() > until:
            advice = "Save it as CSV." if other_format else "Save a part of it."
            raise DataError(f"{filename} took longer than {limits.seconds:.0f} s to read and was given up. {advice}")

    request = {"filename": filename, "sheet": sheet, "options": asdict(options), "limits": asdict(limits)}
    question = json.dumps(request).encode() + b"\n"
    with tempfile.TemporaryFile() as answer:
        code, _ = ask_child(__name__, question, data, check=check, answer=answer, environment=_ONE_THREAD)
        if code != 0:
            memory = f"more memory than the {limits.child_memory / 1e9:.1f} GB allowed, or broke the reader"
            if other_format:
                raise DataError(f"{filename} looks like {other_format}, but reading it took {memory}. Save it as CSV.")
            raise DataError(f"Reading {filename} took {memory}. Save a smaller part of it.")
        answer.seek(0)
        return read_answer(answer)


_ATTRIBUTES = (
    "name",
    "decimal",
    "notes",
    "others",
    "sheets",
    "sheet",
    "alike",
    "beside",
    "beside_samples",
    "thousands",
    "detected",
    "short_lines",
    "other_header",
    "header",
    "title",
)
_FAULTY = ("filename", "lines", "n_lines", "n_columns", "n_sound")


def read_answer(stream: BinaryIO) -> Table:
    """The table that `write_answer` wrote, its buffers validated; raises the error where it wrote one."""
    import pyarrow as pa

    cells = pa.ipc.open_stream(stream).read_all()
    about = json.loads(cells.schema.metadata[b"about"])
    if "error" in about:
        raise DataError(about["error"])
    if "lines" in about:
        raise FaultyLinesError(**about | {"lines": [FaultyLine(**line) for line in about["lines"]]})
    cells.validate(full=True)
    about = {name: tuple(value) if isinstance(value, list) else value for name, value in about.items()}
    if (found := about.pop("detected")) is not None:
        found = Detected(**found | {"encodings": tuple(Guess(**guess) for guess in found["encodings"])})
    plain = cells.drop_columns([""]).replace_schema_metadata(None).combine_chunks()
    return Table(cells=plain, line_numbers=cells.column("").to_numpy(), detected=found, **about)


def write_answer(answer: Table | DataError, stream: Any) -> None:
    """Write a table, or the error raised in its place, as an Arrow IPC stream."""
    import pyarrow as pa

    cells = pa.Table.from_batches([], schema=pa.schema([]))
    if isinstance(answer, Table):
        about = {name: getattr(answer, name) for name in _ATTRIBUTES}
        lines = pa.Array.from_buffers(pa.int64(), answer.n_rows, [None, pa.py_buffer(answer.line_numbers)])
        cells = answer.cells.append_column("", lines)  # no column of a table has a blank name
    elif isinstance(answer, FaultyLinesError):
        about = {name: getattr(answer, name) for name in _FAULTY}
    else:
        about = {"error": str(answer)}
    cells = cells.replace_schema_metadata({"about": json.dumps(about, default=asdict)})
    with pa.ipc.new_stream(stream, cells.schema) as writer:
        writer.write_table(cells)


def read_file(request: dict[str, Any], data: bytes) -> Table | DataError:
    """Read a file of any kind here, packed or not; one sentence, whatever a library raises."""
    filename, limits = request["filename"], Limits(**request["limits"])
    of_lists = {name: tuple(request["options"][name]) for name in ("missing", "codes", "widened", "without_lines")}
    options = ReadOptions(**request["options"] | of_lists)
    try:
        data = unzipped(data, filename, limits.decoded_bytes)
        kind = kind_of(data, filename)
        if kind == "text":
            return read_text(data, filename, limits, options, request["sheet"])
        return _read_format(kind, data, filename, options, request["sheet"], limits)
    except DataError as error:
        return error
    except MemoryError:
        return DataError(f"{filename} needs more memory than is allowed to read. Save a smaller part of it.")


def _read_format(
    kind: str, data: bytes, filename: str, options: ReadOptions, sheet: str | None, limits: Limits
) -> Table:
    from datasets.reading.formats import READERS, Refused
    from datasets.reading.markup import read_page
    from datasets.reading.packages import PACKAGES
    from datasets.reading.records import OF_RECORDS
    from datasets.reading.workbooks import read_workbook

    try:
        if kind == "workbook":
            cells = read_workbook(data, limits, sheet, all_sheets=options.all_sheets)
        elif kind in OF_RECORDS:
            cells = OF_RECORDS[kind](data, limits, sheet)
        else:
            cells = (READERS | PACKAGES | {"page": read_page})[kind](data, limits)
        table = _with_those_below(_table_of(cells, filename, options), cells, options)
        return _with_other_sheets(table, cells, options)
    except Refused as refused:
        raise DataError(f"{filename} {refused}.") from None
    except MemoryError:
        raise
    except RecursionError:
        raise DataError(f"{filename} is nested too deeply to be a table. Save it as CSV.") from None
    except Exception as error:  # a foreign library met a foreign file: anything can be raised here
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise DataError(
            f"{filename} is damaged and cannot be read as {FORMAT_NAMES[kind]} ({reason}). Save it again."
        ) from None


def _table_of(cells: Cells, filename: str, options: ReadOptions) -> Table:
    """The table in the cells: names, rows, and notes on what is above them."""
    from datasets.reading.formats import Refused

    if not cells.rows:
        raise Refused("holds no rows")
    columns, rows, numbers, notes, other = cells.columns, cells.rows, cells.line_numbers, cells.notes, None
    header, title = tuple[tuple[str, ...], ...](), ""
    if columns is None and options.header_lines is None and (stacked := stacked_blocks(rows, numbers)) is not None:
        columns, rows, numbers, said_first = stacked
        notes.append(said_first)
    if columns is None:
        above = cells.n_above if options.header_lines is None else 0
        place = place_of(rows[above : above + _LOOKED_AT], options.header_lines)
        top, first = above + place.top, above + place.first
        while place.n_names and options.header_lines is None and _repeats_most(rows[first - 1 : first + 1]):
            place, first = replace(place, first=place.first + 1), first + 1
        titles = [(k, " ".join(filter(None, row))) for k, row in enumerate(rows[:top])]
        notes += left_out_notes(titles, top)
        title = titles[-1][1] if titles and sum(map(bool, rows[top - 1])) == 1 else ""
        columns, said = names_of(rows[top:first], len(rows[0]), "row", doubtful=place.doubtful)
        other = int(not place.n_names) if place.doubtful else None
        about, told, columns = lines_about_samples(rows[:top], columns)
        header = (*about, *(rows[top:first] if place.n_names > bool(not about) else ()))
        notes += told
        rows, numbers = rows[first:], numbers[first:]
        notes += said
    if not rows:
        raise Refused("has a header row and no rows below it")
    return Table.from_rows(
        filename,
        unique_names(columns),
        rows,
        numbers,
        notes=tuple(notes),
        others=tuple(cells.others),
        sheets=cells.sheets,
        sheet=cells.sheet,
        alike=cells.alike,
        other_header=other,
        header=header,
        title=title,
    )


def _repeats_most(rows: Sequence[Row]) -> bool:
    """Whether the second of two rows holds the words of the first in most columns, as cells do that are merged with
    these, but not in all of them."""
    pairs = list(zip(*rows, strict=False)) if len(rows) > 1 else []
    filled = [pair for pair in pairs if pair[-1]]
    n_same = sum(above == cell and not looks_like_a_number(cell) for above, cell in filled)
    return len(filled) / 2 < n_same < len(filled)


def _with_those_below(table: Table, cells: Cells, options: ReadOptions) -> Table:
    """The table with the rows of the sheets that are joined to its own."""
    from datasets.reading.formats import Refused

    if not cells.joined:
        return table
    tables, above, empty = [table], [0], list[str]()
    for part, n_above in cells.joined:
        try:
            tables.append(_table_of(part, table.name, options))
            above.append(n_above)
        except Refused as refused:
            empty.append(f"Sheet {part.sheet!r} {refused}.")
    joined = joined_tables(tables, above)
    return replace(joined, notes=(*joined.notes, *empty))


def _with_other_sheets(table: Table, cells: Cells, options: ReadOptions) -> Table:
    """The table with the names of the sheets that tell more of its rows or samples, and with what the one tells that
    was asked for."""
    from datasets.reading.formats import Refused

    own = Sheet(table.sheet, table.columns, table.rows if cells.beside else (), table.header)
    of_rows, of_samples = list[tuple[int, str]](), list[str]()
    for read in cells.beside:
        try:
            other = _table_of(read(), table.name, ReadOptions())
        except Refused:
            continue
        found = with_sheet(own, Sheet(other.sheet, other.columns, other.rows))
        if found is not None:
            joined, note, is_of_samples, rank = found
            if is_of_samples:
                of_samples.append(other.sheet)
            else:
                of_rows.append((rank, other.sheet))
            if other.sheet == options.beside:
                wide = arrow_cells(joined.rows, len(joined.columns))
                wide = wide.rename_columns(list(unique_names(joined.columns)))
                table = replace(table, cells=wide, header=joined.header, notes=(*table.notes, note))
    return replace(
        table,
        beside=tuple(name for _, name in sorted(of_rows, key=lambda each: each[0])),
        beside_samples=tuple(of_samples),
    )


def _confine(limits: dict[str, Any]) -> None:
    with contextlib.suppress(ImportError):  # not on Windows; the time-out holds there all the same
        import resource

        size = int(limits["child_memory"])
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        seconds = int(limits["seconds"]) + 1
        # The parent may be killed while this runs: then the processor limit ends it.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Answer one request as the child process."""
    request = json.loads(sys.stdin.buffer.readline())
    _confine(request["limits"])
    warnings.simplefilter("ignore")
    output = sys.stdout.buffer
    sys.stdout = io.StringIO()  # what a library prints must not end in the answer
    write_answer(read_file(request, sys.stdin.buffer.read()), output)
    output.flush()
    os._exit(0)  # nothing is left to tidy, and a library's own threads may fail while the interpreter goes down


@dataclass(frozen=True)
class ReadAnswer:
    """A button: its words, the options to read the file again with, and what some lines look like then."""

    text: str
    options: ReadOptions
    preview: str = ""


@dataclass(frozen=True)
class ReadQuestion:
    """A question about how the file is read, the best answer first."""

    text: str
    answers: tuple[ReadAnswer, ...]


def encoding_question(table: Table, options: ReadOptions) -> ReadQuestion | None:
    """Ask which encoding is right, with a preview of each; None where it was said or is clear."""
    found = table.detected.encodings if table.detected is not None else ()
    if options.encoding is not None or not found:
        return None
    answers = tuple(
        ReadAnswer(ENCODINGS[guess.encoding], replace(options, encoding=guess.encoding), guess.preview)
        for guess in found
    )
    return ReadQuestion(f"{table.name} is not UTF-8. In which of these does it read right?", answers)


def header_question(table: Table, options: ReadOptions) -> ReadQuestion | None:
    """Offer to read the first line as data, or as names, where its cells leave it open."""
    if options.header_lines is not None or table.other_header is None:
        return None
    was, answer = ("data", "names") if table.other_header else ("names", "data")
    cells = table.columns if was == "names" else table.row(0)
    text = f"The first line was read as {was}, which is doubtful: {first_few([repr(cell[:20]) for cell in cells])}."
    return ReadQuestion(text, (ReadAnswer(f"use it as {answer}", replace(options, header_lines=table.other_header)),))


def sheets_question(table: Table, options: ReadOptions) -> ReadQuestion | None:
    """Offer to join the sheets of a workbook that have the columns of the one that was read."""
    if options.all_sheets or len(table.alike) < 2:
        return None
    n, names = len(table.alike), first_few([repr(name) for name in table.alike])
    text = f"{n} sheets have these columns: {names}. Join them, with a column that names the sheet?"
    return ReadQuestion(text, (ReadAnswer(f"join {n} sheets", replace(options, all_sheets=True)),))


def other_sheet_question(table: Table, options: ReadOptions) -> ReadQuestion | None:
    """Offer to add what another sheet tells of the rows, or of the columns, which become rows then."""
    if options.beside is not None or not table.beside + table.beside_samples:
        return None
    name, *others = table.beside or table.beside_samples
    also = f" ({first_few([repr(other) for other in others])}, too)" if others else ""
    text = f"The sheet {name!r}{also} has more columns for these rows. Add them?"
    if not table.beside:
        text = f"The sheet {name!r}{also} describes these columns. Add what it says, and take columns as rows?"
    turned = options.transposed or not table.beside
    return ReadQuestion(text, (ReadAnswer("add its columns", replace(options, beside=name, transposed=turned)),))


def faulty_lines_question(error: FaultyLinesError, options: ReadOptions) -> ReadQuestion | None:
    """Offer to skip lines with too many cells; None where too few lines would be left."""
    if not error.can_skip:
        return None
    lines = "this line" if error.n_lines == 1 else f"these {error.n_lines:,} lines"
    preview = "\n".join(f"line {line.number}: {line.text}" for line in error.lines)
    return ReadQuestion(str(error), (ReadAnswer(f"skip {lines}", replace(options, faulty_lines="skip"), preview),))


if __name__ == "__main__":
    main()
