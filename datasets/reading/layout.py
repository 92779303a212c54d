"""How the lines of a text file make a table: separator, prose above it, comments, fixed widths.

All is judged by evidence from lines all over the file: with the right separator most lines have equally many cells,
no cell holds another separator, and more cells are numbers.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise, takewhile, zip_longest
from operator import itemgetter

import numpy as np

from datasets.base.words import counted, first_few
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.place import place_of, repeated_names
from datasets.reading.table import FIXED, LOG, SEPARATORS, Row, is_missing

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MOST_PROSE, _FIRST_LINES, _FEWER_LINES, _OTHER_LINES = 500, 700, 200, 100
_LETTERS_OF_A_LINE = 20_000
_MOST_LINES_OF_A_CELL = 200
_OPENS_A_CELL = re.compile(r'(?:^|[,;\t|])\s*"[^"]*$')
_CELLS_OF_A_LINE = 100
_RULE = re.compile(r"#?[\s:|+]*[-=_]{3}[-=_+:|\s]*|[\s|+]*:-+:?[-+:|\s]*")


def lines_of(text: str) -> Iterator[str]:
    """The lines with their ends, one at a time: a StringIO would hold four bytes a character."""
    return map(itemgetter(0), _LINE.finditer(text))


def blanked(line: str) -> str:
    """The end of the line alone, so that the lines below keep their numbers."""
    return line[len(line.rstrip("\r\n")) :]


def is_rule(line: str) -> bool:
    """Whether a line is drawn below names, as in Markdown: "|:---|---:|"."""
    return _RULE.fullmatch(line) is not None


def sampled_lines(text: str, n_first: int = _FEWER_LINES) -> list[str]:
    """The first lines without their ends, blank ones too, and others at equal distances down to the end."""
    first = list(islice(lines_of(text), n_first))
    n_letters = sum(map(len, first))
    for k in range(_OTHER_LINES):
        match = _LINE.search(text, n_letters + (len(text) - n_letters) * k // _OTHER_LINES)
        following = _LINE.match(text, match.end()) if match else None
        if following:
            first.append(following[0])
    return [line.rstrip("\r\n")[:_LETTERS_OF_A_LINE] for line in first]


_MARKS = [mark for mark in SEPARATORS if mark != LOG]
_STRONG = ";\t|"  # hardly ever inside a cell
_BLANK = (" ", FIXED)
_BY_ENDING = {".tsv": "\t", ".tab": "\t"}
_BELIEVED = 1.3
_REGULAR = 0.9  # share of the lines that blanks must cut alike
_FEW_CUT = 0.2  # share of the lines: with fewer, the mark stands inside words
_PLAIN_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?")
_FEWEST_PROSE, _FEWEST_BELOW = 3, 5  # lines
_MOSTLY = 0.5  # share of the cells


def find_table(text: str, filename: str, is_said: bool = False) -> tuple[str, int]:
    """(the separator, a key of SEPARATORS, for which the lines speak most, lines of prose above the table).

    Prose fits no table, hides the separator, or is cut into more cells than there are columns. Each separator has its
    own place where the table would begin: there is prose where none begins at the top and numbers stand below it.
    Where a person said which lines hold names, nothing is left out above them.
    """
    sampled = _whole_records(sampled_lines(text, _FIRST_LINES))
    if not sampled:
        return ",", 0
    lines = [line for _, line in sampled]
    begin = 0 if is_said else _prose(lines) or _lines_of_other_widths(lines)
    if begin and sampled[begin][0] > _MOST_PROSE:
        begin = 0
    lines = [line for line in lines[begin:] if line.count('"') % 2 == 0] or lines
    believed = _BY_ENDING.get(filename.lower().removesuffix(".gz")[-4:])
    found = {mark: _merit(lines, mark) for mark in _MARKS}
    # Blanks stand inside cells too: they separate only where they cut the lines more alike than all else.
    alike = max(fit for mark, (_, fit) in found.items() if mark not in _BLANK and mark != ":")
    merits = {mark: merit for mark, (merit, fit) in found.items() if mark not in _BLANK or fit > alike}
    several = sum(line.count(":") > 1 for line in lines) >= _REGULAR * len(lines)
    if not several or found[":"][1] <= max(alike, *(found[mark][1] for mark in _BLANK)):  # colons stand in times
        del merits[":"]
    if believed in merits:
        merits[believed] *= _BELIEVED
    best = max(merits, key=lambda mark: merits[mark])
    if best == " " and not is_said and (stacked := _stacked_names([line for _, line in sampled])) is not None:
        return FIXED, sampled[stacked][0] if stacked else 0
    first_lines = list(islice(lines_of(text), _FIRST_LINES))
    n_above = sampled[begin][0] if begin else 0
    while n_above and first_lines[n_above - 1].startswith("#"):
        n_above -= 1  # a comment right above the rows may name their columns
    if best == " " and not is_said and (named := _names_in_a_comment(first_lines, lines)):
        ((place, names),) = named.items()
        if len(names.split()) != len(lines[-1].split()):
            return FIXED, place
    if best not in _BLANK and sum(best in line for line in lines) < _FEW_CUT * len(lines):
        best = ","
    if best == "," and _is_part_of_a_text(lines):
        return FIXED, n_above
    return best if merits[best] > 0 else ",", n_above


_MANY_GAPS = 4


def _is_part_of_a_text(lines: Sequence[str]) -> bool:
    """Whether each line holds one comma, before a blank and at the same place, beside many columns of fixed width."""
    places = {line.find(", ") for line in lines}
    is_one = len(places) == 1 and -1 not in places and all(line.count(",") == 1 for line in lines)
    return is_one and len(fixed_gaps(lines)) >= _MANY_GAPS


def _stacked_names(lines: Sequence[str]) -> int | None:
    """Where the names of a table between blanks begin if these stand on several lines, not each of which names all of
    the columns, so that only fixed widths tell what belongs together; else None."""
    if not fixed_gaps(lines):
        return None
    by_width, by_blanks = (place_of(rows_cut(lines, mark), below_prose=True) for mark in (FIXED, " "))
    is_stacked = (
        by_width.width == by_blanks.width
        and by_width.first < len(lines)
        and by_width.n_names > max(1, by_blanks.n_names)
    )
    return by_width.top if is_stacked else None


def _whole_records(lines: Sequence[str]) -> list[tuple[int, str]]:
    """(place, text) of the lines that are neither blank nor comments, all that a quoted cell spans joined."""
    found: list[tuple[int, str]] = []
    usual = Counter(line.count(";") for line in lines).most_common(1)[0][0] if lines else 0
    marks = tuple(mark for mark in _COMMENT_MARKS if mark != ";" or not usual)  # semicolons that cut most lines alike
    k = 0
    while k < len(lines):
        line, end = lines[k], k + 1
        is_comment = line.startswith(marks) and not _NUMBERS_ROWS.match(line)
        if _OPENS_A_CELL.search(line.replace('""', "")) and not is_comment:
            closes = (j for j in range(end, min(end + _MOST_LINES_OF_A_CELL, len(lines))) if lines[j].count('"') % 2)
            end = next(closes, k) + 1
        found.append((k, "\n".join(lines[k:end])))
        k = end
    filled = [(k, line) for k, line in found if line.strip(" \t;,|") and not is_rule(line)]
    return [(k, line) for k, line in filled if not line.startswith(marks)] or filled


def _prose(lines: Sequence[str]) -> int:
    """How many of the lines are prose above a table of numbers."""
    best, alike, begin = 0.0, 0.0, 0
    for mark in _MARKS:
        rows = rows_cut(lines, mark)
        place = place_of(rows, below_prose=True)
        if place.width > 1 and not place.top and len(rows[-1]) == place.width and mark != FIXED:
            return 0
        below = rows[place.first :]
        if place.width == 1 or len(below) < _FEWEST_BELOW or _share_of_numbers(below) <= _MOSTLY:
            continue
        (merit, fit), above = _merit(lines[place.top :], mark), rows[: place.top]
        is_prose = place.n_names > 0 or len(above) >= _FEWEST_PROSE
        if any(len(row) in (place.width, place.width + 1) for row in above):
            is_prose = is_prose and _share_of_numbers(above) < _share_of_numbers(below) / 2
        is_prose = is_prose and (len(above) <= len(below) or _share_of_numbers(above) <= _MOSTLY)
        if merit > best and not (mark in _BLANK and fit <= alike):
            best, begin = merit, place.top if is_prose else 0
            alike = max(fit, alike)
    again = repeated_names(rows_cut(lines, " ")) if begin else None
    return begin if again is None else min(begin, again)


def _lines_of_other_widths(lines: Sequence[str]) -> int:
    """How many of the first three lines, such as the name of a station, have more words than the rows right below them
    have columns between blanks, or at most half as many."""
    if 2 * sum(any(mark in line for mark in "," + _STRONG) for line in lines) > len(lines):
        return 0
    rows = rows_cut(lines, " ", most=None)
    width, n = Counter(map(len, rows)).most_common(1)[0]
    above = list(takewhile(lambda row: len(row) > width or 2 * len(row) <= width, rows))
    body = rows[len(above) :]
    if not 0 < len(above) <= _FEWEST_PROSE or width < _FEWEST_FIXED or n < max(_FEWEST_BELOW, _REGULAR * len(body)):
        return 0
    columns = list(zip(*(row for row in body if len(row) == width), strict=True))
    numeric = [k for k, cells in enumerate(columns) if all(map(looks_like_a_number, cells[1:]))]
    is_data = len(body[0]) == width and all(looks_like_a_number(body[0][k]) for k in numeric)
    if not numeric or not is_data or any(2 * len(row) <= width for row in body):
        return 0
    # Names of several words leave the gaps of fixed widths blank.
    gaps = fixed_gaps(lines[len(above) :])
    fits = all(" " in line[first:start] for line in lines[: len(above)] for first, start in gaps if start <= len(line))
    return 0 if gaps and fits else len(above)


def without_lines(text: str, n_lines: int) -> str:
    """The text with its first lines blanked."""
    above = list(islice(lines_of(text), n_lines))
    return "".join(map(blanked, above)) + text[sum(map(len, above)) :]


def rows_cut(lines: Sequence[str], mark: str, most: int | None = _CELLS_OF_A_LINE) -> list[Row]:
    """The cells of each line, at most so many."""
    if mark != FIXED:
        return [tuple(_cells(line, mark)[:most]) for line in lines]
    gaps = fixed_gaps(lines[len(lines) // 2 :])
    return [tuple(_cut(line, gaps)) for line in lines]


def most_cells(text: str, mark: str) -> int:
    """The most cells of one of its first and last lines; 0 of a blank text."""
    return max(map(len, rows_cut(sampled_lines(text), mark)), default=0)


def _share_of_numbers(rows: Sequence[Row]) -> float:
    cells = [looks_like_a_number(cell) for row in rows for cell in row]
    return sum(cells) / max(1, len(cells))


def _merit(lines: Sequence[str], separator: str) -> tuple[float, float]:
    """How much speaks for a separator, and the share of lines of the usual width; (0, 0) where nothing is separated.

    The share x log2(cells of a line) x (share of cells without another separator)² x (1 + share of numbers); blank
    cells count in the share only.
    """
    if separator == FIXED:
        gaps = fixed_gaps(lines)
        rows = [_cut(line, gaps) for line in lines] if gaps else []
    else:
        rows = [_cells(line, separator) for line in lines]
    widths = [len(row) for row in rows]
    if separator in " \t" and len(widths) > 2 and widths[0] + 1 == widths[1]:
        widths[0] = widths[1]  # the first line may lack the name of the row names
    if separator not in _BLANK and len(widths) > 2 and names_between_blanks(lines[0], separator) == widths[1]:
        widths[0] = widths[1]
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
    # A mark that separates stands in the first line, too.
    strong = {mark for mark in _STRONG if mark in lines[0]} - {separator} | ({","} if separator in _BLANK else set())
    numbers = sum(_PLAIN_NUMBER.fullmatch(cell) is not None for cell in cells)
    mixed = sum(any(mark in cell for mark in strong) and not _PLAIN_NUMBER.fullmatch(cell) for cell in cells)
    clean = 1 - mixed / max(1, len(cells))
    n_filled = max(1.0, len(cells) / sum(width > 1 for width in widths))
    merit = fit * math.log2(n_filled) * clean**2 * (1 + numbers / max(1, len(cells)))
    # Blanks that cut as well as widths do need no columns below each other.
    return (0.0, 0.0) if separator == FIXED and _merit(lines, " ")[0] >= merit else (merit, fit)


def names_between_blanks(line: str, separator: str) -> int:
    """How many words a line holds that has blanks in place of the separator; 0 of any other."""
    words = line.split()
    return len(words) if separator not in line and not any(map(looks_like_a_number, words)) else 0


def _cells(line: str, separator: str) -> list[str]:
    if '"' not in line:
        return line.split() or [""] if separator == " " else [cell.strip() for cell in line.split(separator)]
    try:
        line = one_blank(line) if separator == " " else line
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return [line]


_BLANKS = re.compile(r'("[^"\r\n]*")|[ \t]+')


def one_blank(text: str) -> str:
    """Each run of blanks and tabs outside quotes as one blank, none at the ends of lines."""
    return "\n".join(_BLANKS.sub(lambda match: match[1] or " ", line.strip()) for line in lines_of(text))


_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[ \t]+(?=\d\d:\d\d)")


def with_moments_joined(text: str) -> str:
    """A table between blanks with date and time as one cell, where there is one name fewer than cells."""
    if not _MOMENT.search(text):
        return text
    lines = [line for line in lines_of(text) if line.strip()]
    first = next((k for k, line in enumerate(lines) if _MOMENT.search(line)), 0)
    widths = {len(line.split()) if len(_MOMENT.findall(line)) == 1 else 0 for line in lines[first:]}
    return _MOMENT.sub(r"\1T", text) if first and widths == {len(lines[first - 1].split()) + 1} else text


_FEWEST_BESIDE, _FEWEST_NAMED = 2, 8  # numbers of a line; lines


def with_words_joined(text: str) -> str | None:
    """A table between blanks with quotes around the words at one end of its lines, such as a name, or behind their
    numbers; None where nearly all lines have as many words and no line has more, where there are numbers among the
    words, or not equally many numbers at the other end."""
    lines = [line for line in sampled_lines(text) if line.strip() and not is_rule(line)]
    if len(lines) < _FEWEST_NAMED or sum(
        any(mark in line for mark in _STRONG + ',"') for line in lines
    ) > _FEW_CUT * len(lines):
        return None
    rows = [line.split() for line in lines]
    widest = max(map(len, rows))
    if sum(len(row) == widest for row in rows) >= _REGULAR * len(rows):
        return None
    are_numbered = (looks_like_a_number(row[0]) and not looks_like_a_number((*row, "0")[1]) for row in rows)
    first = int(2 * sum(are_numbered) > len(rows))
    for step in (1, -1):  # the words stand before the numbers, or behind them
        runs = [_numbers_at_the_end(row[::step]) for row in rows]
        (n_numbers, n), *_ = Counter(runs).most_common(1)
        beside = [len(row) - n_numbers for row, run in zip(rows, runs, strict=True) if run == n_numbers]
        if n_numbers < _FEWEST_BESIDE or n < _REGULAR * len(rows) or len(set(beside)) < 2 or min(beside) < 1:
            continue
        words = [row[::step][first : max(0, len(row) - n_numbers)] for row in rows]
        if 2 * sum(any(map(looks_like_a_number, row)) for row in words) > len(rows):
            continue  # columns
        return "\n".join(_words_joined(line.split()[::step], n_numbers, first, step) for line in lines_of(text))
    return None


def _numbers_at_the_end(row: Sequence[str]) -> int:
    cells = takewhile(lambda cell: looks_like_a_number(cell) or is_missing(cell), reversed(row))
    return sum(1 for _ in cells)


def _words_joined(row: list[str], n_numbers: int, first: int, step: int) -> str:
    if row[::step][:1] == ["#"]:  # before names
        own = row[1:] if step == 1 else row[:-1]
        return f"# {_words_joined(own, n_numbers, first, step)}"
    end = max(0, len(row) - n_numbers)
    words = row[first:end][::step]
    cells = [*row[:first], *([f'"{" ".join(words)}"'] if len(words) > 1 else words), *row[end:]]
    return " ".join(cells[::step])


_FEWEST_FIXED, _SOME_LINES, _SEVERAL_LINES, _MANY_LINES = 3, 20, 40, 100
_OFTEN, _MOSTLY_FILLED = 0.2, 0.6  # share of the lines
_CLOSING = frozenset(["", *")]}'\""])


def fixed_gaps(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The gaps between the columns of a table of fixed width: positions that are blank in all lines; [] if none.

    Titles may stand across gaps: where the lines without those at both ends have more columns, these are taken. A
    bracket or quote that closes a padded cell begins no column, nor does the last word of a first line beyond all
    others, one blank behind the word before it.
    """
    n = len(lines)
    gaps = max(_blank_in_all(lines, n), *(_blank_in_all(lines[n // 4 : n - n // k], n) for k in (4, 10)), key=len)
    last = gaps[-1][1] if gaps else 0
    if lines and lines[0][max(0, last - 2) : last].strip() and not any(line[last:].strip() for line in lines[1:]):
        gaps = gaps[:-1]
    column_ends = (end for end, _ in gaps[1:])
    return [
        (first, start)
        for (first, start), end in zip_longest(gaps, column_ends)
        if not {line[start:end].strip() for line in lines} <= _CLOSING
    ]


def _blank_in_all(lines: Sequence[str], n: int) -> list[tuple[int, int]]:
    """The gaps of these among `n` lines."""
    usual = Counter(map(len, lines)).most_common(1)[0][0]
    alike = [line for line in lines if len(line) >= 0.5 * usual]
    if len(alike) < _FEWEST_FIXED or len(alike) < _REGULAR * len(lines) or any("\t" in line for line in alike):
        return []
    width = max(map(len, alike))
    letters = np.array([line.ljust(width) for line in alike]).view("U1").reshape(len(alike), width)
    filled = (letters != " ").sum(axis=0).tolist()
    used = [k for k, n in enumerate(filled) if n]
    # A single blank may stand inside the cells of a column, but hardly ever in all lines beside letters of many, or
    # before a number in nearly all.
    are_several = _SEVERAL_LINES <= n < _MANY_LINES and len(alike) == n
    often = _OFTEN if len(alike) >= _MANY_LINES else _MOSTLY_FILLED if are_several else math.inf
    often *= len(alike)
    n_numbers = np.isin(letters, list("+-.0123456789")).sum(axis=0)

    def stand_apart(end: int, start: int) -> bool:
        """Whether different words end before the blank, and numbers begin behind it in nearly all lines."""
        words = {line[max(0, end - 4) : end + 1].strip() for line in alike}
        several = len(alike) >= _SOME_LINES and len(words) >= _FEWEST_FIXED
        return several and bool(n_numbers[start] >= _REGULAR * len(alike))

    for least in (2, 1):
        gaps = [
            (end + 1, start)
            for end, start in pairwise(used)
            if start - end > least
            or (start - end == 2 and (max(filled[end], filled[start]) >= often or stand_apart(end, start)))
        ]
        if len(gaps) + 1 >= _FEWEST_FIXED:
            return gaps
    return []


def _cut(line: str, gaps: Sequence[tuple[int, int]]) -> list[str]:
    """The cells of a line; one cell of a line with words across several gaps, as a title.

    Names may reach into a gap from either side, where a line is cut at most of its blanks, or lie across it: these
    belong to the column that they cover more of.
    """
    cells, begin = [], 0
    for first, start in gaps:
        blanks = re.findall(" +", line[first:start])
        if blanks or not line[first:start]:
            end = line.find(max(blanks, key=len), first) if blanks else first
        else:
            left, right = line.rfind("  ", 0, first) + 2, line.find("  ", start)
            left, right = (0 if left == 1 else left), (len(line) if right < 0 else right)
            if left < begin or sum(left < a and b < right for a, b in gaps) > 1:
                return [line.strip()]
            end = left if right - start >= first - left else right
        cells.append(line[begin:end].strip())
        begin = end
    cells.append(line[begin:].strip())
    if any("  " in cell for cell in cells):  # names that stand beside their columns
        words, single = re.split(" {2,}", line.strip()), line.split()
        if len(single) == len(cells) and not any(map(looks_like_a_number, single)):
            return single
        return words if len(words) == len(cells) else cells
    return cells


def _names_in_a_comment(lines: Sequence[str], rows: Sequence[str]) -> dict[int, str]:
    """The comment right above the rows of a table of fixed width, by its place and without its mark, if it stands above
    most columns as their names do."""
    gaps = fixed_gaps(rows)
    for (k, line), (_, below) in pairwise((k, line) for k, line in enumerate(lines) if not is_rule(line.rstrip())):
        if line.startswith("#") and not below.startswith("#") and len(below.split()) == len(gaps) + 1:
            names = [cell for cell in _cut(" " + line.rstrip()[1:], gaps) if cell]
            are_words = 2 * sum(map(looks_like_a_number, names)) < len(names)
            return {k: " " + line[1:]} if len(names) >= _MOSTLY_FILLED * (len(gaps) + 1) and are_words else {}
    return {}


def with_tabs(text: str) -> str:
    """A table of fixed width with a tab between its columns."""
    # Among fewer first lines those further down weigh more: they may fill a column that the first ones do not.
    samples = ([line for _, line in _whole_records(sampled_lines(text, n))] for n in (_FEWER_LINES, _FIRST_LINES))
    gaps = max(map(fixed_gaps, samples), key=len)
    rows = [line for _, line in _whole_records(sampled_lines(text))]
    names = _names_in_a_comment(list(islice(lines_of(text), _FIRST_LINES)), rows)
    lines = (names.get(k, line.rstrip("\r\n")) for k, line in enumerate(lines_of(text)))
    return "\n".join("\t".join(_cut(line.expandtabs(1), gaps)) if line.strip() else "" for line in lines)


_COMMENT_MARKS = ("#", "%", "//", "!", ";")
_NUMBERS_ROWS = re.compile(r"#([,;\t|])\s*[^\s,;\t|][^\r\n]*?\1")  # "#" as the name of the first of three columns


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
    n_comments, quoted, is_comment = 0, False, False
    for k, line in enumerate(lines):
        begins = not quoted and line.startswith(marks) and not (mark is None and _NUMBERS_ROWS.match(line))
        is_comment = is_comment and begins  # right below another one, whatever it holds
        if begins and k == names:
            lines[k] = line.lstrip("".join(marks))
            if _filled(lines[k], separator) > usual:
                end = blanked(lines[k])
                lines[k] = separator.join(_names_in(line, separator, marks, usual)) + end
        elif begins and (mark is not None or is_comment or k < above or _filled(line, separator) != usual):
            lines[k] = blanked(line)
            n_comments += 1
            is_comment = True
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
        names = _names_in(above[k], separator, marks, usual)
        if len(names) == usual and not any(_is_value(name) for name in names):
            above_units = _names_in(above[k - 1], separator, marks) if k else []
            is_above = len(set(above_units)) == usual > len(set(names)) and not any(map(_is_value, above_units))
            return k - is_above
        if separator == " " and any(map(str.isalnum, above[k])):
            return None
    return None


_SAYS_NAMES = re.compile(r" ?(?:fields|columns|names)\b:?", re.IGNORECASE)
_TAG_OF_NAMES = "L"  # "#L a b", as SPEC writes above two columns


def _names_in(line: str, separator: str, marks: tuple[str, ...], usual: int = 0) -> list[str]:
    """The cells of "#id,a,b", and of "#Fields: id a b" as web servers write it; `usual` are the cells of a row."""
    first, *others = [cell for cell in _cells(line.strip().lstrip("".join(marks)), separator) if cell] or [""]
    is_tag = bool(_SAYS_NAMES.fullmatch(first)) or (first == _TAG_OF_NAMES and len(others) == usual)
    return others if is_tag else [first, *others]


def _is_value(cell: str) -> bool:
    """Whether a cell cannot name a column: a number, or a key such as "Date:"."""
    return looks_like_a_number(cell) or cell.endswith((":", "="))


_DECLARED_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?[,;\t| ]*(?=[\r\n])', re.IGNORECASE)


def declared_separator(text: str) -> tuple[str, str | None]:
    """(the text without a first line such as "sep=;", the separator it names or None).

    Where "::" cuts all lines alike, tabs are put in its place.
    """
    match = _DECLARED_SEPARATOR.match(text)
    if "::" in text and "\t" not in text:
        lines = [line for line in sampled_lines(text) if line.strip()]
        if len(lines) >= _FEWEST_FIXED and len({line.count("::") for line in lines}) == 1 and "::" in lines[0]:
            return text.replace("::", "\t"), "\t"
    return (text, None) if match is None else (text[match.end() :], match[1])


def left_out_notes(lines: Sequence[tuple[int, str]], first: int, have_names: bool = True) -> list[str]:
    """Sentences on lines (number, text) that are neither names nor rows; `first` is the first line that is one."""
    what = "names" if have_names else "rows"
    above = [text for line, text in lines if line < first]
    among = [(line, text) for line, text in lines if line > first and text.strip(PADDING)]
    empty = [str(line) for line, text in lines if line > first and not text.strip(PADDING)]
    notes = []
    if above:
        title = above[0].strip(PADDING)[:40]
        notes.append(f"The title {title!r} above the {what} was left out.")
        if len(above) > 1:
            notes = [f"{len(above):,} lines above the {what} were left out, from {title!r} on."]
    if among:
        n, where = len(among), first_few([str(line) for line, _ in among])
        were = counted(n, "line among the rows was", "lines among the rows were")
        notes.append(f"{were} left out (line{'s' * (n > 1)} {where}: {among[0][1].strip(PADDING)[:40]!r}).")
    if empty:
        rows = counted(len(empty), "row without any value was", "rows without any value were")
        notes.append(f"{rows} left out (line{'s' * (len(empty) > 1)} {first_few(empty)}).")
    return notes


PADDING = ' \t\r\n;,|"'


def unused_lines(text: str, used: Collection[int], n_rows: int) -> list[tuple[int, str]]:
    """(number, text) of the lines that are not used and hold more than blanks, or than separators where they are not
    among the rows; none where all are rows. Drawn lines do not count."""
    if text.count("\n") == n_rows - (not text.endswith("\n")):
        return []
    first, last = min(used), max(used)
    lines = ((k, line) for k, line in enumerate(lines_of(text), start=1) if k not in used and not is_rule(line))
    return [(k, line) for k, line in lines if line.strip(None if first < k < last else PADDING)]
