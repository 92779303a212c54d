"""File signatures: the first bytes of files that are not tables, what such a file is and what to do with it."""

from __future__ import annotations

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


def signature_advice(data: bytes) -> str:
    """Say what the file is and what to do with it, as the end of a sentence that begins with its name.

    Returns "" where the file may be a table.
    """
    for begins, (what, advice) in _FIRST_BYTES.items():
        if data.startswith(begins):
            return f"is {what}; {advice}."
    # Spreadsheets' "web page" is often called .xls.
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith(_WEB):
        return "is a web page or XML, whatever its name says; open it in a spreadsheet program and save it as .xlsx."
    return ""
