"""Text tables (CSV and its relatives) -> Table: laid out as `layout` finds, faulty lines named.

Comment and title lines are blanked rather than removed, so the lines below keep their numbers.
"""

from __future__ import annotations

import csv
import random
import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from datasets.base.errors import DataError
from datasets.base.words import counted, first_few
from datasets.reading.blocks import Tables, largest_table
from datasets.reading.byte_table import listed_names
from datasets.reading.decoding import decoded
from datasets.reading.faulty_lines import LINES_KEPT, LINES_SHOWN, FaultyLine, FaultyLinesError, NoTableError
from datasets.reading.forms import FORMS, ONE_SHAPE, Form, known_form
from datasets.reading.gaps import gap_filler
from datasets.reading.kinds import (
    lines_of_one_kind,
    rows_below_headings,
    section_with_names,
    tables_between_marks,
    tables_between_rules,
    tables_of_the_same_rows,
)
from datasets.reading.layout import (
    PADDING,
    declared_separator,
    find_table,
    is_rule,
    left_out_notes,
    lines_of,
    most_cells,
    names_between_blanks,
    one_blank,
    rows_cut,
    unused_lines,
    with_moments_joined,
    with_tabs,
    with_words_joined,
    without_comments,
    without_lines,
)
from datasets.reading.markup import latex_cells, without_borders
from datasets.reading.naming import MOST_HEADER_LINES, names_of, with_brackets_closed
from datasets.reading.numerals import FOOTNOTES, decimal_mark, looks_like_a_number
from datasets.reading.place import (
    TablePlace,
    lacks_a_name,
    lacks_the_first_name,
    place_of,
    words_beyond,
)
from datasets.reading.quotes import quote_mark, without_quotes_of_lines
from datasets.reading.samples import lines_about_samples
from datasets.reading.table import (
    FIXED,
    LOG,
    SEPARATORS,
    THOUSANDS,
    Detected,
    Limits,
    ReadOptions,
    Row,
    Table,
    arrow_cells,
    rows_between,
    strings,
    unique_names,
)

if TYPE_CHECKING:
    import pyarrow as pa

_LOOKED_AT = MOST_HEADER_LINES + 50  # rows, for titles and names
_DECIMAL_ROWS = 2_000
_REGULAR = 0.9  # share of the rows
_MOST_UNDER, _MOST_RULES = 3, 4  # rows below a line drawn at the end; lines drawn
_FEW_FILLED = 0.02  # share of the rows
_TWICE = 0.8  # cells too many for each name after the first
_MOST_LONGER = 200  # lines whose words beyond the last name are joined to the last cell
# As exports keep spreadsheets from guessing: ="007", also inside quotes.
_AS_FORMULA = re.compile(r'(?<![^,;\t|\r\n])(?:="([^"\r\n]*)"|"=""([^"\r\n]*)""")(?![^,;\t|\r\n])')
_OVERSTRUCK = re.compile(r"(.)\x08(?=\1)|_\x08")  # bold and underlined letters of a printer
_PACKED_KEYS = re.compile(r"[^\t\r\n]*\\[^\t\r\n]*\t")  # "sex,geo\time", as Eurostat heads its tables
_FLAG = re.compile(r"(?<=[\d:]) [a-z]{1,3}(?= ?[\t\r\n]| ?$)")
_AROUND_AN_ERROR = re.compile(r"(?<=[\d.]) +± +(?=[\d.])")  # blanks that separate no cells
_MOST_LOOKED_AT = 100_000  # cells, of wide tables


def read_text(data: bytes, filename: str, limits: Limits, options: ReadOptions, wanted: str | None = None) -> Table:
    """Read a delimited text file; of tables below each other the one that is `wanted`.

    Raises DataError with file and line, for anything that is not such a table or is too large.
    """
    table: Table | None = None
    forms = (*FORMS, ONE_SHAPE) if options.separator == LOG else FORMS
    try:
        table = _read_text(data, filename, limits, options, wanted, forms)
    except NoTableError as error:
        refusal = error
    if options.separator is None and (table is None or _is_hardly_cut(table)):
        with suppress(DataError):
            shaped = _read_text(data, filename, limits, options, None, (ONE_SHAPE,))
            table = shaped if ONE_SHAPE.note in shaped.notes else table
    if table is None:
        raise refusal
    return table


def _is_hardly_cut(table: Table) -> bool:
    """Whether a single column holds cells in more than a few rows."""
    import pyarrow.compute as pc

    n_filled = [pc.sum(pc.sign(pc.binary_length(column))).as_py() for column in table.cells.columns]
    return sum(n > _FEW_FILLED * table.n_rows for n in n_filled) <= 1


def _read_text(
    data: bytes, filename: str, limits: Limits, options: ReadOptions, wanted: str | None, forms: Sequence[Form]
) -> Table:
    if len(data) > limits.text_bytes:
        raise DataError(
            f"{filename} unpacks to {len(data) / 1e6:.0f} MB of text; at most {limits.text_bytes // 1_000_000} MB are "
            "read. Save a sample of the rows."
        )
    found = decoded(data, filename, options.encoding)
    # A text that went through two programs may have a carriage return too many at each line's end.
    text, notes = found.text.replace("\r\r\n", "\r\n"), list(found.notes)
    text = _OVERSTRUCK.sub("", text) if "\b" in text else text
    if not text or text.isspace():
        raise DataError(f"{filename} holds only blank lines.")
    if (plain := without_quotes_of_lines(text)) is not None:
        text = plain
        notes.append("Each line was in quotes as a whole; these were left out.")
    if (rows := latex_cells(text)) is not None:
        text = rows
        options = replace(options, separator=options.separator or "\t")
        notes.append("The rows are those of a LaTeX table; errors behind ± were left out.")
    text, n_prose = without_borders(text)
    if n_prose:
        notes.append(f"{counted(n_prose, 'line of text was', 'lines of text were')} left out.")
    text, n_flags = _FLAG.subn("", text) if _PACKED_KEYS.match(text) else (text, 0)
    if n_flags:
        were = counted(n_flags, "flag behind a number or a gap was", "flags behind numbers or gaps were")
        notes.append(f"{were} left out, as in '9.4 b' and ': u'.")
    if "±" in text:
        text = text.replace("±", " ") if _names_errors(text) else _AROUND_AN_ERROR.sub("±", text)
    text, n_formulas = _AS_FORMULA.subn(r'"\1\2"', text) if '="' in text else (text, 0)
    if n_formulas:
        notes.append(f'{counted(n_formulas, "cell is", "cells are")} written as ="…" and read as what it says.')
    form, known = known_form(text, options.separator, forms)
    if options.separator == LOG and known is None:
        raise DataError(f"{filename} is no log of a known form. Choose another separator.")
    text, said_first = (text, None) if known else declared_separator(text)
    n_lines = max(text.count("\n"), text.count("\r"))
    if n_lines > limits.lines:
        raise DataError(
            f"{filename} has {n_lines:,} lines; at most {limits.lines:,} are read. Save a sample of the rows."
        )
    line_end = _line_end(text)
    whole, n_comments, tables = text, 0, Tables("")
    if form and known:
        text, separator, detected = known[1], "\t", form.separator
        whole, decimal = (text, None) if form.is_rewritten else (whole, None if form is ONE_SHAPE else ".")
        options = replace(options, header_lines=0, decimal=options.decimal or decimal)
    else:
        of_a_kind = tables_between_marks(text, wanted) or tables_between_rules(text)
        of_a_kind = of_a_kind or tables_of_the_same_rows(text) or rows_below_headings(text)
        of_a_kind = of_a_kind or section_with_names(text, wanted) or lines_of_one_kind(text, wanted)
        tables = of_a_kind or largest_table(text, filename, wanted=wanted)
        whole = tables.text
        notes += tables.notes
        is_said = options.header_lines is not None or said_first is not None
        text = whole if is_said else without_lines(whole, tables.n_above)
        found_mark, n_above = find_table(text, filename, is_said)
        separator = detected = options.separator or said_first or found_mark
        text = without_lines(text, n_above)
        could_be_words = separator == " " or (not options.separator and found_mark in (",", FIXED))
        words = with_words_joined(text) if could_be_words else None
        cut = with_tabs(text) if separator == FIXED else ""
        if words is not None and most_cells(words, " ") > most_cells(cut, "\t"):
            text, separator, detected = without_lines(words, find_table(words, filename, is_said)[1]), " ", " "
            notes.append("Words beside the numbers of a line were joined to one cell.")
        elif separator == FIXED:
            text, separator = cut, "\t"
        text, n_comments = without_comments(text, separator, options.comment)
        text = _with_names_cut(text, separator)
    if not text or text.isspace():
        raise DataError(f"{filename} holds only comments and blank lines.")
    if separator == " ":
        text = one_blank(with_moments_joined(text))
    _count_columns(text, separator, filename, limits)
    split = _split(_without_blank_end(text, separator), separator, filename, limits, options)
    if form:
        notes.append(form.note)
    elif detected == FIXED:
        notes.append("Columns are cut at fixed widths.")
    elif detected != ",":
        colons = "::" in found.text and "::" not in whole
        notes.append(f"Columns are separated by {'two colons' if colons else SEPARATORS[detected]}.")
    unused = unused_lines(whole, split.used, len(split.numbers))
    notes += [*left_out_notes(unused, split.numbers[0], bool(form or split.place.n_names)), *split.notes]
    above = [line for number, line in unused if number < split.numbers[0]]
    *_, title = "", *(line.strip(PADDING) for line in above)
    title = "" if title.startswith("#") else title
    n_header = min(split.place.n_names, split.cells.num_rows)
    header = rows_between(split.cells, 0, n_header)
    columns, said = names_of(
        header, split.cells.num_columns, "line", doubtful=split.place.doubtful, is_drawn=detected == FIXED
    )
    if not n_header and (names := listed_names(above, split.cells.num_columns)) is not None:
        columns, said = names, ["The names of the columns are those listed above the rows."]
    lines = rows_cut(above, separator, None) if separator != " " else []
    about, told, columns = lines_about_samples(lines, columns)
    if separator == "," and options.separator is None and not about:
        _refuse_split_decimals(split, n_header, filename)
    if known:
        columns, said = known[0], []
    cells = split.cells.slice(n_header).rename_columns(list(columns))
    notes += [*said, *told]
    if separator != "," and (apart := _keys_apart(cells)) is not None:
        notes.append(f"{columns[0]!r} packs several keys; each is a column.")
        cells = apart
    if not cells.num_rows:
        raise DataError(f"{filename} has a header line and no rows below it.")
    decimal, doubtful = _decimal(cells, separator, options)
    if decimal == ",":
        notes.append("Numbers are read with a decimal comma.")
    if options.thousands == decimal:
        raise DataError(f"The {THOUSANDS[decimal]} cannot be both the decimal and the thousands mark.")
    if doubtful:
        other = "point" if decimal == "," else "comma"
        read = f"with a decimal {THOUSANDS[decimal]}, but could as well be thousands"
        if decimal not in doubtful:
            read = "as thousands, but could as well be decimals"
        notes.append(f"Cells such as {doubtful!r} were read {read}; then say that the decimal mark is the {other}.")
    return Table(
        name=filename,
        cells=cells,
        line_numbers=np.array(split.numbers[n_header:], dtype=np.int64),
        decimal=decimal,
        notes=tuple(notes),
        others=tables.others,
        sheets=tables.names,
        sheet=tables.name,
        thousands=options.thousands,
        short_lines=tuple(line for line in split.short if line >= split.numbers[n_header]),
        other_header=int(not n_header) if split.place.doubtful else None,
        header=(*about, *(header if n_header > bool(not about) else ())),
        title="" if separator in title and separator != " " else title,
        detected=Detected(found.encoding, detected, n_header, n_comments, line_end, doubtful, found.alternatives),
    )


_SHOWN, _SHOWN_BYTES, _SHOWN_LETTERS = 5, 20_000, 200


def raw_lines(data: bytes, filename: str, options: ReadOptions) -> tuple[list[str], str]:
    """The first lines of a file that is no table, as text, and how it was tried to be read; none of a binary file."""
    start = data[:_SHOWN_BYTES]
    start = start[: start.rfind(b"\n") + 1] or start
    try:
        found = decoded(start, filename, options.encoding)
    except DataError:
        return [], ""
    text = found.text
    separator = options.separator or declared_separator(text)[1] or find_table(text, filename)[0]
    lines = [line.rstrip("\r\n")[:_SHOWN_LETTERS] for line in islice(lines_of(text), _SHOWN)]
    return lines, f"{found.encoding.upper()}, separated by {SEPARATORS[separator]}"


def _names_errors(text: str) -> bool:
    """Whether the line above the first with a ± between blanks has a word for each number, those behind ± too."""
    above = ""
    for line in lines_of(text):
        if " ± " in line:
            return len(above.split()) == len(line.replace("±", " ").split())
        above = line
    return False


def _refuse_split_decimals(split: _Split, n_header: int, filename: str) -> None:
    """Refuse rows of whole numbers that have nearly twice as many cells as there are names: "58,74" was two of them."""
    names, n_columns = rows_between(split.cells, 0, n_header), split.cells.num_columns
    n_names = max((k for line in names for k, name in enumerate(line, start=1) if name), default=0)
    rows = rows_between(split.cells, n_header, n_header + _LOOKED_AT)
    cells = [cell for row in rows for cell in row[1:] if cell]
    n_whole = sum(cell.lstrip("-").isdecimal() for cell in cells)
    if n_names > 2 and n_columns - n_names >= _TWICE * (n_names - 1) and n_whole > _REGULAR * len(cells):
        raise DataError(
            f"{filename}, line {split.numbers[n_header]} has {n_columns:,} cells, and there are {n_names:,} names: "
            "numbers are written with a decimal comma, which separates columns too. Save it with semicolons or decimal "
            "points."
        )


def _with_names_cut(text: str, separator: str) -> str:
    """The text where the first line has blanks in place of the separator, and as many words as the next one has cells,
    with the separator there, too."""
    first, second = [*islice((line for line in lines_of(text) if line.strip()), 2), "", ""][:2]
    n_names = names_between_blanks(first, separator) if separator != " " else 0
    if n_names < 2 or n_names != second.count(separator) + 1:
        return text
    return text.replace(first.rstrip("\r\n"), separator.join(first.split()), 1)


def _keys_apart(cells: pa.Table) -> pa.Table | None:
    """The table with a column for each key of the first one, which packs several in name and cells, as Eurostat's
    "unit,geo\\time" does; None where it does not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    keys = cells.column_names[0].partition("\\")[0].split(",")
    if min(len(keys), cells.num_columns) < 2:
        return None
    packed = cells.column(0).combine_chunks()
    are_numbers = any(map(looks_like_a_number, strings(packed.slice(0, _SHOWN))))  # with a decimal comma
    if are_numbers or not pc.all(pc.equal(pc.count_substring(packed, ","), len(keys) - 1)).as_py():
        return None
    parts = pc.split_pattern(packed, ",")
    apart = [pc.utf8_trim_whitespace(pc.list_element(parts, k)) for k in range(len(keys))]
    names = unique_names((*(key.strip() for key in keys), *cells.column_names[1:]))
    return pa.table([*apart, *cells.columns[1:]], names=list(names))


def _line_end(text: str) -> str:
    """By the first line; a file of one line counts as LF."""
    first = next(lines_of(text), "")
    return "CRLF" if first.endswith("\r\n") else "CR" if first.endswith("\r") else "LF"


def _without_blank_end(text: str, separator: str) -> str:
    """Spreadsheets write a line of separators for each row that was ever formatted, up to a million of them."""
    end = len(text.rstrip(separator + " \t\r\n"))
    breaks = [place for mark in "\r\n" if (place := text.find(mark, end)) >= 0]
    return text[: min(breaks, default=len(text))]


def _count_columns(text: str, separator: str, filename: str, limits: Limits) -> None:
    """Refuse too many columns by counting separators, before anything is split."""
    start = len(text) - len(text.lstrip("\r\n"))
    ends = [place for mark in "\r\n" if (place := text.find(mark, start)) >= 0]
    n_columns = text.count(separator, start, min(ends, default=len(text))) + 1
    if n_columns > limits.columns:
        line = text[:start].replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        raise DataError(f"{filename}, line {line} has {n_columns:,} columns; at most {limits.columns:,} are read.")


@dataclass
class _Split:
    """Cells of the lines that are data or names."""

    cells: pa.Table  # columns "0", "1", ...
    place: TablePlace  # of the names among the rows
    numbers: array[int]  # the line on which each row begins
    used: Collection[int]  # all lines of rows, and those that a sentence names already
    short: list[int]  # the lines that had too few cells
    notes: list[str]


def _split(text: str, separator: str, filename: str, limits: Limits, options: ReadOptions) -> _Split:
    """Cut the lines into cells, without the titles above them and the lines that do not fit."""
    n_lines = max(1, text.count("\n"), text.count("\r"))
    width = max((line.count(separator) + 1 for line in islice(lines_of(text), 20)), default=1)
    n_records = n_lines if n_lines * width <= limits.cells else _records_in(text)
    share = limits.cells / (n_records * width)
    spans, rules, quotes, padded = array("q"), array("q"), array("q"), array("q")
    records = _records(text, separator, filename, share, spans, rules, quotes, padded)
    top = list(islice(records, _LOOKED_AT))
    if not top:
        raise DataError(f"{filename} holds only blank cells.")
    notes = []
    n_filled = max(len(row) - next(k for k, cell in enumerate(reversed(row)) if cell) for _, row in top)
    place = place_of([row[:n_filled] for _, row in top], options.header_lines)  # separators at the ends name nothing
    top = top[place.top :]
    if place.n_names and separator == "," and len(top[0][1]) != place.width:
        top[0] = (top[0][0], with_brackets_closed(top[0][1]))
    if options.header_lines != 0 and lacks_a_name([row for _, row in top]):
        top[0] = (top[0][0], ("", *top[0][1]))
        notes.append(
            "There is one name fewer than cells in each row, so the first cells were taken as names of the rows."
        )
    elif options.header_lines != 0 and lacks_the_first_name([row for _, row in top]):
        top[0] = (top[0][0], ("", *top[0][1][:-1]))
        notes.append("The last column had no name and the first one counts the rows, so names were moved by one.")
    n_columns = max(len(row) for _, row in top[: max(1, place.n_names)])
    if not place.n_names and sum(len(row) == place.width for _, row in top) >= _REGULAR * len(top):
        n_columns = place.width
    below = [row for _, row in top[place.n_names :]]
    n_named = n_columns
    n_more = place.width - n_columns if all(len(row) == place.width for row in below) else 0
    if place.n_names and (n_more > 1 or (n_more == 1 and n_columns > 1)):
        n_columns = place.width
    numbers, short, trailing = array("q"), list[int](), False
    faulty, n_faulty, longer = list[FaultyLine](), 0, list[int]()
    with_gap = gap_filler(below if separator == " " else [], n_columns)
    has_words_beyond = words_beyond(below if len(below) > _MOST_UNDER else [], n_columns, separator == " ")

    def fitting() -> Iterator[Row]:
        nonlocal trailing, n_faulty
        for line, row in chain(top, records):
            if len(row) > n_columns and not any(row[n_columns:]):
                row, trailing = row[:n_columns], True
            is_longer = len(row) > n_columns and len(longer) < _MOST_LONGER
            is_marked = is_longer and all(cell and cell in FOOTNOTES for cell in row[n_columns:])
            if is_marked or (is_longer and has_words_beyond(row)):
                between = "" if is_marked else f"{separator.rstrip()} "
                row = (*row[: n_columns - 1], between.join(row[n_columns - 1 :]))
                longer.append(line)
            if len(row) > n_columns:
                n_faulty += 1
                spans.append(line)
                if len(faulty) < LINES_KEPT:
                    faulty.append(FaultyLine(line, len(row), " | ".join(row)[:200]))
                continue
            if len(row) < n_columns:
                row = with_gap(row) if separator == " " else (*row, *[""] * (n_columns - len(row)))
                short.append(line)
            numbers.append(line)
            yield row

    cells = arrow_cells(fitting(), n_columns)
    if longer:
        lines = counted(len(longer), "line has", "lines have") + " more cells than there are names"
        where = f"line{'s' * (len(longer) > 1)} {first_few(list(map(str, longer)))}"
        notes.append(f"{lines}; those beyond were joined to the last one ({where}).")
    if n_faulty and n_columns == 1 and options.separator is None:
        *marks, last = (words for mark, words in SEPARATORS.items() if mark != LOG)
        tried = f"{', '.join(marks)} or {last}"
        raise NoTableError(
            f"{filename} is no table: neither {tried} cuts most lines alike. Choose a separator if it has one."
        )
    if n_faulty:
        error = FaultyLinesError(filename, faulty, n_faulty, n_columns, cells.num_rows)
        if separator == " " and options.separator is None and not error.can_skip:
            raise NoTableError(str(error))
        if not (options.faulty_lines == "skip" and error.can_skip):
            raise error
        shown = ", ".join(str(line.number) for line in faulty[: LINES_SHOWN + 1])
        more = " and more" if n_faulty > LINES_SHOWN + 1 else ""
        lines = counted(n_faulty, "line with too many cells was", "lines with too many cells were")
        notes.append(f"{lines} skipped ({'line' if n_faulty == 1 else 'lines'} {shown}{more}).")
    under = sum(line > rules[-1] for line in numbers) if 0 < len(rules) <= _MOST_RULES else 0
    if 0 < under <= _MOST_UNDER and cells.num_rows - place.n_names > 2 * _MOST_UNDER * under:
        n = cells.num_rows - under
        said = counted(under, "row below the last drawn line was", "rows below the last drawn line were")
        shown = " ".join(rows_between(cells, n, n + 1)[0])[:40]
        notes.append(f"{said} left out (line {numbers[n]}: {shown!r}).")
        cells, numbers = cells.slice(0, n), numbers[:n]
        spans.extend(range(rules[-1], n_lines + 2))
    while cells.num_rows > 1 and cells.num_columns > 1 and not _has_text(cells.column(cells.num_columns - 1)):
        cells, trailing = cells.remove_column(cells.num_columns - 1), True
    if cells.num_columns > 1 and not _has_text(cells.column(0)):
        cells, n_named = cells.remove_column(0), n_named - 1
        notes.append("The first column, which is empty, was left out.")
    if (n_unnamed := cells.num_columns - n_named) > 0:
        notes.append(
            "The last column has no name." if n_unnamed == 1 else f"The last {n_unnamed} columns have no names."
        )
    if share < 1:
        notes.append(
            f"The file has about {n_records:,} lines, more than are read at once: {cells.num_rows - 1:,} rows were "
            "drawn at random from all of it."
        )
    if quotes:
        where = f"line{'s' * (len(quotes) > 1)} {first_few(list(map(str, quotes)))}"
        notes.append(f"Quotes inside a quoted cell that are not doubled were taken as parts of it ({where}).")
    if 0 < len(padded) < _REGULAR * len(numbers):  # else the file pads its columns
        notes.append(f"Blanks at the ends of cells were left out in {counted(len(padded), 'line', 'lines')}.")
    if trailing:
        notes.append("Separators at the ends of lines were left out.")
    used = range(numbers[0], n_lines + 2) if share < 1 else {*numbers, *spans}
    return _Split(cells, place, numbers, used, short, notes)


def _records_in(text: str) -> int:
    """Lines that end outside quotes."""
    return max(1, sum(part.count("\n") or part.count("\r") for part in text.split('"')[::2]))


def _records(
    text: str,
    separator: str,
    filename: str,
    share: float,
    spans: array[int],
    rules: array[int],
    quotes: array[int],
    padded: array[int],
) -> Iterator[tuple[int, Row]]:
    """(the line it begins on, its cells) of each record that is not blank, or of this share of them at random.

    Lines on which a record goes on are added to `spans`, lines drawn between records to `rules`, those with quotes
    inside a quoted cell that are not doubled to `quotes`, those with blanks at the ends of cells to `padded`.
    """
    mark, now = quote_mark(text, separator), ""

    def lines() -> Iterator[str]:
        nonlocal now
        for line in lines_of(text):
            now = line
            yield line

    reader = csv.reader(
        lines(),
        delimiter=separator,
        quotechar=mark,
        quoting=csv.QUOTE_MINIMAL if mark else csv.QUOTE_NONE,
        skipinitialspace=separator == " ",
        strict=mark == '"',
    )
    draw, n, begins = random.Random(0), 0, 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            is_whole = "expected after" in str(error) and reader.line_num == begins
            if not is_whole or (found := _with_plain_quotes(now.rstrip("\r\n"), separator)) is None:
                raise DataError(f"{filename}, line {begins}: {_said_of(error)}. Mend the line and try again.") from None
            cells = found
            quotes.append(begins)
        line, begins = begins, reader.line_num + 1
        # The lines that may hold names are never drawn from.
        if share < 1 and n > MOST_HEADER_LINES and draw.random() > share:
            continue
        row = tuple(map(str.strip, cells))
        if any(row) and is_rule(" ".join(row)):
            rules.append(line)
        elif any(row):
            n += 1
            if list(row) != cells:
                padded.append(line)
            if begins > line + 1:
                spans.extend(range(line + 1, begins))
            yield line, row


def _said_of(error: csv.Error) -> str:
    hint = str(error)
    if "end of data" in hint:
        return "a quote that is opened there is never closed"
    if "expected after" in hint:
        return "a quote stands inside a quoted cell, where it must be doubled"
    if "field limit" in hint:
        return f"a cell is longer than {csv.field_size_limit():,} letters"
    return hint


def _with_plain_quotes(line: str, separator: str) -> list[str] | None:
    """The cells of a line where a quote ends a quoted cell only before a separator or the end; None where none does."""
    mark = re.escape(separator)
    cell = re.compile(rf'(?:"((?:[^"]|"(?!{mark}|$))*)"|([^{mark}"]*))({mark}|$)')
    cells, at = list[str](), 0
    while match := cell.match(line, at):
        cells.append((match[1] or match[2] or "").replace('""', '"'))
        at = match.end()
        if not match[3]:
            return cells
    return None


def _has_text(column: pa.ChunkedArray) -> bool:
    import pyarrow.compute as pc

    return pc.max(pc.binary_length(column)).as_py() > 0


def _decimal(cells: pa.Table, separator: str, options: ReadOptions) -> tuple[str, str]:
    """(the decimal mark, a cell that leaves it open or ""), by rows from all of the table."""
    import pyarrow as pa

    if options.decimal:
        return options.decimal, ""
    if options.thousands in (".", ","):
        return "," if options.thousands == "." else ".", ""
    n_rows = max(10, min(_DECIMAL_ROWS, _MOST_LOOKED_AT // cells.num_columns, cells.num_rows))
    rows = np.unique(np.linspace(0, cells.num_rows - 1, n_rows).astype(np.int64))
    places = pa.Array.from_buffers(pa.int64(), len(rows), [None, pa.py_buffer(rows)])
    mark, doubtful = decimal_mark((column.take(places).to_pylist() for column in cells.columns), separator)
    return mark, doubtful if options.thousands is None else ""
