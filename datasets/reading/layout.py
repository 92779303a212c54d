"""How the lines of a text file make a table: separator, comments, titles above the names, lines that hold names.

All is judged by evidence from lines all over the file: with the right separator most lines have equally many cells,
no cell holds another separator, and more cells are numbers; a line of names differs in kind from the cells below it.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, islice, pairwise
from operator import itemgetter

from datasets.base.words import counted, first_few, numbered
from datasets.reading.table import FIXED, SEPARATORS, Row, is_missing, looks_like_a_number, unique_names

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_FIRST_LINES, _OTHER_LINES = 200, 100
_LETTERS_OF_A_LINE = 20_000
_CELLS_OF_A_LINE = 100
_SAMPLE_ROWS = 50


def lines_of(text: str) -> Iterator[str]:
    """The lines with their ends, one at a time: a StringIO would hold four bytes a character."""
    return map(itemgetter(0), _LINE.finditer(text))


def sampled_lines(text: str) -> list[str]:
    """The first lines that are not blank, and others at equal distances down to the end."""
    first = [line.rstrip("\r\n") for line in islice(lines_of(text), _FIRST_LINES)]
    n_letters = sum(map(len, first))
    for k in range(_OTHER_LINES):
        match = _LINE.search(text, n_letters + (len(text) - n_letters) * k // _OTHER_LINES)
        following = _LINE.match(text, match.end()) if match else None
        if following:
            first.append(following[0].rstrip("\r\n"))
    return [line[:_LETTERS_OF_A_LINE] for line in first if line.strip(" \t;,|")]


_STRONG = ";\t|"  # hardly ever inside a cell
_BLANK = (" ", FIXED)
_BY_ENDING = {".tsv": "\t", ".tab": "\t"}
_BELIEVED = 1.3
_REGULAR = 0.9  # share of the lines that blanks must cut alike
_PLAIN_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?")


def find_separator(text: str, filename: str) -> str:
    """The separator, a key of SEPARATORS, for which the lines of the file speak most."""
    lines = [line for line in sampled_lines(text) if line.count('"') % 2 == 0]
    lines = [line for line in lines if not line.startswith(_COMMENT_MARKS)] or lines
    if not lines:
        return ","
    believed = _BY_ENDING.get(filename.lower().removesuffix(".gz")[-4:])
    found = {mark: _merit(lines, mark) for mark in SEPARATORS}
    # Blanks stand inside cells too: they separate only where they cut the lines more alike than all else.
    alike = max(fit for mark, (_, fit) in found.items() if mark not in _BLANK)
    merits = {mark: merit for mark, (merit, fit) in found.items() if mark not in _BLANK or fit > alike}
    if believed in merits:
        merits[believed] *= _BELIEVED
    best = max(merits, key=lambda mark: merits[mark])
    return best if merits[best] > 0 else ","


def _merit(lines: Sequence[str], separator: str) -> tuple[float, float]:
    """How much speaks for a separator, and the share of lines of the usual width; (0, 0) where nothing is separated.

    The share x log2(cells of a line) x (share of cells without another separator)² x (1 + share of numbers); blank
    cells count in the share only.
    """
    if separator == FIXED:
        gaps = fixed_gaps(lines)
        rows = [_cut(line, gaps) for line in lines] if gaps else []
        if rows and _merit(lines, " ")[0] > 0:
            return 0.0, 0.0
    else:
        rows = [_cells(line, separator) for line in lines]
    widths = [len(row) for row in rows]
    if separator == " " and len(widths) > 2 and widths[0] + 1 == widths[1]:
        widths[0] = widths[1]  # the first line may lack the name of the row names
    wide = Counter(width for width in widths if width > 1)
    if not wide:
        return 0.0, 0.0
    usual, count = max(wide.items(), key=lambda item: (item[1], item[0]))
    if separator in _BLANK and (count < _REGULAR * len(rows) or widths[0] > usual):
        return 0.0, 0.0
    # A line may be short of a few cells, unless these are cut by blanks; one with more is against the separator.
    short = 0 if separator in _BLANK else sum(n for width, n in wide.items() if width < usual)
    fit = (count + 0.5 * short) / len(rows)
    cells = [cell for row in rows if len(row) > 1 for cell in row[:_CELLS_OF_A_LINE] if cell]
    strong = _STRONG.replace(separator, "") + ("," if separator in _BLANK else "")
    numbers = sum(_PLAIN_NUMBER.fullmatch(cell) is not None for cell in cells)
    mixed = sum(any(mark in cell for mark in strong) and not _PLAIN_NUMBER.fullmatch(cell) for cell in cells)
    clean = 1 - mixed / max(1, len(cells))
    n_filled = max(1.0, len(cells) / sum(width > 1 for width in widths))
    return fit * math.log2(n_filled) * clean**2 * (1 + numbers / max(1, len(cells))), fit


def _cells(line: str, separator: str) -> list[str]:
    if '"' not in line:
        return line.split() if separator == " " else [cell.strip() for cell in line.split(separator)]
    try:
        line = one_blank(line) if separator == " " else line
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return [line]


def quote_mark(text: str, separator: str) -> str:
    """The double quote, or the single one where each cell that begins with it ends with it."""
    if '"' in text or "'" not in text:
        return '"'
    cells = [cell.strip() for line in sampled_lines(text) for cell in line.split(separator)]
    quoted = [len(cell) > 1 and cell.endswith("'") for cell in cells if cell.startswith("'")]
    return "'" if quoted and all(quoted) else '"'


_FEWEST_PROSE, _MOST_PROSE, _FEWEST_BELOW = 3, 500, 5  # lines
_LAST_LINES = 20
_FOREIGN_LINE = -2


def without_prose(text: str, filename: str) -> str:
    """The text with the prose above a table of numbers blanked.

    Lines that fit no table hide its separator, or are cut into more cells than it has columns. The table begins where
    most lines down to the end have the number of cells that is usual there, against those that have not. Of the lines
    above it fewer than half may fit, and their cells hold half as many numbers at most. Where no names follow there
    are three of them or more: one alone could hold the names.
    """
    ends = list(islice(lines_of(text), _MOST_PROSE + _FIRST_LINES))
    places = [k for k, line in enumerate(ends) if line.strip() and not line.startswith(_COMMENT_MARKS)]
    lines = [ends[k].rstrip("\r\n")[:_LETTERS_OF_A_LINE] for k in places]
    if not lines:
        return text
    best, begin = 0.0, 0
    for mark in SEPARATORS:
        rows = _rows(lines, mark)
        widths = [len(row) for row in rows[-_LAST_LINES:] if len(row) > 1] or [1]
        usual = Counter(widths).most_common(1)[0][0]
        # Short of a few cells, a line speaks neither for nor against.
        short = usual if mark in _BLANK else usual // 2 + 1
        weights = [1 if len(row) == usual else 0 if short <= len(row) < usual else _FOREIGN_LINE for row in rows]
        sums = list(accumulate(reversed(weights)))[::-1]
        k = sums.index(max(sums))
        if k and usual > 2 and len(rows[k - 1]) == usual - 1:
            k -= 1  # names, without one for the names of the rows
        if k == 0 and usual > 1 and weights[-1] > 0:
            return text
        merit = _merit(lines[k:], mark)[0] if usual > 1 and len(rows) - k > _FEWEST_BELOW else 0.0
        below = _share_of_numbers(rows[k + 1 :])
        if merit > best and below > 0.5:
            is_prose = weights[:k].count(1) < k / 2 and _share_of_numbers(rows[:k]) < below / 2
            is_prose = is_prose or not any(len(row) in (usual, usual + 1) for row in rows[:k])
            enough = k >= _FEWEST_PROSE or not _share_of_numbers(rows[k : k + 1])
            best, begin = merit, k if is_prose and enough and places[k] < _MOST_PROSE else 0
    if not begin:
        return text
    above = ends[: places[begin]]
    blank = "".join(line[len(line.rstrip("\r\n")) :] for line in above)
    return blank + text[sum(map(len, above)) :]


def _rows(lines: Sequence[str], mark: str) -> list[list[str]]:
    """The cells of each line."""
    if mark != FIXED:
        return [_cells(line, mark)[:_CELLS_OF_A_LINE] for line in lines]
    gaps = fixed_gaps(lines[len(lines) // 2 :])
    return [_cut(line, gaps) for line in lines]


def _share_of_numbers(rows: Sequence[Sequence[str]]) -> float:
    cells = [looks_like_a_number(cell) for row in rows for cell in row]
    return sum(cells) / max(1, len(cells))


_BLANKS = re.compile(r'("[^"\r\n]*")|[ \t]+')


def one_blank(text: str) -> str:
    """Each run of blanks and tabs outside quotes as one blank, none at the ends of lines."""
    return "\n".join(_BLANKS.sub(lambda match: match[1] or " ", line.strip()) for line in lines_of(text))


_FEWEST_FIXED = 3


def fixed_gaps(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The gaps between the columns of a table of fixed width: positions that are blank in all lines; [] if none.

    Titles may stand across gaps: where the lines in the middle have more columns, these are taken.
    """
    quarter = len(lines) // 4
    return max(_blank_in_all(lines), _blank_in_all(lines[quarter : len(lines) - quarter]), key=len)


def _blank_in_all(lines: Sequence[str]) -> list[tuple[int, int]]:
    usual = Counter(map(len, lines)).most_common(1)[0][0]
    alike = [line for line in lines if len(line) >= 0.5 * usual]
    if len(alike) < _FEWEST_FIXED or len(alike) < _REGULAR * len(lines) or any("\t" in line for line in alike):
        return []
    used = [k for k in range(max(map(len, alike))) if any(line[k : k + 1] not in ("", " ") for line in alike)]
    for least in (2, 1):  # a single blank may stand inside the cells of a column
        gaps = [(end + 1, start) for end, start in pairwise(used) if start - end > least]
        if len(gaps) + 1 >= _FEWEST_FIXED:
            return gaps
    return []


def _cut(line: str, gaps: Sequence[tuple[int, int]]) -> list[str]:
    """The cells of a line; one cell of a line that has a word across a gap, as a title.

    Names may reach into a gap from either side: a line is cut where most of its blanks there are.
    """
    cells, begin = [], 0
    for first, start in gaps:
        blanks = re.findall(" +", line[first:start])
        if not blanks and line[first:start]:
            return [line.strip()]
        end = line.find(max(blanks, key=len), first) if blanks else first
        cells.append(line[begin:end].strip())
        begin = end
    return [*cells, line[begin:].strip()]


def with_tabs(text: str) -> str:
    """A table of fixed width with a tab between its columns."""
    gaps = fixed_gaps(sampled_lines(text))
    lines = (line.rstrip("\r\n") for line in lines_of(text))
    return "\n".join("\t".join(_cut(line, gaps)) if line.strip() else "" for line in lines)


_COMMENT_MARKS = ("#", "%", "//", "!", ";")


def without_comments(text: str, separator: str, mark: str | None = None) -> tuple[str, int]:
    """(the text with its comment lines blanked, how many).

    Without a given mark, lines that begin with one count as comments where they hold another number of cells than is
    usual, blank ones at their ends left aside; above the table all of them do. The last one there with the usual number
    of names, or one that says so, holds the names: it loses its mark only. Never inside quotes.
    """
    marks = tuple(m for m in _COMMENT_MARKS if m != separator) if mark is None else (mark,)
    if mark == "" or not any(text.startswith(m) or f"\n{m}" in text or f"\r{m}" in text for m in marks):
        return text, 0
    lines = text.splitlines(keepends=True)
    body = [
        _filled(line, separator) for line in islice((x for x in lines if x.strip() and not x.startswith(marks)), 50)
    ]
    if not body:
        return text, 0
    usual = Counter(body).most_common(1)[0][0]
    above = next(k for k, line in enumerate(lines) if line.strip() and not line.startswith(marks))
    names = _names_behind_mark(lines[:above], lines[above], separator, usual, marks) if mark is None else None
    if names is None and mark is None and above == 1 and _filled(lines[0], separator) == usual:
        above = 0  # "#,size,kind" is a line of names
    n_comments, quoted = 0, False
    for k, line in enumerate(lines):
        begins = not quoted and line.startswith(marks)
        if begins and k == names:
            lines[k] = line.lstrip("".join(marks))
            if _filled(lines[k], separator) > usual:
                lines[k] = separator.join(_names_in(line, separator, marks)) + lines[k][len(lines[k].rstrip("\r\n")) :]
        elif begins and (mark is not None or k < above or _filled(line, separator) != usual):
            lines[k] = line[len(line.rstrip("\r\n")) :]
            n_comments += 1
        elif line.count('"') % 2:
            quoted = not quoted
    return "".join(lines), n_comments


def _filled(line: str, separator: str) -> int:
    """Cells up to the last one that is not blank."""
    if separator == " ":
        return len(line.split())
    return line.rstrip(f"\r\n {separator}").count(separator) + 1


def _names_behind_mark(
    above: Sequence[str], first: str, separator: str, usual: int, marks: tuple[str, ...]
) -> int | None:
    """The place of a line such as "#id,a,b" above the data, None where there is none.

    Any two words are as many as the cells of two columns between blanks: there it is the last line that has words.
    """
    data = _cells(first.strip(), separator)
    if usual < 2 or not any(map(looks_like_a_number, data)):
        return None
    said = [k for k, line in enumerate(above) if _SAYS_NAMES.match(line.lstrip("".join(marks)))]
    for k in (*said, *reversed(range(len(above)))):
        names = _names_in(above[k], separator, marks)
        if len(names) == usual and not any(_is_value(name) for name in names):
            return k
        if separator == " " and any(map(str.isalnum, above[k])):
            return None
    return None


_SAYS_NAMES = re.compile(r" ?(?:fields|columns|names)\b:?", re.IGNORECASE)


def _names_in(line: str, separator: str, marks: tuple[str, ...]) -> list[str]:
    """The cells of "#id,a,b", and of "#Fields: id a b" as web servers write it."""
    first, *others = [cell for cell in _cells(line.strip().lstrip("".join(marks)), separator) if cell] or [""]
    return others if _SAYS_NAMES.fullmatch(first) else [first, *others]


def _is_value(cell: str) -> bool:
    """Whether a cell cannot name a column: a number, or a key such as "Date:"."""
    return looks_like_a_number(cell) or cell.endswith((":", "="))


_DECLARED_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?[,;\t| ]*(?=[\r\n])', re.IGNORECASE)


def declared_separator(text: str) -> tuple[str, str | None]:
    """(the text without a first line such as "sep=;", the separator it names or None)."""
    match = _DECLARED_SEPARATOR.match(text)
    return (text, None) if match is None else (text[match.end() :], match[1])


MOST_HEADER_LINES = 4
_MANY_CELLS = 8
_FEWEST_NUMBERS = 10  # rows
_MOST_VALUES = 3  # a key, its value, its unit


def _count_keys(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows are keys with values above names, such as "Date,3.4.2024" above "time,volts".

    They hold words in columns of numbers, as the names below them do, and are more than lines of names can be.
    """
    width = Counter(map(len, rows)).most_common(1)[0][0]
    below = rows[-_FEWEST_NUMBERS:]
    numeric = [k for k in range(min(map(len, rows))) if _numbers(row[k] for row in below)]
    if len(numeric) < 2 or width > _MOST_VALUES:
        return 0
    words = [[bool(row[k]) and not looks_like_a_number(row[k]) for k in numeric] for row in rows[:-_FEWEST_NUMBERS]]
    n = max((k for k, row in enumerate(words) if all(row)), default=0)
    return n if n >= MOST_HEADER_LINES and all(map(any, words[:n])) else 0


def count_titles(rows: Sequence[Sequence[str]], header_is_said: bool = False) -> int:
    """How many of the first rows, blank ones left aside, stand above a row of several names.

    Such a row has fewer cells than is usual, one cell that is filled, two of many, or cells filled from the left up to
    half of the width. Where a person said which lines hold names only fewer cells count. The names of two columns stand
    above numbers: else the row may hold the one name there is.
    """
    if len(rows) < 3:
        return 0
    if not header_is_said and (n := _count_keys(rows)):
        return n
    usual = Counter(map(len, rows)).most_common(1)[0][0]
    n_filled = Counter(sum(map(bool, row)) for row in rows).most_common(1)[0][0]
    n = 0
    while n < len(rows) - 2:
        filled = [k for k, cell in enumerate(rows[n]) if cell]
        shorter = len(rows[n]) < usual - 1 or (len(rows[n]) < usual and len(filled) == 1)
        left = filled == list(range(max(1, usual // 2)))[: len(filled)]
        few = len(filled) == 1 or (len(filled) == 2 and n_filled > _MANY_CELLS)
        padded = usual > 1 and not header_is_said and (left or few)
        if not filled or not (shorter or padded) or (len(filled) == 1 and looks_like_a_number(rows[n][filled[0]])):
            break
        n += 1
    first = next((m for m in range(n, len(rows) - 2) if sum(map(bool, rows[m])) > max(1, usual // 2 - 1)), n)
    if first - n >= MOST_HEADER_LINES or any(looks_like_a_number(cell) for row in rows[n:first] for cell in row):
        return 0
    names = [cell for cell in rows[first] if cell]
    numbers = [cell for cell in names if looks_like_a_number(cell)]
    are_names = not numbers or (len(numbers) < len(names) and _counts(numbers))  # of years, for example
    if not are_names and usual > 2 and all(len(row) == 1 for row in rows[:n]):  # too few for names: data follow
        are_names = len(rows[n]) == usual
    if usual == 2 and all(len(row) == 2 for row in rows[:n]):
        are_names = are_names and _numbers(cell for row in rows[n + 1 :] for cell in row[1:])
    return n if len(names) > max(1, usual // 2 - 1) and are_names else 0


def left_out_notes(lines: Sequence[tuple[int, str]], first: int) -> list[str]:
    """Sentences on lines (number, text) that are neither names nor rows; `first` is the first line that is one."""
    above = [text for line, text in lines if line < first]
    among = [(line, text) for line, text in lines if line > first]
    notes = []
    if above:
        title = above[0].strip(_PADDING)[:40]
        notes.append(f"The title {title!r} above the names was left out.")
        if len(above) > 1:
            notes = [f"{len(above):,} lines above the names were left out, from {title!r} on."]
    if among:
        n, where = len(among), first_few([str(line) for line, _ in among])
        were = counted(n, "line among the rows was", "lines among the rows were")
        notes.append(f"{were} left out (line{'s' * (n > 1)} {where}: {among[0][1].strip(_PADDING)[:40]!r}).")
    return notes


_PADDING = ' \t\r\n;,|"'


def unused_lines(text: str, used: Collection[int], n_rows: int) -> list[tuple[int, str]]:
    """(number, text) of the lines that hold more than separators and are not used; none where all are rows."""
    if text.count("\n") == n_rows - (not text.endswith("\n")):
        return []
    lines = enumerate(lines_of(text), start=1)
    return [(k, line) for k, line in lines if k not in used and line.strip(_PADDING)]


def lacks_a_name(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row has one cell more than there are names, the first of all rows, as R writes it."""
    names, *others = rows
    # A row that ends in the separator has a blank cell more, at its end.
    longer = all(len(row) == len(names) + 1 for row in others) and any(row[-1] for row in others)
    return longer and len(others) > 1 and len(names) > 1 and not any(map(looks_like_a_number, names))


_FEWEST_WITNESSES = 2
_FEWEST_KNOWN = 10
_FOREIGN = 0.8
_FEW_GAPS = 0.1
_LONG_NAME = 15


def _count_header_lines(rows: Sequence[Row]) -> tuple[int, bool]:
    """(how many of the first rows hold names, whether that is doubtful).

    None does where the first one holds numbers in every column of numbers. Else each column whose cells are alike,
    as numbers, as words that repeat or as codes and dates, speaks for names where the first cell differs in kind, for
    data where it does not. It is doubtful where columns disagree or none speaks.

    Further rows do down to the last one that differs in kind from most columns: words above numbers, or cells that
    occur nowhere below in a column whose cells repeat.

    Numbers can be names too, of years or of a data frame's columns: where three or more count up by one, and the
    words beside them occur nowhere below."""
    body = rows[MOST_HEADER_LINES : MOST_HEADER_LINES + _SAMPLE_ROWS] or rows[1:]
    columns = [[row[k] for row in body] for k in range(len(rows[0]))]
    numeric = [k for k, cells in enumerate(columns) if _numbers(cells)]
    first = [rows[0][k] for k in numeric]
    if all(looks_like_a_number(cell) for cell in rows[0]):
        return int(_counts(rows[0]) and rows[0][0] in ("0", "1")), False
    found = [k for k in numeric if looks_like_a_number(rows[0][k])]
    cells = [rows[0][k] for k in found]
    in_order = _counts(cells) or _are_years(cells) > _are_years([columns[k][0] for k in found])
    if numeric and all(looks_like_a_number(cell) for cell in first):
        words = [k for k, cell in enumerate(rows[0]) if not looks_like_a_number(cell)]
        could_be = not any(rows[0][k] in columns[k] for k in words)
        are_names = could_be and in_order
        return int(are_names) and 1 + _names_the_index(rows), could_be and not are_names
    levels = {
        k: set(cells) for k, cells in enumerate(columns) if k not in numeric and len(set(cells)) <= len(cells) / 2
    }
    further = range(1, min(MOST_HEADER_LINES, len(rows) // 2))
    known = levels if len(body) >= _FEWEST_KNOWN else {}  # a word may be new in a short table
    foreign = [k for k in further if _is_foreign(rows[k], columns, numeric, known)]
    foreign += [k for k in further[:1] if _fills_the_names(rows[0], rows[k])]
    if foreign or rows[0] in rows[1:]:
        return 1 + max(foreign, default=0), False
    is_data = [cell in levels[k] if k in levels else _is_alike(cell, columns[k]) for k, cell in enumerate(rows[0])]
    silent = found if in_order else []
    is_data = [speaks for k, speaks in enumerate(is_data) if not is_missing(rows[0][k]) and k not in silent]
    n_data, n_names = is_data.count(True), is_data.count(False)
    if n_data > n_names:
        return 0, True
    return 1 + _names_the_index(rows), n_data > 0 or not n_names


def _is_alike(cell: str, below: Sequence[str]) -> bool | None:
    """Whether a cell is a number, or a code or date, as those below it; None where these are not alike."""
    if _numbers(below):
        return looks_like_a_number(cell)
    shapes = {_shape(other) for other in below if not is_missing(other)}
    one = len(shapes) == 1 and len(below) > _FEWEST_WITNESSES and "9" in next(iter(shapes))
    return _shape(cell) in shapes if one else None


def _shape(cell: str) -> str:
    """ "AB-1024" as "a-9": letters and digits of any number."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", cell))


def _names_the_index(rows: Sequence[Row]) -> bool:
    """Whether the second row, and no other one, holds its first cell only: the name of the row names."""
    alone = [bool(row[0]) and not any(row[1:]) for row in rows]
    return len(rows[0]) > 2 and len(rows) > _FEWEST_WITNESSES + 1 and alone[1] and sum(alone) == 1


_FEWEST_UNNAMED = 2


def _fills_the_names(names: Row, below: Row) -> bool:
    """Whether a row of words fills the blanks of a row of names, as the answers below the questions of a survey do."""
    blank = [k for k, cell in enumerate(names) if not cell]
    words = not any(map(looks_like_a_number, below))
    return len(blank) >= _FEWEST_UNNAMED and words and all(below[k] for k in blank)


def _is_foreign(
    row: Sequence[str], columns: Sequence[Sequence[str]], numeric: Sequence[int], levels: dict[int, set[str]]
) -> bool:
    """Whether a row differs in kind from most of the columns of numbers and of words that repeat."""
    votes, n_words = [], 0
    for k in (*numeric, *levels):
        if is_missing(row[k]):
            if sum(map(is_missing, columns[k])) <= _FEW_GAPS * len(columns[k]):
                votes.append(not row[k])
        elif k in numeric and looks_like_a_number(row[k]):
            return False
        else:
            foreign = k in numeric or row[k] not in levels[k]
            votes.append(foreign)
            n_words += foreign
    return len(votes) >= _FEWEST_WITNESSES and n_words > 0 and sum(votes) >= _FOREIGN * len(votes)


def header(rows: Sequence[Row], n_said: int | None, line: str) -> tuple[int, tuple[str, ...], list[str], int | None]:
    """(how many of the first rows hold names, one name a column, a note unless one row does, how many else may).

    rows: the first rows, all of one length.
    n_said: how many hold names, where a person said so.
    line: what the note calls them, "line" or "row".
    """
    n, doubtful = _count_header_lines(rows) if n_said is None else (max(0, n_said), False)
    other = int(not n) if doubtful else None
    if not n:
        note = f"The first {line} holds data, not names, so the columns are named column 1, column 2, …"
        return 0, numbered("column", len(rows[0])), [note], other
    notes = [f"The names are joined from {n} header {line}s."] if n > 1 else []
    notes += [f"The first {line} was read as names, which is doubtful."] if doubtful else []
    return n, _joined_names(rows[:n]), notes, other


def _joined_names(lines: Sequence[Row]) -> tuple[str, ...]:
    """One name a column from the header lines: their cells with a blank between, equal ones once.

    Of lines below names that differ, long cells, as the questions of a survey, are left out, and so is what a line
    says of most columns in three lines or more, as their types.
    """
    first, *others = lines
    if all(first) and len(set(first)) == len(first):
        others = [line for line in others if not _says_more(line, several=len(others) > 1)]
    return unique_names(
        tuple(" ".join(dict.fromkeys(filter(None, cells))) for cells in zip(first, *others, strict=True))
    )


def _says_more(line: Row, several: bool) -> bool:
    cells = [cell for cell in line if cell]
    return sum(map(len, cells)) > _LONG_NAME * len(cells) or (several and len(cells) > max(2, 2 * len(set(cells))))


def _counts(cells: Sequence[str]) -> bool:
    whole = [int(cell) for cell in cells if cell.isascii() and cell.isdigit() and len(cell) < 10]
    return len(cells) > 2 and len(whole) == len(cells) and all(b == a + 1 for a, b in pairwise(whole))


def _are_years(cells: Sequence[str]) -> bool:
    years = {cell for cell in cells if re.fullmatch(r"1[5-9]\d\d|20\d\d", cell)}
    return len(years) == len(cells) > 1


def _numbers(cells: Iterable[str]) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]
    return bool(present) and all(looks_like_a_number(cell) for cell in present)
