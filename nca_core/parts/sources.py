"""PartSource: rows of X in parts that are never in one place: arrays, memory maps, or the files of a folder.

Of .npy files each pass maps one piece at a time, of remote ones it requests a block; Parquet is read by row groups.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nca_core.neighbours.base.threads import at_most, each

_BLOCK_CELLS = 500_000  # of a block: 4 MB
_PART_CELLS = 8_000_000  # of a part that is cut from a larger array: 64 MB
_SUMMANDS_CELLS = 50_000_000
_PARTS_AT_ONCE = 4  # however many cores: each holds a block
_BUFFER = 1_000_000  # bytes of a column of Parquet that are read ahead

# work(blocks of a part, float64 and in order; n_rows of it; what it is given beside) -> what it found
Work = Callable[..., Any]
Arguments = Callable[[int], tuple[Any, ...]]


@dataclass(frozen=True)
class Part:
    """Rows of X that follow one another."""

    count: int  # rows
    # ``cell(row, column)`` names a cell in a sentence, its row counted within the part
    cell: Callable[[int, object], str]
    # reads them in order, float64 (n_rows, n_features) at a time; None where another process does
    blocks: Callable[[], Iterator[np.ndarray]] | None = None


class PartSource:
    """Parts of X whose rows follow one another, which this process reads."""

    for_workers = False  # whether the workers of a Dask client read the parts, where there is one

    def __init__(self, parts: Sequence[Part], n_features: int, columns: tuple[str, ...] | None = None) -> None:
        self.parts, self.n_features, self.columns = tuple(parts), n_features, columns
        self.counts = tuple(part.count for part in parts)

    def cell(self, part: int, row: int, column: int) -> str:
        """What to call a cell in a sentence, its row counted within the part."""
        return self.parts[part].cell(row, column if self.columns is None else repr(self.columns[column]))

    def over(self, work: Work, arguments_of: Arguments, parts: range | None = None) -> list[Any]:
        """work(blocks, n_rows, *arguments_of(part)) of each of the parts (all), where it is; in their order."""

        def one(part: int) -> Any:
            read = self.parts[part].blocks
            assert read is not None
            return work(read(), self.counts[part], *arguments_of(part))

        with at_most(_PARTS_AT_ONCE):
            return each(one, range(len(self.counts)) if parts is None else parts)

    def summed(self, work: Work, arguments_of: Arguments, cells: int) -> np.ndarray:
        """Σ over parts of what `work` finds, an array of so many cells, added in the order of the parts; only a few
        hundred megabytes of summands are there at once."""
        total: np.ndarray | None = None
        size, count = max(_PARTS_AT_ONCE, _SUMMANDS_CELLS // max(1, cells)), len(self.counts)
        for first in range(0, count, size):
            for found in self.over(work, arguments_of, range(first, min(first + size, count))):
                total = np.array(found) if total is None else np.add(total, found, out=total)
        assert total is not None
        return total

    def ranges(self) -> list[slice]:
        ends = np.cumsum(self.counts).tolist()
        return [slice(end - count, end) for end, count in zip(ends, self.counts, strict=True)]


def blocks_of(rows: Any, start: int, stop: int) -> Iterator[np.ndarray]:
    """rows[start:stop] as float64 arrays of a few megabytes; rows may be a memory map."""
    for block in slices_of_rows(start, stop, rows.shape[1]):
        yield np.asarray(rows[block], dtype=np.float64)


def classes_of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """np.unique(y, return_counts=True), in blocks: of many rows without another array of their number."""
    found = [np.unique(y[block], return_counts=True) for block in slices_of_rows(0, max(1, len(y)))]
    classes, place = np.unique(np.concatenate([here for here, _ in found]), return_inverse=True)
    counts = np.zeros(len(classes), dtype=np.int64)
    np.add.at(counts, place, np.concatenate([counts for _, counts in found]))
    return classes, counts


def members_of(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The place of each label among the rising `classes`, the type's lowest number for other labels; (n_samples,).

    Computed in blocks, in the smallest type of integers.
    """
    kind = np.min_scalar_type(-max(1, len(classes)))
    members = np.full(len(y), np.iinfo(kind).min, dtype=kind)
    for block in slices_of_rows(0, len(y)) if len(classes) else ():
        here = y[block]
        place = np.minimum(np.searchsorted(classes, here), len(classes) - 1)
        known = classes[place] == here
        members[block][known] = place[known]
    return members


def slices_of_rows(start: int, stop: int, n_features: int = 1) -> list[slice]:
    """Rows start..stop, so many at a time that they take a few megabytes."""
    size = rows_of_a_block(n_features)
    return [slice(first, min(first + size, stop)) for first in range(start, stop, size)]


def rows_of_a_block(n_features: int) -> int:
    return max(1, _BLOCK_CELLS // max(1, n_features))


def row_ranges(n_rows: int, n_features: int) -> list[tuple[int, int]]:
    """Ranges of rows of at most 64 MB that cover an array of such a shape."""
    size = max(1, _PART_CELLS // max(1, n_features))
    return [(first, min(first + size, n_rows)) for first in range(0, n_rows, size)]


def check_table(name: str, shape: tuple[int, ...], dtype: np.dtype, n_features: int | None) -> None:
    """ValueError for what is no part of a table of numbers with as many columns as the first part."""
    if len(shape) != 2:
        raise ValueError(f"{name} has {len(shape)} dimension(s); a part of X must have 2: (n_rows, n_features).")
    if dtype.kind not in "fiub":
        raise ValueError(f"{name} holds {dtype} values; every part of X must hold real numbers.")
    if shape[0] == 0:
        raise ValueError(f"{name} has no rows; leave it out.")
    if n_features is not None and shape[1] != n_features:
        raise ValueError(f"{name} has {shape[1]} columns and the first part has {n_features}; all must have the same.")


def cell_of(name: str, first: int) -> Callable[[int, object], str]:
    """Names the cells of a part of an array, which begins at the row `first`."""
    return lambda row, column: f"{name}[{first + row}, {column}]"


def source_of_arrays(arrays: Sequence[Any]) -> PartSource:
    """A list of arrays, (n_rows, n_features) each, cut into parts of at most 64 MB."""
    if isinstance(arrays, np.ndarray) or not len(arrays):
        raise ValueError("parts must be a list of arrays, (n_rows, n_features) each, and one at least.")
    parts: list[Part] = []
    width = None
    for number, array in enumerate(arrays):
        name = f"parts[{number}]"
        if hasattr(array, "toarray"):
            raise ValueError(f"{name} is sparse; parts must be dense arrays.")
        if np.ma.is_masked(array):
            raise ValueError(f"{name} has masked cells; fill them or leave out their rows first.")
        array = np.asanyarray(array)
        check_table(name, array.shape, array.dtype, width)
        width = array.shape[1]
        parts += [
            Part(stop - start, cell_of(name, start), partial(blocks_of, array, start, stop))
            for start, stop in row_ranges(*array.shape)
        ]
    return PartSource(parts, int(width or 0))


@dataclass(frozen=True)
class RemoteFile:
    """A file of one of fsspec's file systems, with as much of Path's interface as is used here."""

    files: Any
    address: str

    @property
    def name(self) -> str:
        return self.address.rsplit("/", 1)[-1]

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix

    def open(self) -> Any:
        return self.files.open(self.address, "rb")


AnyPath = Path | RemoteFile


def is_address(folder: str | Path) -> bool:
    """Whether it is an address of fsspec, such as s3://bucket/folder, rather than a path."""
    return "://" in str(folder)


@dataclass(frozen=True)
class _File:
    path: AnyPath
    stamp: Any  # differs once the file was changed

    @staticmethod
    def of(path: AnyPath) -> "_File":
        try:
            if isinstance(path, RemoteFile):
                path.files.invalidate_cache()  # of listings
                return _File(path, path.files.ukey(path.address))
            status = path.stat()
        except OSError as error:
            raise ValueError(f"{path.name} cannot be read: {error.strerror or error}.") from None
        return _File(path, (status.st_size, status.st_mtime_ns))

    def check_unchanged(self) -> None:
        if _File.of(self.path) != self:
            raise ValueError(f"{self.path.name} was changed after it was opened; open the folder again.")

    def part(self, start: int, stop: int, read: Callable[[], Iterator[np.ndarray]]) -> Part:
        """The rows start..stop, which `read` reads."""
        return Part(
            stop - start,
            lambda row, column: f"Row {start + row}, column {column} of {self.path.name}",
            partial(self._rows, read, stop - start),  # which a worker can be sent
        )

    def _rows(self, read: Callable[[], Iterator[np.ndarray]], n_rows: int) -> Iterator[np.ndarray]:
        seen = 0
        self.check_unchanged()
        try:
            for block in read():
                yield block
                seen += len(block)
        except (OSError, ValueError) as error:
            self.check_unchanged()
            raise _unreadable(self.path, error) from None
        self.check_unchanged()
        if seen != n_rows:
            raise ValueError(f"{self.path.name} has {seen} rows where it said {n_rows}; write it anew.")


def source_of_npy(paths: Sequence[AnyPath]) -> PartSource:
    """.npy files, each cut into parts of at most 64 MB."""
    parts: list[Part] = []
    width = None
    for path in paths:
        file, rows = _File.of(path), _open(path)
        check_table(path.name, rows.shape, rows.dtype, width)
        width = rows.shape[1]
        parts += [
            file.part(start, stop, partial(_mapped, path, start, stop)) for start, stop in row_ranges(*rows.shape)
        ]
    return PartSource(parts, int(width or 0))


def _mapped(path: AnyPath, start: int, stop: int) -> Iterator[np.ndarray]:
    # Mapped anew for each piece, so that no more of the file than that counts as this process's memory.
    rows = _RemoteRows(path) if isinstance(path, RemoteFile) else np.load(path, mmap_mode="r", allow_pickle=False)
    yield from blocks_of(rows, start, stop)


class _RemoteRows:
    """The rows of a remote .npy file; a slice of them requests its bytes alone."""

    def __init__(self, path: RemoteFile) -> None:
        self._path = path
        with path.open() as file:
            read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
            version = np.lib.format.read_magic(file)
            if version not in read:
                raise ValueError("Its version of the format is not supported")
            self.shape, by_columns, self.dtype = read[version](file)
            self._first = file.tell()
            missing = self._first + math.prod(self.shape) * self.dtype.itemsize - file.seek(0, 2)
        if by_columns and len(self.shape) > 1:
            raise ValueError("It is stored column by column; save np.ascontiguousarray of it")
        if missing > 0 and not self.dtype.hasobject:
            raise ValueError(f"{missing} bytes are missing at its end")

    def __getitem__(self, rows: slice) -> np.ndarray:
        size = self.shape[1] * self.dtype.itemsize
        first, stop = (self._first + row * size for row in (rows.start, rows.stop))
        found = self._path.files.cat_file(self._path.address, start=first, end=stop)
        return np.frombuffer(found, self.dtype).reshape(-1, self.shape[1])


def source_of_parquet(paths: Sequence[AnyPath], label: str | None) -> tuple[PartSource, np.ndarray | None]:
    """(the row groups of Parquet files, with numbers in every column but the label's; the labels, (n_rows,), if any)"""
    from pyarrow import types

    parts: list[Part] = []
    columns: tuple[str, ...] | None = None
    for path in paths:
        file, table = _File.of(path), _parquet(path)
        here = tuple(name for name in table.schema_arrow.names if name != label)
        if label is not None and label not in table.schema_arrow.names:
            raise ValueError(f"{path.name} has no column {label!r}; it has {', '.join(map(repr, here))}.")
        if columns is not None and here != columns:
            raise ValueError(f"{path.name} has the columns {', '.join(here)}; the first has {', '.join(columns)}.")
        columns = here
        for name in columns:
            kind = table.schema_arrow.field(name).type
            if not (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)):
                raise ValueError(
                    f"Column {name!r} of {path.name} holds {kind}; every column must hold numbers, but the label's."
                )
        if table.metadata.num_rows == 0:
            raise ValueError(f"{path.name} has no rows; leave it out.")
        first = 0
        for group in range(table.num_row_groups):
            count = table.metadata.row_group(group).num_rows
            if count:
                parts.append(file.part(first, first + count, partial(_row_group, path, group, columns)))
            first += count
    if not columns:
        raise ValueError(f"{paths[0].name} has no column beside the label.")
    labels = None if label is None else np.concatenate([_labels(path, label) for path in paths])
    return PartSource(parts, len(columns), columns), labels


def _row_group(path: AnyPath, group: int, columns: Sequence[str]) -> Iterator[np.ndarray]:
    with _parquet(path) as table:
        size, names = rows_of_a_block(len(columns)), list(columns)
        for batch in table.iter_batches(size, row_groups=[group], columns=names, use_threads=False):
            block = np.empty((len(batch), len(names)))
            for k, name in enumerate(names):
                block[:, k] = batch.column(name).to_numpy(zero_copy_only=False)  # what is missing becomes NaN
            yield block


def list_files(folder: str | Path) -> tuple[str, list[AnyPath]]:
    """(".npy" or ".parquet", the files of that kind by name, numbers in names by size); one ValueError for neither."""
    found: list[AnyPath]
    if is_address(folder):
        from fsspec.core import url_to_fs  # comes with Dask

        try:
            files, place = url_to_fs(str(folder))
            is_folder = files.isdir(place)
            listed = files.ls(place, detail=True) if is_folder else ()
        except OSError as error:
            raise ValueError(f"{folder} cannot be read: {error}.") from None
        found = [RemoteFile(files, each["name"]) for each in listed if each["type"] == "file"]
    else:
        is_folder = Path(folder).is_dir()
        found = [path for path in Path(folder).iterdir() if path.is_file()] if is_folder else []
    if not is_folder:
        raise ValueError(f"{folder} is no folder.")
    found = [path for path in found if not path.name.startswith((".", "_"))]
    kinds = sorted({path.suffix for path in found} & {".npy", ".parquet"})
    if len(kinds) != 1:
        what = "holds both .npy and .parquet files; keep one kind." if kinds else "holds no .npy or .parquet file."
        raise ValueError(f"{folder} {what}")
    return kinds[0], sorted((path for path in found if path.suffix == kinds[0]), key=_natural)


def _natural(path: AnyPath) -> tuple[list[tuple[int, str]], str]:
    pieces = re.split(r"(\d+)", path.name)
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in pieces], path.name


def _open(path: AnyPath) -> Any:
    try:
        if isinstance(path, RemoteFile):
            return _RemoteRows(path)
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise _unreadable(path, error) from None


def _parquet(path: AnyPath) -> Any:
    from pyarrow.parquet import ParquetFile

    try:
        source = path.open() if isinstance(path, RemoteFile) else path
        return ParquetFile(source, buffer_size=_BUFFER, pre_buffer=False)
    except (OSError, ValueError) as error:  # Arrow's errors are of these
        raise _unreadable(path, error) from None


def _labels(path: AnyPath, label: str) -> np.ndarray:
    try:
        with _parquet(path) as table:
            column = table.read(columns=[label]).column(label)
    except OSError as error:
        raise _unreadable(path, error) from None
    if column.null_count:
        row = next(k for k, value in enumerate(column) if not value.is_valid)
        raise ValueError(f"Row {row} of {path.name} has no label in column {label!r}; fill it or leave out the row.")
    return column.to_pandas().to_numpy()


def _unreadable(path: AnyPath, error: Exception) -> ValueError:
    line = str(error).split("\n", 1)[0].strip().removesuffix(".")
    return ValueError(f"{path.name} cannot be read: {line}.")
