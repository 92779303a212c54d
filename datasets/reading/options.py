"""ReadOptions: what a person may say about a text file instead of having it detected."""

from __future__ import annotations

from dataclasses import dataclass

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "spaces"}
THOUSANDS = {",": "comma", ".": "point", " ": "blank", "'": "apostrophe", "": "none"}
ENCODINGS = (
    *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"),
    *("cp1250", "cp1251", "cp1253", "cp1254", "mac-roman", "shift-jis", "gb18030", "big5", "euc-kr"),
)


@dataclass(frozen=True)
class ReadOptions:
    """None: detect.

    Attributes
    ----------
    encoding : str | None
        One of ENCODINGS.
    separator : str | None
        A key of SEPARATORS.
    decimal : str | None
        "." or ",".
    header_lines : int | None
        0, 1, 2, …: lines that hold names; several are joined.
    comment : str | None
        The mark that begins a comment line; "" for none.
    thousands : str | None
        A key of THOUSANDS: the mark between groups of three digits; "" for none.
    faulty_lines : str | None
        "skip" leaves out lines with more cells than the header; else they are refused.
    missing : tuple[str, ...]
        Words that stand for a missing value, besides the usual ones; these count for every format.
    """

    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    header_lines: int | None = None
    comment: str | None = None
    thousands: str | None = None
    missing: tuple[str, ...] = ()
    faulty_lines: str | None = None
