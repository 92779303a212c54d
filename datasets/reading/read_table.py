"""read_table: detect the format of a file from its content, not its name, and call the reader for it."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable

from datasets.base.errors import DataError
from datasets.reading.binary import read_binary
from datasets.reading.file_signatures import signature_advice
from datasets.reading.missing import without_words
from datasets.reading.options import ReadOptions
from datasets.reading.svmlight_lines import is_svmlight
from datasets.reading.table import Limits, Table
from datasets.reading.text import read_text

_PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


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
        Asked ten times a second while a binary format is read; True kills the reader.

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
    data = _unzipped(data, filename, limits)
    kind = _kind(data, filename)
    options = options or ReadOptions()
    if kind == "text":
        table = read_text(data, filename, limits, options)
    else:
        table = read_binary(kind, data, filename, sheet, limits, cancelled, options.header_lines)
    return without_words(table, options.missing)


def _unzipped(data: bytes, filename: str, limits: Limits) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            unzipped = file.read(limits.decoded_bytes + 1)
    except (OSError, EOFError, zlib.error):
        raise DataError(f"{filename} begins like a gzip file but cannot be unpacked; save it again.") from None
    if len(unzipped) > limits.decoded_bytes:
        raise DataError(f"{filename} unpacks to more than {limits.decoded_bytes // 1_000_000} MB, which is the limit.")
    if not unzipped:
        raise DataError(f"{filename} is empty once unpacked. Choose a file with a header line and rows.")
    return unzipped


def _kind(data: bytes, filename: str) -> str:
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        # The directory at the end names the members; a name in it is enough to tell a workbook from arrays.
        return "excel" if b"xl/" in data or b"[Content_Types].xml" in data else "npz"
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith(b"\x93NUMPY"):
        return "npy"
    if data.startswith(_OLE):
        raise DataError(
            f"{filename} is an old .xls or a workbook with a password; save it as .xlsx without a password, or as CSV."
        )
    if data.startswith(_PICKLES) and data.rstrip().endswith(b"."):
        raise DataError(f"{filename} is a Python pickle, which could run code and is never opened. Save it as CSV.")
    if what := signature_advice(data):
        raise DataError(f"{filename} {what}")
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] in (b"{", b"["):
        return "json"
    for line in start.splitlines()[:200]:
        word = line.strip().lower()
        if word.startswith((b"@relation", b"@attribute")):
            return "arff"
        if word and not word.startswith(b"%"):
            break
    return "svmlight" if is_svmlight(data) else "text"
