"""A clean table and the oddities that are done to it; what must come out is worked out here, without the reader."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field


@dataclass
class Sheet:
    """A table on its way to becoming a hostile file, and what has to be read from it."""

    header: list[list[str]] = field(default_factory=lambda: [["a", "b", "label"]])
    rows: list[list[str]] = field(default_factory=lambda: [[f"{k}", f"{k * k}.5", "xyz"[k % 3]] for k in range(1, 13)])
    features: list[str] = field(default_factory=lambda: ["a", "b"])
    left_out: dict[str, str] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    separator: str = ","
    decimal_comma: bool = False
    comments: int = 0
    blank_lines: bool = False
    trailing: bool = False
    end: str = "\n"
    encoding: str = "utf-8"
    mark: bytes = b""
    gz: bool = False
    short_row: int | None = None
    spaces: bool = False
    label: str = "label"

    def line_of(self, row: int) -> int:
        """The line of the file on which row (counted from 0) stands."""
        step = 2 if self.blank_lines else 1
        return self.comments + step * (len(self.header) + row) + 1

    def file(self) -> bytes:
        lines = [f"# comment {k}: made by the tests" for k in range(self.comments)]
        body = [*self.header, *self.rows]
        for k, cells in enumerate(body):
            row = k - len(self.header)
            written = [self._cell(cell, row >= 0) for cell in cells]
            if row == self.short_row:
                written = written[:-1]
            lines.append(self.separator.join(written) + (self.separator if self.trailing else ""))
            if self.blank_lines:
                lines.append("")
        data = self.mark + (self.end.join(lines) + self.end).encode(self.encoding)
        return gzip.compress(data) if self.gz else data

    def _cell(self, cell: str, is_value: bool) -> str:
        if self.decimal_comma and is_value and cell.replace(".", "").isdigit():
            cell = cell.replace(".", ",")
        if self.separator in cell or '"' in cell:
            cell = '"' + cell.replace('"', '""') + '"'
        return f" {cell} " if self.spaces and not cell.startswith('"') else cell

    def add(self, name: str, cells: list[str], why: str) -> None:
        """A column in front that has to be left out."""
        for line in self.header:
            line.insert(0, name)
        for row, cell in zip(self.rows, cells, strict=True):
            row.insert(0, cell)
        self.left_out[name] = why


def place(sheet: Sheet, name: str) -> int:
    return sheet.header[0].index(name)


def _set(**values):
    def change(sheet: Sheet) -> None:
        for name, value in values.items():
            setattr(sheet, name, value)

    return change


def _missing(word):
    def change(sheet: Sheet) -> None:
        sheet.rows[4][place(sheet, sheet.features[0])] = word
        sheet.dropped.add(4)

    return change


def _rename(new, expected):
    def change(sheet: Sheet) -> None:
        sheet.header[0][place(sheet, "b")] = new
        sheet.features[1] = expected(sheet)

    return change


def _labels(names):
    def change(sheet: Sheet) -> None:
        for row in sheet.rows:
            row[-1] = names["xyz".index(row[-1])]

    return change


def _units(sheet: Sheet) -> None:
    sheet.header.append(["unit"] * len(sheet.header[0]))


def _short(sheet: Sheet) -> None:
    sheet.rows[7][-1] = ""
    sheet.short_row = 7


ALL_DIFFERENT = "it holds names or text, nearly all different"
ODDITIES = {
    # group, what is done; two of one group cannot be done together
    "plain": ("none", lambda sheet: None),
    "semicolons": ("separator", _set(separator=";")),
    "decimal commas": ("separator", _set(separator=";", decimal_comma=True)),
    "tabs": ("separator", _set(separator="\t")),
    "pipes": ("separator", _set(separator="|")),
    "crlf": ("end", _set(end="\r\n")),
    "cr": ("end", _set(end="\r")),
    "byte order mark": ("encoding", _set(mark=b"\xef\xbb\xbf")),
    "utf-16": ("encoding", _set(encoding="utf-16")),
    "utf-16 without mark": ("encoding", _set(encoding="utf-16-le")),
    "cp1252": ("encoding", _set(encoding="cp1252")),
    "gz": ("gz", _set(gz=True)),
    "comments": ("comments", _set(comments=2)),
    "blank lines": ("blank", _set(blank_lines=True)),
    "trailing separators": ("short", _set(trailing=True)),
    "spaces": ("spaces", _set(spaces=True)),
    "question mark": ("missing", _missing("?")),
    "NA": ("missing", _missing("NA")),
    "empty cell": ("missing", _missing("")),
    "blank name": ("b", _rename("", lambda sheet: f"column {place(sheet, '') + 1}")),
    "same name": ("b", _rename("a", lambda sheet: "a (2)")),
    "markup in a name": ("b", _rename('<b onclick="x">**b**</b>', lambda sheet: '<b onclick="x">**b**</b>')),
    "labels NA and None": ("labels", _labels(["NA", "None", "x"])),
    "labels 01 and 1": ("labels", _labels(["01", "1", "001"])),
    "labels beyond ASCII": ("labels", _labels(["süß", "herb", "größer"])),
    "short line": ("short", _short),
    "id": ("left", lambda s: s.add("id", [str(k) for k in range(12)], "it counts the rows")),
    "constant": ("left", lambda s: s.add("const", ["7"] * 12, "it is 7 in every row")),
    "dates": ("left", lambda s: s.add("when", [f"2024-03-{k + 1:02d}" for k in range(12)], "it holds dates")),
    "free text": (
        "left",
        lambda s: s.add("words", [f"so said {k}" for k in range(12)], ALL_DIFFERENT),
    ),
    "units": ("header", _units),
}


def hostile(*names: str) -> Sheet:
    """The clean table with the oddities done to it; columns are added first, so that places are found after it."""
    sheet = Sheet()
    order = {"left": 0, "header": 1}
    for name in sorted(names, key=lambda name: order.get(ODDITIES[name][0], 2)):
        ODDITIES[name][1](sheet)
    return sheet
