"""read_table: detect the format of a file from its content, not its name, and call the reader for it."""

from __future__ import annotations

from collections.abc import Callable

from datasets.base.errors import DataError
from datasets.reading.apart import read_apart
from datasets.reading.binary import read_binary
from datasets.reading.kinds import ZIPPED, kind_of
from datasets.reading.missing import without_words
from datasets.reading.options import ReadOptions
from datasets.reading.table import Limits, Table
from datasets.reading.text import read_text

_HERE = 1_000_000  # bytes of text; more of it is read in a child, and all that is packed


def read_table(
    data: bytes,
    filename: str,
    options: ReadOptions | None = None,
    *,
    sheet: str | None = None,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Table:
    """Read a table of any known kind, gzipped or not: delimited text, Excel, Parquet, ARFF, JSON, libsvm, NPZ, NPY.

    Parameters
    ----------
    data : bytes
        The file's bytes.
    filename : str
        Its name, for people; the content decides how it is read.
    options : ReadOptions | None
        What is known about a text file; the rest is detected. Header lines count for workbooks too.
    sheet : str | None
        Which sheet of a workbook; the first that holds two rows unless given.
    limits : Limits | None
        How much is read; `Limits()` unless given.
    cancelled : Callable[[], bool]
        Asked ten times a second while another process reads; True kills it.

    Raises
    ------
    DataError
        With file and line, for anything that is not such a table or is too large.
    """
    limits = limits or Limits()
    if not data:
        raise DataError(f"{filename} is empty. Choose a file with a header line and rows.")
    if len(data) > limits.file_bytes:
        raise DataError(
            f"{filename} has {len(data) / 1e6:.0f} MB; at most {limits.file_bytes // 1_000_000} MB are read."
        )
    options = options or ReadOptions()
    kind = "packed" if data.startswith(ZIPPED) else kind_of(data, filename)
    if kind == "packed" or (kind == "text" and len(data) > _HERE):
        table = read_apart(data, filename, sheet, limits, options, cancelled)
    elif kind == "text":
        table = read_text(data, filename, limits, options)
    else:
        table = read_binary(kind, data, filename, sheet, limits, cancelled, options.header_lines)
    return without_words(table, options.missing)
