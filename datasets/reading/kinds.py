"""What is in a file, by its bytes and not its name: a known format, text, or a file to refuse with advice."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from itertools import pairwise

from datasets.base.errors import DataError
from datasets.reading.table import Limits

FORMAT_NAMES = {
    "excel": "an Excel workbook",
    "xls": "an old Excel workbook",
    "parquet": "a Parquet file",
    "npz": "a zip of NumPy arrays",
    "npy": "a NumPy array",
    "arff": "an ARFF file",
    "json": "a JSON file",
    "svmlight": "a libsvm file",
}
_UNPACK = "unpack it and choose the table in it"
_SAVE = "open it in the program that wrote it and save the table as CSV"
_FIRST_BYTES: dict[tuple[bytes, ...], tuple[str, str]] = {
    (b"\x1f\x8b",): ("compressed twice", _UNPACK),
    tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)): ("compressed with bzip2", _UNPACK),
    (b"\xfd7zXZ\x00",): ("compressed with xz", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c",): ("a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07",): ("a RAR archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd",): ("compressed with zstd", _UNPACK),
    (b"%PDF-",): ("a PDF document", "save the table it shows as CSV"),
    (b"{\\rtf",): ("a text document (RTF)", _SAVE),
    (b"\x89PNG", b"\xff\xd8\xff", b"GIF89a"): ("a picture", "choose a table"),
    (b"\x89HDF",): ("an HDF5 file", "save X and y with numpy.savez, or the table as CSV"),
    (b"MATLAB 5.0 MAT-file",): ("a MATLAB file", "save the table with writetable as CSV"),
    (b"SQLite format 3\0",): ("a database", _SAVE),
    (b"$FL2@(#)", b"$FL3@(#)"): ("an SPSS file", "save it from SPSS as CSV or Excel"),
    (b"RDX2\n", b"RDX3\n"): ("R data", "save it with write.csv"),
    (b"ARROW1\0\0",): ("a Feather file", "save it as Parquet or CSV"),
}
_WEB = (b"<html", b"<!doctype", b"<table", b"<?xml", b"<head", b"<meta")
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
        return "xls"
    if data.startswith(_PICKLES) and data.rstrip().endswith(b"."):
        raise DataError(f"{filename} is a Python pickle, which could run code and is never opened. Save it as CSV.")
    for begins, (what, advice) in _FIRST_BYTES.items():
        if data.startswith(begins):
            raise DataError(f"{filename} is {what}; {advice}.")
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.lower().startswith(_WEB):  # spreadsheets' "web page" is often called .xls
        raise DataError(
            f"{filename} is a web page or XML, whatever its name says; open it in a spreadsheet program and save it as "
            ".xlsx."
        )
    if start[:1] in (b"{", b"["):
        return "json"
    for line in start.splitlines()[:200]:
        word = line.strip().lower()
        if word.startswith((b"@relation", b"@attribute")):
            return "arff"
        if word and not word.startswith(b"%"):
            break
    return "svmlight" if is_svmlight(data) else "text"


_SVMLIGHT_NUMBER = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_SVMLIGHT_LINE = re.compile(
    rb"%s(?:[ \t]+qid:\d+)?(?P<pairs>(?:[ \t]+\d+:%s)*)[ \t]*(?:#.*)?" % (_SVMLIGHT_NUMBER, _SVMLIGHT_NUMBER)
)
_SVMLIGHT_BYTES, _SVMLIGHT_LINES = 200_000, 50


def svmlight_indices(line: bytes) -> list[int] | None:
    """The indices of a line "label index:value …"; None where it is no such line or they do not grow, as in times."""
    found = _SVMLIGHT_LINE.fullmatch(line.strip())
    indices = [int(pair.partition(b":")[0]) for pair in found["pairs"].split()] if found else []
    return None if found is None or any(b <= a for a, b in pairwise(indices)) else indices


def is_svmlight(data: bytes) -> bool:
    """Whether the first lines all look so, and some have two pairs."""
    lines = data[:_SVMLIGHT_BYTES].removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(data) > _SVMLIGHT_BYTES:
        lines = lines[:-1]  # cut in the middle
    written = [line for line in lines if line.partition(b"#")[0].strip()][:_SVMLIGHT_LINES]
    found = [svmlight_indices(line) for line in written]
    return all(each is not None for each in found) and any(len(each or ()) > 1 for each in found)
