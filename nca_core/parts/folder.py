"""Parts that are the files of a folder: NPY, of which each pass maps one piece at a time, or Parquet by row groups."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nca_core.parts.source import LocalSource, blocks_of, check_table, cut, rows_of_a_block

_BUFFER = 1_000_000  # bytes of a column of Parquet that are read ahead


@dataclass(frozen=True)
class _File:
    path: Path
    stamp: tuple[int, int]  # size and time of its last change

    @staticmethod
    def of(path: Path) -> _File:
        try:
            status = path.stat()
        except OSError as error:
            raise ValueError(f"{path.name} cannot be read: {error.strerror or error}.") from None
        return _File(path, (status.st_size, status.st_mtime_ns))

    def check_unchanged(self) -> None:
        if _File.of(self.path) != self:
            raise ValueError(f"{self.path.name} was changed after it was opened; open the folder again.")


class _FileSource(LocalSource):
    """Parts that are ranges of rows of files.

    Parameters
    ----------
    files : sequence of _File
        In order.
    parts : sequence of (int, int, int, int)
        Number of the file; which piece of it; its first row within the file, and the row after its last.
    """

    def __init__(
        self,
        files: Sequence[_File],
        parts: Sequence[tuple[int, int, int, int]],
        n_features: int,
        columns: tuple[str, ...] | None = None,
    ) -> None:
        self._files, self._parts = list(files), list(parts)
        super().__init__([stop - start for _, _, start, stop in parts], n_features, columns)

    def cell(self, part: int, row: int, column: int) -> str:
        file, _, start, _ = self._parts[part]
        named = column if self.columns is None else repr(self.columns[column])
        return f"Row {start + row}, column {named} of {self._files[file].path.name}"

    def blocks(self, part: int) -> Iterator[np.ndarray]:
        number, piece, start, stop = self._parts[part]
        file, seen = self._files[number], 0
        file.check_unchanged()
        try:
            for block in self._read(file.path, piece, start, stop):
                yield block
                seen += len(block)
        except (OSError, ValueError) as error:
            file.check_unchanged()
            raise ValueError(f"{file.path.name} cannot be read: {_first_line(error)}") from None
        file.check_unchanged()
        if seen != stop - start:
            raise ValueError(f"{file.path.name} has {seen} rows where it said {stop - start}; write it anew.")

    @abstractmethod
    def _read(self, path: Path, piece: int, start: int, stop: int) -> Iterator[np.ndarray]: ...


class NpySource(_FileSource):
    """The .npy files of a folder, each cut into parts of at most 64 MB."""

    def __init__(self, paths: Sequence[Path]) -> None:
        files, parts, width = [], [], None
        for number, path in enumerate(paths):
            files.append(_File.of(path))
            rows = _opened(path)
            check_table(path.name, rows.shape, rows.dtype, width)
            width = rows.shape[1]
            parts += [(number, 0, start, stop) for start, stop in cut(*rows.shape)]
        super().__init__(files, parts, int(width or 0))

    def _read(self, path: Path, piece: int, start: int, stop: int) -> Iterator[np.ndarray]:
        # Mapped anew for each piece, so that no more of the file than that counts as this process's memory.
        yield from blocks_of(np.load(path, mmap_mode="r", allow_pickle=False), start, stop)


class ParquetSource(_FileSource):
    """The row groups of the Parquet files of a folder; numbers in every column but the label's.

    Parameters
    ----------
    paths : sequence of Path
        In order.
    label : str or None
        A column that is no feature.
    """

    def __init__(self, paths: Sequence[Path], label: str | None) -> None:
        files: list[_File] = []
        parts: list[tuple[int, int, int, int]] = []
        columns: tuple[str, ...] | None = None
        for number, path in enumerate(paths):
            files.append(_File.of(path))
            table = _parquet(path)
            here = tuple(name for name in table.schema_arrow.names if name != label)
            if label is not None and label not in table.schema_arrow.names:
                raise ValueError(f"{path.name} has no column {label!r}; it has {', '.join(map(repr, here))}.")
            if columns is not None and here != columns:
                raise ValueError(f"{path.name} has the columns {', '.join(here)}; the first has {', '.join(columns)}.")
            columns = here
            for name in columns:
                kind = table.schema_arrow.field(name).type
                if not _is_number(kind):
                    raise ValueError(
                        f"Column {name!r} of {path.name} holds {kind}; every column must hold numbers, but the label's."
                    )
            if table.metadata.num_rows == 0:
                raise ValueError(f"{path.name} has no rows; leave it out.")
            first = 0
            for group in range(table.num_row_groups):
                count = table.metadata.row_group(group).num_rows
                if count:
                    parts.append((number, group, first, first + count))
                first += count
        if not columns:
            raise ValueError(f"{paths[0].name} has no column beside the label.")
        super().__init__(files, parts, len(columns), columns)
        self.labels = None if label is None else np.concatenate([_labels(path, label) for path in paths])

    def _read(self, path: Path, piece: int, start: int, stop: int) -> Iterator[np.ndarray]:
        assert self.columns is not None
        with _parquet(path) as table:
            size, names = rows_of_a_block(len(self.columns)), list(self.columns)
            for batch in table.iter_batches(size, row_groups=[piece], columns=names, use_threads=False):
                block = np.empty((len(batch), len(names)))
                for k, name in enumerate(names):
                    block[:, k] = batch.column(name).to_numpy(zero_copy_only=False)  # what is missing becomes NaN
                yield block


def files_of(folder: str | Path) -> tuple[str, list[Path]]:
    """(".npy" or ".parquet", the files of that kind by name, numbers in names by size); one ValueError for neither."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder.")
    found = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith((".", "_"))]
    kinds = sorted({path.suffix for path in found} & {".npy", ".parquet"})
    if len(kinds) != 1:
        what = "holds both .npy and .parquet files; keep one kind." if kinds else "holds no .npy or .parquet file."
        raise ValueError(f"{folder} {what}")
    return kinds[0], sorted((path for path in found if path.suffix == kinds[0]), key=_natural)


def _natural(path: Path) -> tuple[list[tuple[int, str]], str]:
    pieces = re.split(r"(\d+)", path.name)
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in pieces], path.name


def _opened(path: Path) -> np.ndarray:
    try:
        rows = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ValueError(f"{path.name} cannot be read: {_first_line(error)}") from None
    return rows


def _parquet(path: Path) -> Any:
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)
    except (OSError, ValueError) as error:  # Arrow's errors are of these
        raise ValueError(f"{path.name} cannot be read: {_first_line(error)}") from None


def _is_number(kind: Any) -> bool:
    from pyarrow import types

    return types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)


def _labels(path: Path, label: str) -> np.ndarray:
    """Of one file, (n_rows,)."""
    try:
        with _parquet(path) as table:
            column = table.read(columns=[label]).column(label)
    except OSError as error:
        raise ValueError(f"{path.name} cannot be read: {_first_line(error)}") from None
    if column.null_count:
        row = next(k for k, value in enumerate(column) if not value.is_valid)
        raise ValueError(f"Row {row} of {path.name} has no label in column {label!r}; fill it or leave out the row.")
    return column.to_pandas().to_numpy()


def _first_line(error: Exception) -> str:
    line = str(error).split("\n", 1)[0].strip()
    return line if line.endswith(".") else f"{line}."
