"""How a file was read, as short words for a line of chips."""

from __future__ import annotations

from datasets.base.counted import counted
from datasets.reading import SEPARATORS, THOUSANDS, Table

ENCODING_WORDS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with mark",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
    "utf-32": "UTF-32",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "mac-roman": "Mac Roman",
    "shift-jis": "Shift JIS (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "euc-kr": "EUC-KR (Korean)",
}
DECIMAL_WORDS = {".": "point", ",": "comma"}


def detected_words(table: Table, missing: tuple[str, ...]) -> list[str]:
    """One short phrase for each thing that was detected or said."""
    words = [f"{counted(len(table.rows), 'row')} x {counted(len(table.columns), 'column')}"]
    found = table.detected
    if found is not None:
        words += [
            ENCODING_WORDS.get(found.encoding, found.encoding),
            f"separated by {SEPARATORS[found.separator]}",
            f"decimal {DECIMAL_WORDS[table.decimal]}",
            counted(found.header_lines, "header line"),
            counted(found.n_comments, "comment line"),
            f"line ends {found.line_end}",
        ]
    if table.thousands is not None:
        words.append(f"thousands mark {THOUSANDS[table.thousands]}")
    if table.sheet:
        words.append(f"sheet {table.sheet}")
    gaps = [word or "blank" for word in missing]
    words.append("missing: " + " ".join(gaps) if gaps else "nothing missing")
    return words
