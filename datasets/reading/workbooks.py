"""Workbooks (.xlsx, .xlsb, .xls, .ods) through calamine, after a look at the zip directory and the sheets' XML; a few
old ones through xlrd."""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, compress, islice, takewhile, zip_longest
from typing import Any

import numpy as np

from datasets.base.words import counted
from datasets.reading.blocks import largest_table
from datasets.reading.decoding import EXCEL_2_TO_4
from datasets.reading.formats import Cells, Refused, cell_text
from datasets.reading.layout import lines_of
from datasets.reading.numerals import as_number
from datasets.reading.place import place_of
from datasets.reading.plates import PLATES
from datasets.reading.table import Limits

_CELL = re.compile(rb'<(?:\w+:)?c [^>]*?r="([A-Z]{1,3})([0-9]{1,7})"(?![^>]*/>)')  # one without content is none
_UNSOLVED = re.compile(  # an empty text is a result
    rb'<(?:\w+:)?c (?![^>]*\bt="str")[^>]*><(?:\w+:)?f[^>]*>[^<]*</(?:\w+:)?f>'
    rb"(?:<(?:\w+:)?v ?/>|<(?:\w+:)?v></(?:\w+:)?v>)?</(?:\w+:)?c>"
)
_NAMED_SHEET = re.compile(rb"""<(?:\w+:)?sheet [^>]*?\br:id=["']([^"']*)["'][^>]*?/>""")
_RELATION = re.compile(rb"""<(?:\w+:)?Relationship [^>]*?\bId=["']([^"']+)["']""")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # a member of a compound file
_LOCKED = "is a workbook with a password; save it without one"
_CHUNK = 1 << 20
_LINKED = re.compile(r"'file:.*'#")  # a copy of a sheet of another file, in .ods
_ALIKE = 0.75  # of the likeness of the best sheet
_ABOUT = 0.75  # of the most frequent width of rows
_FEWER, _FULL = 0.75, 0.95  # of the rows of the table, and of those between the first and the last of a block
_NAME_AND_CELL = 2  # rows
_MOST_ABOVE = 10  # rows before the names of tables beside each other
_STRAY_COLUMNS, _STRAY_ROWS = 2_000, 10_000
_ENTITY = (b"<!DOCTYPE", b"<!ENTITY", "<!DOCTYPE".encode("utf-16-le"), "<!DOCTYPE".encode("utf-16-be"))
_LOOKED_AT = 40
_WIDE_ENOUGH = 10
_WIDE_PART = 0.5  # of the widest row
_DATA = {"data", "dataset", "daten", "données", "datos", "dados", "dati", "数据", "データ"}
_DATA |= {"all", "combined", "merged", "results", "ergebnisse", "résultats", "resultados"}
_ABOUT_DATA = re.compile(
    r"(?:foot)?notes?|notas|note|noten|anmerkungen|cover(?: ?page| ?sheet)?|read ?me|lies ?mich|index|indice|índice|"
    r"(?:table of )?contents?|inhalt|sommaire|legend[ae]?|legende|meta ?data|metadaten|about|info|glossary",
    re.IGNORECASE,
)
_FEWEST_OF_NUMBERS = 3  # columns
_FEWEST_ALIKE, _LONGER = 3, 1.5  # sheets; times as many rows
_SHARED, _SAME_KINDS = 0.8, 0.8  # share of the columns of sheets that are joined
_PART, _FEWEST_OF_A_PART = 0.5, 4  # share of the columns, and columns, of a sheet that has no other ones
_FEWEST_ROWS = 12  # of a sheet that is read before longer ones
_FAR_MORE = 10  # rows or columns, for each of a sheet that stands before
_NAMED, _LIKELY = 0.4, 0.5  # of the likeness of the best sheet, for the only one that is called so, and for others
_MOST_MERGED = 10_000
_MOST_BESIDE, _MOST_SHEETS_BESIDE = 500_000, 12  # cells of a sheet that may tell more of the rows, and such sheets
_MOST_OF = 0.75  # of the width


@dataclass
class _Sheet:
    """A sheet as far as it is looked at to choose one."""

    rows: list[list[str]]  # the first
    n_rows: int
    n_columns: int
    is_visible: bool


_Numbered = list[tuple[int, list[str]]]  # lines with their cells
_Ranges = Sequence[tuple[tuple[int, int], tuple[int, int]]]  # (row, column) of the first and the last of merged cells
_Grid = Callable[[str], tuple[list[list[str]], _Ranges]]  # all cells of the sheet of that name


def read_workbook(data: bytes, limits: Limits, wanted: str | None, *, all_sheets: bool = False) -> Cells:
    """The sheet asked for, or table of an only sheet, else the visible one that looks most like a table; with
    `all_sheets` those that have its columns, to be joined."""
    n_unsolved = _look_over(data, limits) if data.startswith(b"PK") else 0
    sheets, grid_of = _opened_old(data) if data.startswith(EXCEL_2_TO_4) else _opened(data)
    is_garbled = any("\0" in cell for sheet in sheets.values() for row in sheet.rows for cell in row)
    if is_garbled and not data.startswith(b"PK"):
        sheets, grid_of = _opened_old(data)  # letters of two bytes that calamine takes for two letters
    of_sheet = wanted if len(sheets) == 1 and wanted not in sheets else None
    read = _chosen(sheets, wanted if of_sheet is None else None)
    names = read.alike if all_sheets and len(read.alike) > 1 else (read.sheet,)
    n_cells = sum(sheets[name].n_rows * sheets[name].n_columns for name in names)
    if n_cells > limits.cells:
        where = f"sheet {read.sheet!r}" if len(names) == 1 else f"{len(names)} sheets"
        raise Refused(f"has {n_cells:,} cells on its {where}; at most {limits.cells:,} are read")

    def part(name: str) -> Cells:
        grid, ranges = grid_of(name)
        copies = _merged_copies(grid, ranges)
        fill_merged(grid, ranges)
        grid = [[cell for k, cell in enumerate(row) if k not in copies] for row in grid] if copies else grid
        cells = replace(read, columns=None, sheet=name, notes=[], others=[])
        _fill(cells, grid, of_sheet)
        return cells

    first, *others = [part(name) for name in names]
    if others:
        above = accumulate(sheets[name].n_rows for name in names)
        read = replace(first, joined=list(zip(others, above, strict=False)))
    else:
        read = replace(first, notes=[*read.notes, *first.notes])
        small = [name for name, each in sheets.items() if each.n_rows * each.n_columns <= _MOST_BESIDE >= n_cells]
        beside = [name for name in small if name != read.sheet and name in read.sheets and sheets[name].is_visible]
        read.beside = [partial(part, name) for name in beside[:_MOST_SHEETS_BESIDE]]
    if n_unsolved:
        formulas = counted(n_unsolved, "formula has", "formulas have")
        advice = "open the workbook in a spreadsheet program and save it"
        read.notes.insert(0, f"{formulas} no stored result and count as missing; {advice}.")
    return read


def _opened(data: bytes) -> tuple[dict[str, _Sheet], _Grid]:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    except PasswordError:
        raise Refused(_LOCKED) from None
    except CalamineError:
        if (sound := _without_lost_sheets(data)) is not None:
            return _opened(sound)
        if _ENCRYPTED in data:
            raise Refused(_LOCKED) from None
        is_zip = data.startswith(b"PK")
        what, how = ("", "") if is_zip else (" or a workbook with a password", " without a password")
        raise Refused(f"is a damaged workbook{what}; save it as .xlsx{how}, or as CSV") from None
    sheets = {}
    for about in book.sheets_metadata:
        if about.typ == SheetTypeEnum.WorkSheet and not _LINKED.match(about.name):
            page = book.get_sheet_by_name(about.name)
            rows = [list(map(cell_text, row)) for row in islice(page.iter_rows(), _LOOKED_AT)]
            is_visible = about.visible == SheetVisibleEnum.Visible
            last_row, last_column = page.end or (-1, -1)
            sheets[about.name] = _Sheet(rows, last_row + 1, last_column + 1, is_visible)

    def grid(name: str) -> tuple[list[list[str]], _Ranges]:
        page = book.get_sheet_by_name(name)
        cells = page.to_python(skip_empty_area=False)
        return [list(map(cell_text, row)) for row in cells], page.merged_cell_ranges or []

    return sheets, grid


def _without_lost_sheets(data: bytes) -> bytes | None:
    """The workbook without the sheets that have no part of their own, as a hidden one of macros; None where all have
    one. calamine refuses such a workbook, which spreadsheet programs open."""
    if not data.startswith(b"PK"):
        return None
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    known = set(_RELATION.findall(parts.get("xl/_rels/workbook.xml.rels", b"")))
    if not known:
        return None
    book = parts.get("xl/workbook.xml", b"")
    sound = _NAMED_SHEET.sub(lambda sheet: sheet[0] if sheet[1] in known else b"", book)
    if sound == book:
        return None
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in (parts | {"xl/workbook.xml": sound}).items():
            archive.writestr(name, content)
    return stream.getvalue()


def _opened_old(data: bytes) -> tuple[dict[str, _Sheet], _Grid]:
    """Workbooks that calamine does not read: of Excel 2 to 4, as instruments still write them, and some later ones."""
    import xlrd

    book = xlrd.open_workbook(file_contents=data, on_demand=True, logfile=io.StringIO())

    def text(cell: Any) -> str:
        if cell.ctype == xlrd.XL_CELL_DATE:
            return cell_text(xlrd.xldate_as_datetime(cell.value, book.datemode))
        return "" if cell.ctype == xlrd.XL_CELL_ERROR else cell_text(cell.value)

    sheets = {}
    for page in book.sheets():
        rows = [list(map(text, row)) for row in islice(page.get_rows(), _LOOKED_AT)]
        sheets[page.name] = _Sheet(rows, page.nrows, page.ncols, page.visibility == 0)
    return sheets, lambda name: ([list(map(text, row)) for row in book.sheet_by_name(name).get_rows()], [])


def _chosen(sheets: dict[str, _Sheet], wanted: str | None) -> Cells:
    """The name of the sheet to read and those of all filled ones."""
    if wanted is not None and wanted not in sheets:
        raise Refused(f"has no sheet {wanted!r}; it has {', '.join(map(repr, list(sheets)[:10]))}")
    looks = {name: look for name, sheet in sheets.items() if (look := _likeness(sheet))}
    if not looks or (wanted is not None and wanted not in looks):
        raise Refused("holds no cells" if wanted is None else f"holds no cells on its sheet {wanted!r}")
    visible = [name for name in looks if sheets[name].is_visible] or list(looks)
    # The first of equals; a table of data seldom has half the likeness of another.
    tables = [name for name in visible if _holds_numbers(sheets[name])]
    visible = [name for name in visible if name in tables or not (tables and _ABOUT_DATA.fullmatch(name.strip()))]
    best = max(looks[name] for name in visible)
    named = [name for name in visible if name.strip().lower() in _DATA and looks[name] >= _NAMED * best]
    likely = [name for name in visible if looks[name] >= _ALIKE * best]
    could_be = [*likely, *(name for name in visible if looks[name] >= _LIKELY * best)]
    first = next((name for name in could_be if sum(map(any, sheets[name].rows)) > _FEWEST_ROWS), likely[0])
    first = next((name for name in could_be if _holds_far_more(sheets[name], sheets[first])), first)
    columns = {name: _columns_of(sheets[name]) for name in visible}
    alike_to = {name: tuple(each for each in visible if _are_alike(columns[each], columns[name])) for name in visible}
    most = max((alike_to[name] for name in likely), key=len)
    is_longest = all(sheets[first].n_rows > _LONGER * sheets[name].n_rows for name in most)  # as one of all rows
    if len(alike_to[first]) < 2 and len(most) >= max(_FEWEST_ALIKE, len(visible) / 2) and not is_longest:
        first = most[0]  # of the sheets that can be joined
    chosen = wanted or (named[0] if len(named) == 1 else first)
    several = len(looks) > 1 and wanted is None
    what = "sheets" if len(looks) == len(sheets) else "sheets with cells"
    notes = [f"The workbook has {len(looks)} {what}; {chosen!r} was read."] if several else []
    alike = alike_to.get(chosen, ()) if chosen not in named else ()  # a sheet of all rows holds those of the others
    return Cells(None, [], [], notes, sheets=tuple(looks), sheet=chosen, alike=alike)


def _holds_numbers(sheet: _Sheet) -> bool:
    """Whether the first rows of a sheet have several numbers in several columns."""
    columns = zip_longest(*sheet.rows, fillvalue="")
    n_numbers = (sum(as_number(cell) is not None for cell in cells) for cells in columns)
    return sum(n > 1 for n in n_numbers) >= _FEWEST_OF_NUMBERS


def _holds_far_more(sheet: _Sheet, other: _Sheet) -> bool:
    """Whether a sheet is far longer than another one of a few rows, or as long and far wider."""
    is_short = sum(map(any, other.rows)) < len(other.rows) or len(other.rows) < _LOOKED_AT
    is_longer = is_short and sheet.n_rows > _FAR_MORE * other.n_rows
    return is_longer or (sheet.n_rows >= other.n_rows and sheet.n_columns > _FAR_MORE * other.n_columns)


def _head(rows: Sequence[Sequence[str]]) -> int:
    """The place of the first row that holds about as many cells as any."""
    n_filled = [sum(map(bool, row)) for row in rows]
    return next(k for k, n in enumerate(n_filled) if n >= _ABOUT * max(n_filled))


_Columns = tuple[int, dict[str, bool | None]]


def _columns_of(sheet: _Sheet) -> _Columns:
    """(blank columns before the first, of each column whether most of its cells are numbers, None where it has none, by
    name). The names stand in the first full row, above it where its cells repeat as units do or are numbers, and below
    it where they are all the same, in small letters without blanks; none where it holds few columns, as a preamble."""
    rows = [row for row in sheet.rows if any(row)]
    head = _head(rows)
    cells = [cell for cell in rows[head] if cell]
    if 2 * len(cells) < sheet.n_columns:
        return 0, {}
    begin, end = head, head + 1 + (len(set(cells)) == 1 < len(cells))
    if any(as_number(cell) is not None for cell in cells):
        place = place_of(list(map(tuple, rows)))
        begin, end = place.top, place.first
    while begin < end and len(set(cells)) < len(cells) and begin and sum(map(bool, rows[begin - 1])) > 1:
        begin -= 1
    names = ["".join("".join(of).lower().split()) for of in zip_longest(*rows[begin:end], fillvalue="")]
    below = [[cell for cell in of if cell] for of in zip_longest(*rows[max(end, head + 1) :], fillvalue="")]
    kinds = [2 * sum(as_number(cell) is not None for cell in of) > len(of) if of else None for of in below]
    n_blank = sum(1 for _ in takewhile(lambda cell: not cell, rows[head]))
    return n_blank, {name: kind for name, kind in zip_longest(names, kinds[: len(names)]) if name}


def _are_alike(one: _Columns, other: _Columns) -> bool:
    """Whether nearly all columns of either have their name in the other, or all of one and half of the other, or all
    names read the same, however these are parted, and most columns hold what they do there. Sheets by sex and by age
    have a column of words each."""
    (n_blank, kinds), (n_other, others) = one, other
    shared = kinds.keys() & others.keys()
    is_part = len(shared) == min(len(kinds), len(others)) >= _FEWEST_OF_A_PART
    if n_blank != n_other or not kinds:
        return False
    if "".join(kinds) == "".join(others):
        pairs = list(zip(kinds.values(), others.values(), strict=False))
    elif len(shared) >= (_PART if is_part else _SHARED) * max(len(kinds), len(others)):
        pairs = [(kinds[name], others[name]) for name in shared]
        if all(any(of[name] is False for name in of.keys() - shared) for of in (kinds, others)):
            return False
    else:
        return False
    known = [pair for pair in pairs if None not in pair]
    return sum(a == b for a, b in known) >= _SAME_KINDS * len(known)


def _likeness(sheet: _Sheet) -> float:
    """How much the first rows of a sheet look like a table: many filled rows of about equal width, numbers below names.

    0 for a sheet without cells; a title page or a list of remarks stays far below a small table. Keys and their values
    above a wide table do not count.
    """
    rows = [(n, row) for row in sheet.rows if (n := sum(map(bool, row)))]
    if not rows:
        return 0.0
    widest = max(n for n, _ in rows)
    rows = rows[next(k for k, (n, _) in enumerate(rows) if n > _WIDE_PART * widest) :]
    counts = [n for n, _ in rows]
    width = max(set(counts), key=lambda n: (counts.count(n), n))
    regular = sum(_ABOUT * width <= n <= width / _ABOUT for n in counts)  # a row may have gaps
    if regular < 2 or width < 2:
        return 0.01 * len(counts)
    numbers = sum(as_number(cell) is not None for _, row in rows for cell in row)
    size = min(width, _WIDE_ENOUGH) / _WIDE_ENOUGH + 0.5 * math.log10(max(sheet.n_rows, len(counts)))
    return regular / len(counts) * (1 + size) * (1 + numbers / sum(counts))


def _fill(read: Cells, grid: list[list[str]], wanted: str | None) -> None:
    """Put in rows that are not blank, without blank columns at the sides, of tables below each other in an only sheet
    the one that is `wanted`, else the largest."""
    plain = ["\t".join(" ".join(cell.replace('"', "'").split()) for cell in row).rstrip("\t") + "\n" for row in grid]
    text = "".join(plain)
    for form, note in PLATES:
        if (known := form(text)) is not None:
            read.columns, wells = known
            rows = [(k, tuple(line.split("\t"))) for k, line in enumerate(wells.split("\n"), start=1) if line]
            read.line_numbers, read.rows = [k for k, _ in rows], [row for _, row in rows]
            read.notes.append(note)
            return
    tables = largest_table(text, read.sheet, "\t", wanted)
    if wanted not in (None, *tables.names):
        raise Refused(f"has no sheet {wanted!r}; it has {read.sheet!r}")
    if tables.names and len(read.sheets) == 1:
        read.sheets, read.sheet = tables.names, tables.name
    read.notes += tables.notes
    read.others += tables.others
    kept = [not line.isspace() for line in lines_of(tables.text)]
    read.n_above = sum(kept[: tables.n_above])
    filled = [(number, row) for number, (row, stays) in enumerate(zip(grid, kept, strict=True), start=1) if stays]
    if not filled:
        raise Refused(f"holds no cells on its sheet {read.sheet!r}")
    filled, said = _without_others_beside(filled)
    read.others += said
    places = [[k for k, cell in enumerate(row) if cell] for _, row in filled]
    left, width = min(each[0] for each in places), max(each[-1] for each in places) + 1
    read.rows = [(*row[left:width], *[""] * (width - max(left, len(row)))) for _, row in filled]
    read.line_numbers = [number for number, _ in filled]


def _without_others_beside(filled: _Numbered) -> tuple[_Numbered, list[str]]:
    """(the rows without blocks of columns beside the largest, behind blank columns, that fill each row from their first
    to their last one, but fewer than it, and more than that of its names, or whose names begin again with the same one
    above other words; sentences about these)."""
    cells = np.zeros((len(filled), max(len(row) for _, row in filled)), dtype=bool)
    for k, (_, row) in enumerate(filled):
        cells[k, [j for j, cell in enumerate(row) if cell]] = True
    used = np.flatnonzero(cells.any(axis=0))
    blocks = np.split(used, np.flatnonzero(np.diff(used) > 1) + 1)
    size = [int(cells[:, block].sum()) for block in blocks]
    largest = blocks[int(np.argmax(size))]
    own = np.flatnonzero(cells[:, largest].any(axis=1))
    others = []
    for block in blocks:
        rows = np.flatnonzero(cells[:, block].any(axis=1))
        is_name = len(rows) <= _NAME_AND_CELL and rows[0] == own[0]  # of a column with hardly any cells
        is_shorter = len(rows) < _FEWER * len(own) and len(rows) > _FULL * np.ptp(rows) and not is_name
        if is_shorter or (block is not largest and _begins_again(filled, largest, block)):
            others.append(block)
    gone = [k for block in others for k in block.tolist()]
    if not gone:
        return filled, []
    first = next(row[gone[0]] for _, row in filled if row[gone[0] : gone[0] + 1] not in ([], [""]))
    what = counted(len(gone), "column", "columns") + f" beside the table, from column {gone[0] + 1} on, "
    said = f"{what}{'was' if len(gone) == 1 else 'were'} left out, as a table of its own (the first cell: {first!r})."
    kept = [(number, ["" if k in gone else cell for k, cell in enumerate(row)]) for number, row in filled]
    return [(number, row) for number, row in kept if any(row)], [said]


def _begins_again(filled: _Numbered, one: np.ndarray, other: np.ndarray) -> bool:
    """Whether a row of names is full in both blocks of columns and begins with the same word, above other words in most
    rows."""
    (a, *_), (b, *_), last = one, other, max(one[-1], other[-1])
    for k, (_, row) in enumerate(filled[:_MOST_ABOVE]):
        is_full = last < len(row) and all(row[j] for j in (*one, *other)) and min(len(one), len(other)) > 1
        if is_full and row[a] == row[b] and as_number(row[a]) is None:
            below = [row for _, row in filled[k + 1 :] if last < len(row) and row[a] and row[b]]
            are_words = (row for row in below if as_number(row[a]) is as_number(row[b]) is None)
            return 2 * sum(row[a] != row[b] for row in are_words) > len(below)
    return False


def _look_over(data: bytes, limits: Limits) -> int:
    """Refuse what would not fit, before any of it is parsed; how many formulas no program has worked out."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        if size > limits.decoded_bytes:
            raise Refused(f"unpacks to {size / 1e6:,.0f} MB; at most {limits.decoded_bytes // 1_000_000} MB are read")
        if any("encrypt" in member.filename.lower() or member.flag_bits & 1 for member in members):
            raise Refused("has a password; save it without one")
        if not any(member.filename.startswith(("xl/worksheets/", "content.xml")) for member in members):
            raise Refused("is a zip file but no workbook; only .xlsx, .ods and .npz zips are read")
        xml = [member for member in members if member.filename.endswith((".xml", ".rels"))]
        return sum(_look_over_xml(archive, member, limits) for member in xml)


def _look_over_xml(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: Limits) -> int:
    n_cells, n_unsolved, tail = 0, 0, b""
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            text = tail + chunk
            if any(mark in text for mark in _ENTITY):
                raise Refused("declares XML entities, which no spreadsheet program writes; save it again as CSV")
            if member.filename.startswith("xl/worksheets/"):
                for match in _CELL.finditer(text):
                    n_cells += 1
                    _check_place(match[1], match[2], n_cells, limits)
                n_unsolved += len(_UNSOLVED.findall(text))
                if n_cells > limits.cells // 2:
                    raise Refused(
                        f"has more than {limits.cells // 2:,} cells on a sheet, which takes too long from a "
                        "workbook; save it as CSV"
                    )
            # A cell's opening may lie across the border of two chunks; it must not be counted twice.
            tail = text[max(text.rfind(b"<"), len(text) - 200) :] if b"<" in text[-200:] else b""
    return n_unsolved


def _check_place(letters: bytes, row: bytes, n_cells: int, limits: Limits) -> None:
    """Refuse a cell so far from the others that the cells between would fill the memory."""
    column, place = _column(letters), (letters + row).decode()
    if column > limits.columns:
        raise Refused(
            f"has a cell at {place}, and at most {limits.columns:,} columns are read; delete the stray cell or save "
            "the table as CSV"
        )
    if column > 2 * n_cells + _STRAY_COLUMNS:
        raise Refused(f"has a cell at {place}, far to the right of the others; delete the stray cell")
    if int(row) > 2 * n_cells + _STRAY_ROWS:
        raise Refused(f"has a cell at {place}, far below the others; delete the stray cell")


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _merged_copies(rows: list[list[str]], ranges: _Ranges) -> set[int]:
    """The columns without a cell of their own that are merged with those at their left in most rows."""
    has_cells = [any(row) for row in rows]
    n_merged = Counter[int]()
    for (top, left), (bottom, right) in ranges[:_MOST_MERGED]:
        n_rows = sum(has_cells[top : bottom + 1])
        n_merged.update(dict.fromkeys(range(left + 1, right + 1), n_rows))
    often = [k for k, n in n_merged.items() if 2 * n > sum(has_cells)]
    return {k for k in often if not any(row[k] for row in rows if k < len(row))}


def fill_merged(rows: list[list[str]], ranges: _Ranges) -> None:
    """Write the value of merged cells into all they span, in place; a title over most of the width stays one cell, and
    a row that has no cell of its own stays blank."""
    filled = [k for row in rows for k, cell in enumerate(row) if cell]
    first, last = min(filled, default=0), max(filled, default=0)
    has_cells = [any(row) for row in rows]
    for (top, left), (bottom, right) in ranges[:_MOST_MERGED]:
        if top >= len(rows) or left >= len(rows[top]) or right - left >= _MOST_OF * (last - first):
            continue
        value = rows[top][left]
        for row in compress(rows[top : bottom + 1], has_cells[top : bottom + 1]):
            for k in range(left, min(right + 1, len(row))):
                row[k] = row[k] or value
