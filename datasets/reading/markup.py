"""Tables in pages of the web and in LaTeX and Markdown -> cells, or text with tabs."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import islice

from datasets.base.words import counted
from datasets.reading.decoding import decoded
from datasets.reading.formats import Cells, Refused
from datasets.reading.layout import blanked, is_rule, lines_of
from datasets.reading.table import Limits

_ROWS, _CELLS = ("tr", "row"), ("td", "th", "cell")  # of web pages, and of the XML of spreadsheet programs
_MOST_SPANNED = 1_000
_SINGLE = ("br", "hr", "img", "input", "wbr")  # without an end
_ON_LINES = ("br", "div", "p", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "button", "option", "hr")
_HIDDEN = re.compile(r"(?:^|[\s_-])(?:v(?:isually)?-?hidden|hidden|sr-only|screen-reader-text|d-none|sortkey)(?:\s|$)")
_NOT_SHOWN = re.compile(r"display\s*:\s*none", re.IGNORECASE)


class _Tables(HTMLParser):
    """The tables of a page: for each its rows, (line, cells)."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[tuple[int, list[str]]]] = []
        self.fields: list[list[tuple[str, str]]] = []  # for each table (name and unit, gap) of columns, as in a VOTable
        self._open: list[list[tuple[int, list[str]]]] = []  # one inside the other
        self._text: list[str] | None = None
        self._spans = (1, 1)
        self._hidden = ("", 0)  # an element inside a cell that is not shown, and how many of its name are open
        self._ended = ""  # the element before, where nothing stands behind it
        self._below: dict[int, tuple[int, str]] = {}  # column -> (rows, cell) that a cell above spans

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._open.append([])
            self.tables.append(self._open[-1])
            self.fields.append([])
            self._below = {}
        elif tag in _ROWS and self._open:
            self._end_cell()
            self._open[-1].append((self.getpos()[0], []))
        elif tag in _CELLS and self._open and self._open[-1]:
            self._end_cell()
            spans = {name: value for name, value in attrs if name in ("colspan", "rowspan")}
            across, down = (spans.get(name) or "1" for name in ("colspan", "rowspan"))
            self._spans = tuple(min(int(n), _MOST_SPANNED) if n.isdecimal() else 1 for n in (across, down))  # type: ignore[assignment]
            self._text = []
        elif tag in ("field", "values") and self._open and not self._open[-1]:
            about, fields = {name: value or "" for name, value in attrs}, self.fields[-1]
            if tag == "field":
                name, unit = about.get("name") or about.get("id", ""), about.get("unit", "")
                fields.append((name if unit in name else f"{name} {unit}", ""))
            elif fields:
                fields[-1] = (fields[-1][0], about.get("null", ""))
        elif self._text is not None:
            self._begin_inside(tag, {name: value or "" for name, value in attrs})

    def _begin_inside(self, tag: str, attrs: dict[str, str]) -> None:
        """An element inside a cell: those on lines of their own, and links, are apart from the text before."""
        hidden, n = self._hidden
        if n:
            self._hidden = (hidden, n + (tag == hidden))
            return
        if tag in _ON_LINES or tag == self._ended == "a":
            self.handle_data(" ")
        looks = _HIDDEN.search(attrs.get("class", "")) or _NOT_SHOWN.search(attrs.get("style", ""))
        if tag not in _SINGLE and (looks or "hidden" in attrs or tag in ("script", "style")):
            self._hidden = (tag, 1)

    def handle_endtag(self, tag: str) -> None:
        hidden, n = self._hidden
        if tag == hidden and n:
            self._hidden = (hidden, n - 1)
        elif tag in _ON_LINES:
            self.handle_data(" ")
        self._ended = tag
        if tag in _CELLS or tag in _ROWS or tag == "table":
            self._end_cell()
        if tag in _ROWS and self._open and self._open[-1]:
            self._spanned(self._open[-1][-1][1])
        if tag == "table" and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self._ended = ""
        if self._text is not None and not self._hidden[1]:
            self._text.append(data)

    def unknown_decl(self, data: str) -> None:
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))

    def _end_cell(self) -> None:
        self._hidden = ("", 0)
        if self._text is None or not (self._open and self._open[-1]):
            return
        row, cell = self._open[-1][-1][1], " ".join("".join(self._text).split())
        self._text = None
        self._spanned(row)
        across, down = self._spans
        if down > 1:
            self._below |= {len(row) + k: (down - 1, cell) for k in range(across)}
        row += [cell, *[""] * (across - 1)]

    def _spanned(self, row: list[str]) -> None:
        """Put the cells that those above span at the end of a row, as far as they stand there."""
        while (found := self._below.get(len(row))) and len(self._open[-1]) > 1:
            rows, cell = found
            self._below[len(row)] = (rows - 1, cell)
            if rows <= 1:
                del self._below[len(row)]
            row.append(cell)


def read_page(data: bytes, limits: Limits) -> Cells:
    """The largest table of a web page, or of the XML of a spreadsheet program."""
    parser, text = _Tables(), decoded(data, "the page").text
    parser.feed(text)
    tables = [[(line, row) for line, row in table if any(row)] for table in parser.tables]
    sized = [(table, fields) for table, fields in zip(tables, parser.fields, strict=True) if len(table) > 1]
    if not sized and "<html" not in text.lower() and not re.match(r"\s*<!doctype html", text, re.IGNORECASE):
        raise Refused("is XML without a table or a list of records; save these as CSV")
    if not sized:
        raise Refused("is a web page without a table; open it in a spreadsheet program and save the table as .xlsx")
    largest, fields = max(sized, key=lambda each: sum(len(row) for _, row in each[0]))
    width = max(len(row) for _, row in largest)
    if width > limits.columns or width * len(largest) > limits.cells:
        raise Refused(f"holds a table of {len(largest):,} x {width:,} cells, which are more than are read")
    rows = [(*row, *[""] * (width - len(row))) for _, row in largest]
    columns = tuple(name for name, _ in fields) if len(fields) == width else None
    if columns and any(gap for _, gap in fields):
        rows = [tuple("" if cell == gap else cell for cell, (_, gap) in zip(row, fields, strict=True)) for row in rows]
    n = len(sized) - 1
    others = [counted(n, "other table", "other tables") + f" of the page {'was' if n == 1 else 'were'} left out."]
    return Cells(columns, rows, [line for line, _ in largest], others=others if n else [])


_TABULAR = re.compile(r"\\begin\{\w*(?:tabular|table|array)\w*\*?\}")
_FEWEST_LINES = 5
_SPANNED = re.compile(r"\\multicolumn\{(\d{1,3})\}\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_GAPS = re.compile(r"\\(?:nodata|ldots|cdots|dots)\b|^-{2,3}$")
_ERROR = re.compile(r"\s*(?:\\pm|±)\s*\S.*$")
_KEPT = re.compile(r"\\([%&#_$])")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?(?:\[[^\]]*\])?|\\[,;!: ]")


def latex_cells(text: str) -> str | None:
    """The rows of the LaTeX tables in a text with tabs between the cells, each on its first line, all else blanked;
    None of any other text. Errors behind "±" are left out."""
    if "\\\\" not in text or not _TABULAR.search(text):
        return None
    lines, row, begin, n_rows = list[str](), list[str](), 0, 0
    for line in lines_of(text):
        plain = re.sub(r"(?<!\\)%.*", "", line).strip()
        is_rule = re.fullmatch(r"(?:\\[a-z]*rule\S*|\\hline|\\(?:start|end)data|\s)*", plain)
        lines.append("")
        if is_rule or re.match(r"\\(?:begin|end|caption|label|centering|tablecaption)\b", plain):
            continue
        begin = begin if row else len(lines) - 1
        row.append(plain)
        head = " ".join(row)
        is_head = head.startswith("\\tablehead") and head.count("{") == head.count("}")
        if "\\\\" in plain or is_head:
            joined = head.partition("\\\\")[0]
            if re.search(r"(?<!\\)&", joined) or _SPANNED.search(joined):
                lines[begin] = "\t".join(map(_plain, re.split(r"(?<!\\)&", _SPANNED.sub(_across, joined))))
                n_rows += 1
            row = []
    return "\n".join(lines) if n_rows >= _FEWEST_LINES else None


def _across(match: re.Match[str]) -> str:
    return match[2] + " &" * (int(match[1]) - 1)


def _plain(cell: str) -> str:
    cell = _GAPS.sub("", cell.strip().strip("$").strip())
    cell = _COMMAND.sub(" ", _KEPT.sub(r"\1", _ERROR.sub("", cell)))
    return " ".join(re.sub(r"[{}$]", "", cell).replace("~", " ").split())


_BORDERED = re.compile(r"^([ \t]*)\|(.*?)\|?([ \t]*)$", re.MULTILINE)

_BOLD = re.compile(r"\*\*([^*|\r\n]+)\*\*")


def without_borders(text: str) -> tuple[str, int]:
    """(the text of Markdown, or of a table drawn with pipes, without those at both ends of its lines, where most have
    them, how many lines of prose around its tables are blanked)."""
    first = islice((line.rstrip("\r\n") for line in lines_of(text)), 2_000)
    if not any("|" in line or "+" in line for line in first if is_rule(line)):
        return text, 0
    lines, n_prose = list(lines_of(text)), 0
    n_bordered = sum(_BORDERED.match(line.rstrip("\r\n")) is not None for line in lines)
    if 2 * n_bordered < sum("|" in line and not is_rule(line) for line in lines):
        return text, 0  # a few lines begin with a blank cell
    if n_bordered >= _FEWEST_LINES:
        for k, line in enumerate(lines):
            if "|" not in line and line.strip() and not is_rule(line):
                lines[k], n_prose = blanked(line), n_prose + 1
    return _BOLD.sub(r"\1", _BORDERED.sub(r"\1\2\3", "".join(lines))), n_prose
