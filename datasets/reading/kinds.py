"""unzipped, kind_of: what is in a file, told from its bytes and not from its name."""

from __future__ import annotations

import gzip
import io
import zlib

from datasets.base.errors import DataError
from datasets.reading.file_signatures import signature_advice
from datasets.reading.svmlight_lines import is_svmlight
from datasets.reading.table import Limits

ZIPPED = b"\x1f\x8b"
_PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def unzipped(data: bytes, filename: str, limits: Limits) -> bytes:
    """The bytes of a gzip file, or those of any other as they are."""
    if data[:2] != ZIPPED:
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            content = file.read(limits.decoded_bytes + 1)
    except (OSError, EOFError, zlib.error):
        raise DataError(f"{filename} begins like a gzip file but cannot be unpacked; save it again.") from None
    if len(content) > limits.decoded_bytes:
        raise DataError(f"{filename} unpacks to more than {limits.decoded_bytes // 1_000_000} MB, which is the limit.")
    if not content:
        raise DataError(f"{filename} is empty once unpacked. Choose a file with a header line and rows.")
    return content


def kind_of(data: bytes, filename: str) -> str:
    """The kind of a file: "text", or a name in FORMAT_NAMES."""
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
