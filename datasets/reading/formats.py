"""Formats other than text, workbooks and records -> Cells: Parquet, ARFF, libsvm, NPZ and NPY, their sizes first.

Each runs in the child process only and imports its library when it is used.
"""

from __future__ import annotations

import datetime
import io
import math
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datasets.base.words import first_few
from datasets.reading.decoding import svmlight_indices
from datasets.reading.table import Limits, Row


class Refused(Exception):
    """A sentence about the file, without its name."""


@dataclass
class Cells:
    """Text cells; `columns` is None where the first row has still to be looked at."""

    columns: tuple[str, ...] | None
    rows: list[Row]
    line_numbers: Sequence[int]
    notes: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # sentences on other tables of the file that were left out
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    alike: tuple[str, ...] = ()  # sheets with the columns of this one
    beside: Sequence[Callable[[], Cells]] = ()  # what reads each of the sheets that may tell more of the rows
    joined: Sequence[tuple[Cells, int]] = ()  # the sheets below it, with how many rows stand in those above each
    n_above: int = 0  # rows above the table


def cell_text(value: object) -> str:
    """Numbers without a needless ".0", dates as ISO, missing values as ""."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):  # of a spreadsheet: 36 hours stay 36 hours
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace").strip()
    return str(value).strip()


def check_dimensions(n_rows: int, n_columns: int, limits: Limits) -> None:
    """Refuse more columns or cells than are read."""
    if n_columns > limits.columns:
        raise Refused(f"has {n_columns:,} columns; at most {limits.columns:,} are read")
    if n_rows * n_columns > limits.cells:
        raise Refused(
            f"has {n_rows:,} rows of {n_columns:,} columns; at most {limits.cells:,} cells are read: save a sample of "
            "the rows"
        )


def _nested_note(names: Sequence[str]) -> list[str]:
    return [f"Left out, as nested: {first_few(names)}."] if names else []


_MAX_TEXT = 100_000_000  # characters of a Parquet file


def read_parquet(data: bytes, limits: Limits) -> Cells:
    """All rows, after the footer's counts have been looked at."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pa.set_cpu_count(1)
    file = pq.ParquetFile(io.BytesIO(data))
    footer = file.metadata
    size = sum(footer.row_group(k).total_byte_size for k in range(footer.num_row_groups))
    if size > limits.decoded_bytes:
        raise Refused(f"unpacks to {size / 1e6:,.0f} MB; at most {limits.decoded_bytes // 1_000_000} MB are read")
    check_dimensions(footer.num_rows, footer.num_columns, limits)
    schema = file.schema_arrow
    nested = [field.name for field in schema if pa.types.is_nested(field.type)]
    names = tuple(name for name in schema.names if name not in nested)
    if not names:
        raise Refused("holds only nested columns; save it with one value a cell")
    rows: list[Row] = []
    total = 0
    # The keys of a dictionary page may be long: few rows at a time until their length is known.
    for batch in file.iter_batches(batch_size=1024, columns=list(names), use_threads=False):
        columns = []
        for column in batch.columns:
            cells = [cell_text(value) for value in column.to_pylist()]
            total += sum(map(len, cells))
            if total > _MAX_TEXT:
                raise Refused(f"unpacks to more than {_MAX_TEXT // 1_000_000} MB of cells; save a sample of the rows")
            columns.append(cells)
        rows.extend(zip(*columns, strict=True))
    return Cells(names, rows, range(1, len(rows) + 1), _nested_note(nested))


_DATE = re.compile(r"""^(\s*@attribute\s+(?:'[^']*'|"[^"]*"|\S+))\s+date\b.*$""", re.IGNORECASE)
_NOMINAL = re.compile(_DATE.pattern.replace(r"date\b", r"\{"), re.IGNORECASE)
_RANGE = re.compile(r"^(\s*@attribute\s+\S+\s+(?:real|integer|numeric))\s*\[.*\]\s*$", re.IGNORECASE)  # as KEEL writes
_BRACE = re.compile(r"^(\s*@attribute\s+[^\s'\"{]+)(?=\{)", re.IGNORECASE)  # as KEEL does, too
_INNER_BLANK, _JOIN = re.compile(r"(?<=[^\s,{}]) (?=[^\s,{}])"), "\ue002"
_WIDE_BLANKS = {0x3000: 0xE000, 0xA0: 0xE001}  # parts of a value, where the reader ends it


def _joined(line: str, mark: str = "") -> str:
    """The line with blanks inside values joined, behind `mark` if it holds that: "G. cuvier" is one without quotes."""
    begin = line.find(mark)
    return line if begin < 0 else line[:begin] + _INNER_BLANK.sub(_JOIN, line[begin:])


def read_arff(data: bytes, limits: Limits) -> Cells:
    """Rows with the line of each; values that are not declared are kept, in sparse rows refused."""
    import arff

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    lines = text.splitlines()
    begin = next((k for k, line in enumerate(lines) if line.strip().lower().startswith("@data")), None)
    if begin is None:
        raise Refused("is an ARFF file without @data; nothing follows the attributes")
    numbers = [
        k + 1 for k in range(begin + 1, len(lines)) if lines[k].strip() and not lines[k].lstrip().startswith("%")
    ]
    n_columns = sum(line.lstrip().lower().startswith("@attribute") for line in lines[:begin])
    check_dimensions(len(numbers), n_columns, limits)
    sparse = bool(numbers) and lines[numbers[0] - 1].lstrip().startswith("{")
    # The reader knows no dates; as text they are recognised later.
    head = [_RANGE.sub(r"\1", _DATE.sub(r"\1 STRING", _BRACE.sub(r"\1 ", line))) for line in lines[:begin]]
    notes: list[str] = []

    def parsed(head: list[str], body: list[str], *, is_joined: bool = False) -> dict[str, Any]:
        text = "\n".join([*head, *body]).translate(_WIDE_BLANKS)
        try:
            return dict(arff.loads(text, return_type=arff.LOD if sparse else arff.DENSE))
        except arff.BadNominalValue as error:
            value = str(error).removeprefix("Data value ").split(" not found")[0][:60]
            said = f"on line {error.line}, the value {value!r}, which its attribute does not declare"
            if sparse:
                raise Refused(f"has, {said}") from None
            notes.append(f"The file has, {said}; such values are kept.")
            return parsed([_NOMINAL.sub(r"\1 STRING", line) for line in head], body, is_joined=is_joined)
        except arff.ArffException as error:
            if not is_joined:
                return parsed([_joined(line, "{") for line in head], [_joined(line) for line in body], is_joined=True)
            reason = " ".join(str(error).split())[:160].rstrip(".")
            raise Refused(f"is not sound ARFF ({reason})") from None

    content = parsed(head, lines[begin:])
    names = tuple(name for name, _ in content["attributes"])
    content_rows = content["data"]
    if sparse:
        # What a sparse row leaves out is 0, or the first value its nominal attribute declares.
        zero = {k: 0 if isinstance(kind, str) else kind[0] for k, (_, kind) in enumerate(content["attributes"])}
        content_rows = [(zero | entries).values() for entries in content_rows]
    back = {of: blank for blank, of in _WIDE_BLANKS.items()} | {ord(_JOIN): " "}
    rows = [tuple(cell_text(value).translate(back) for value in row) for row in content_rows]
    return Cells(names, rows, numbers[: len(rows)], notes)


def read_svmlight(data: bytes, limits: Limits) -> Cells:
    """The label first, then a column for each index; of more cells than are read rows are drawn at random."""
    from sklearn.datasets import load_svmlight_file

    lines = data.removeprefix(b"\xef\xbb\xbf").splitlines()
    numbers = [k + 1 for k, line in enumerate(lines) if line.partition(b"#")[0].strip()]
    try:
        # Counting from 0, index j is column j; a file that counts from 1 has a first column that is not there.
        X, y = load_svmlight_file(io.BytesIO(b"\n".join(lines)), zero_based=True)
    except ValueError:
        faulty = next((k for k in numbers if svmlight_indices(lines[k - 1]) is None), numbers[-1])
        raise Refused(
            f"looks like a libsvm file, but line {faulty} is not a label and index:value pairs with "
            "growing indices. Mend the line"
        ) from None
    begin = 0 if X[:, :1].nnz else 1
    n_columns = X.shape[1] - begin + 1
    if n_columns > limits.columns:
        raise Refused(
            f"is a libsvm file with indices up to {X.shape[1] - 1:,}; at most {limits.columns:,} columns are read. "
            "Keep fewer features"
        )
    notes = ["A libsvm file: a label, then index:value pairs; what a line leaves out is 0."]
    most = max(1, limits.cells // n_columns)
    if len(numbers) > most:
        drawn = np.sort(np.random.default_rng(0).choice(len(numbers), most, replace=False))
        notes.append(f"It has {len(numbers):,} rows, more than are read at once: {most:,} were drawn at random.")
        X, y, numbers = X[drawn], y[drawn], [numbers[k] for k in drawn.tolist()]
    values = X[:, begin:].toarray().tolist()
    rows = [(cell_text(label), *(map(cell_text, row))) for label, row in zip(y.tolist(), values, strict=True)]
    names = ("label", *(f"feature {k}" for k in range(begin, X.shape[1])))
    return Cells(names, rows, numbers, notes)


def read_npz(data: bytes, limits: Limits) -> Cells:
    """X (n_samples, n_features) and y (n_samples,), as numpy.savez(file, X=X, y=y) writes them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {member.filename.removesuffix(".npy"): member for member in archive.infolist()}
        if members and not any(member.filename.endswith(".npy") for member in members.values()):
            raise Refused(f"is a zip archive (with {next(iter(members))[:60]!r}); unpack it and choose the table in it")
        if "X" not in members or "y" not in members:
            found = ", ".join(map(repr, list(members)[:5])) or "nothing"
            raise Refused(f"must hold the arrays X and y, as numpy.savez(file, X=X, y=y) writes them; it holds {found}")
        arrays = {}
        for name in ("X", "y"):
            if members[name].file_size > limits.decoded_bytes:
                raise Refused(
                    f"holds {members[name].file_size / 1e6:,.0f} MB in {name}; at most "
                    f"{limits.decoded_bytes // 1_000_000} MB are read"
                )
            with archive.open(members[name]) as stream:
                _check_header(stream, name, limits)
            with archive.open(members[name]) as stream:
                arrays[name] = np.lib.format.read_array(stream, allow_pickle=False)
    X, y = arrays["X"], arrays["y"]
    if y.ndim == 2 and 1 in y.shape:
        y = y.ravel()
    if X.ndim > 2:
        X = X.reshape(len(X), -1)
    if X.ndim != 2 or y.ndim != 1 or len(X) != len(y):
        raise Refused(f"has X of shape {X.shape} and y of shape {y.shape}; y must hold one label for each row of X")
    read = _matrix(X)
    rows = [(*row, cell_text(value)) for row, value in zip(read.rows, y.tolist(), strict=True)]
    return Cells((*(read.columns or ()), "label"), rows, read.line_numbers)


def _matrix(X: np.ndarray) -> Cells:
    rows = [tuple(map(cell_text, row)) for row in X.tolist()]
    return Cells(tuple(f"x{k + 1}" for k in range(X.shape[1])), rows, range(1, len(rows) + 1))


def read_npy(data: bytes, limits: Limits) -> Cells:
    """A single matrix (n_samples, n_columns); which column is the label is proposed as for any table."""
    _check_header(io.BytesIO(data), "the array", limits)
    M = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    if M.ndim != 2:
        raise Refused(f"holds an array of shape {M.shape}; a matrix is needed")
    rows = [tuple(map(cell_text, row)) for row in M.tolist()]
    return Cells(tuple(f"x{k + 1}" for k in range(M.shape[1])), rows, list(range(1, len(rows) + 1)))


def _check_header(stream: Any, name: str, limits: Limits) -> None:
    """Refuse by the header alone: a few bytes can claim any shape."""
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(stream)
    if dtype.hasobject:
        raise Refused(f"holds Python objects in {name}, which could run code and are never opened; save plain numbers")
    if dtype.names or dtype.kind not in "biufUS":
        raise Refused(f"holds {dtype} in {name}; numbers, or text for the labels, are needed")
    if math.prod(shape) > limits.cells or math.prod(shape) * dtype.itemsize > limits.decoded_bytes:
        size = " x ".join(f"{length:,}" for length in shape)
        raise Refused(f"says {name} has {size} entries; at most {limits.cells:,} are read")
    if len(shape) > 1 and math.prod(shape[1:]) > limits.columns:
        raise Refused(f"has {math.prod(shape[1:]):,} columns in {name}; at most {limits.columns:,} are read")


READERS: dict[str, Callable[[bytes, Limits], Cells]] = {
    "parquet": read_parquet,
    "npz": read_npz,
    "npy": read_npy,
    "arff": read_arff,
    "svmlight": read_svmlight,
}
