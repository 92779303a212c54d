"""Tables below each other in one text, blank lines between them: the largest is read, or the first about as large.

Lines that are left out are blanked rather than removed, so the lines below keep their numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise, takewhile

from datasets.base.words import counted, first_few
from datasets.reading.layout import blanked, find_table, fixed_gaps, is_rule, lines_of, rows_cut
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.place import place_of, starts_a_table
from datasets.reading.table import Row

_BORDER = re.compile(r'[ \t;,|"]*(?:[\[<][^\[\]<>]+[\]>][ \t;,|"]*)?(?:\r?\n|$)')  # a blank line, or "[Results]"
_MOST_LINES, _MOST_BLOCKS, _MANY_BLOCKS, _LOOKED_AT = 200_000, 3_000, 200, 60
_LINES_OF_WIDTHS, _MANY_GAPS, _FITTING = 1_000, 5, 0.9
_MOST_VALUES, _FEWEST_ROWS, _FEWEST_TABLES = 3, 5, 3
_LONGEST_NAME = 80
_BETWEEN_CELLS = re.compile(r" {2,}| *[\t;,|] *")
_ALIKE = 0.75  # size of a table that is read because it is the first


@dataclass(frozen=True)
class _Block:
    """Lines without a blank one between them, counted from 0."""

    begin: int
    end: int
    names: Row = ()  # of the columns, where a table begins here
    top: int = 0  # the line of these names
    first: int = 0  # the line of the first row of data
    width: int = 1
    is_sure: bool = False  # its names head another block, too
    is_apart: bool = False  # it tells something else of the same rows as that; its title is the first of its names

    @property
    def n_lines(self) -> int:
        return self.end - self.begin

    @property
    def has_names(self) -> bool:
        return self.first > self.top

    def is_title(self, lines: Sequence[str]) -> bool:
        """Whether this is a single line of words."""
        words = lines[self.begin].split()
        return self.n_lines == 1 and 2 * sum(map(looks_like_a_number, words)) < len(words)


@dataclass(frozen=True)
class Tables:
    """A text with one of the tables below each other in it."""

    text: str  # without the others
    n_above: int = 0  # lines above the table
    notes: tuple[str, ...] = ()  # sentences on what else was left out
    others: tuple[str, ...] = ()  # sentences on the other tables
    names: tuple[str, ...] = ()  # of all tables, () where there is one
    name: str = ""  # of this one


def largest_table(text: str, filename: str, separator: str | None = None, wanted: str | None = None) -> Tables:
    """The table that is `wanted`, else the largest or the first about as large.

    separator: of all tables, where it is known.
    """
    lines = list(lines_of(text)) if text.count("\n") <= _MOST_LINES else []
    tables = _below_the_same_name(lines, separator) if separator else {}
    tables = tables or _tables_in(lines, filename, separator)
    if not tables:
        return _without_heads_again(text, lines)
    tables = _of_the_same_rows_apart(tables, lines)
    heads = {key: [block for block in found if block.names == key] for key, found in tables.items()}
    sizes = {key: sum(block.n_lines for block in found) * heads[key][0].width for key, found in tables.items()}
    most = max(sizes.values())
    chosen = next(k for k, n in sizes.items() if n == most or (n >= _ALIKE * most and heads[k][0].width > _MOST_VALUES))
    called = {
        key: f"line {head.top + 1}: {head.names[0] if head.is_apart else first_few(head.names)}"[:_LONGEST_NAME]
        for key, (head, *_) in heads.items()
    }
    chosen = next((key for key, name in called.items() if name == wanted), chosen)
    top = heads[chosen][0].top
    # Keys and values above a table are no table.
    left_out = [
        key
        for key, (head, *_) in heads.items()
        if key != chosen and (head.top > top or head.is_sure or head.width > _MOST_VALUES)
    ]
    notes, others = tuple[str, ...](), tuple[str, ...]()
    if left_out:
        where = first_few([str(heads[key][0].top + 1) for key in left_out])
        n_others = counted(len(left_out), "other table begins on line", "other tables begin on lines")
        others = (f"{n_others} {where}; the one from line {top + 1} on was read.",)
        for block in chain.from_iterable(tables[key] for key in left_out):
            _blank(lines, block.begin, block.end)
    _, *again = heads[chosen]
    differ = len({lines[block.top] for block in heads[chosen]}) > 1
    if any(block.has_names for block in again) and (left_out or differ):
        for block in again:
            _blank(lines, block.top, block.first)  # its title stays, a heading among the rows
        notes = (f"Its names are repeated {counted(len(again), 'time', 'times')}; these lines were left out.",)
    names = tuple(called[key] for key in heads if key == chosen or key in left_out) if left_out else ()
    name = called[chosen] if left_out else ""
    return Tables("".join(lines), heads[chosen][0].begin, notes, others, names, name)


def _without_heads_again(text: str, lines: list[str]) -> Tables:
    """The text without the first lines where they come again among rows of numbers, as vmstat repeats two of them."""
    first = next((k for k, line in enumerate(lines) if line.strip()), 0)
    looked_at = lines[first : first + _LOOKED_AT]
    heads = list(takewhile(lambda line: len(_words_in(line)) == len(_cells_of(line)), looked_at))
    if not 1 < len(heads) <= _MOST_VALUES:
        return Tables(text)
    again = [k for k in range(first + 1, len(lines)) if lines[k] == heads[0] and lines[k : k + len(heads)] == heads]
    of_heads = {j for k in (first, *again) for j in range(k, k + len(heads))}
    others = (line for k, line in enumerate(lines) if k not in of_heads and line.strip())
    if not again or not all(re.search(r"\d", line) for line in others):  # titles that differ
        return Tables(text)
    for k in again:
        _blank(lines, k, k + len(heads))
    note = f"The lines above its rows are repeated {counted(len(again), 'time', 'times')}; these were left out."
    return Tables("".join(lines), notes=(note,))


def _of_the_same_rows_apart(tables: dict[Row, list[_Block]], lines: Sequence[str]) -> dict[Row, list[_Block]]:
    """The tables, where blocks below the same names that have a title each and begin their rows alike are tables of
    their own: medians, then counts of the same samples."""
    apart: dict[Row, list[_Block]] = {}
    for key, blocks in tables.items():
        heads = [block for block in blocks if block.names == key and block.top > block.begin]
        starts = {tuple(" ".join(_cells_of(line)[:2]) for line in lines[head.first : head.end]) for head in heads}
        are_names = all(any(map(str.isalpha, start)) for each in starts for start in each)
        if len(heads) < 2 or len(starts) > 1 or min(map(len, starts)) < _FEWEST_ROWS or not are_names:
            apart[key] = blocks
            continue
        for head, following in zip(heads, [*heads[1:], None], strict=True):
            last = following.begin if following is not None else len(lines)
            title = " ".join(_cells_of(lines[head.top - 1])).replace('"', "")
            names = (title, *key)
            own = [block for block in blocks if head.begin <= block.begin < last]
            apart[names] = [replace(b, names=names, is_apart=True) if b is head else b for b in own]
    return apart


def _tables_in(lines: Sequence[str], filename: str, separator: str | None) -> dict[Row, list[_Block]]:
    """The blocks of each table, by the names of its columns; {} where there is one block or none begins a table."""
    blocks = _with_their_names(list(islice(_blocks(lines), _MOST_BLOCKS + 1)), lines)
    are_rows = len(blocks) > _MANY_BLOCKS and 2 * sum(block.n_lines == 1 for block in blocks) > len(blocks)
    if not 1 < len(blocks) <= _MOST_BLOCKS or are_rows:
        return {}
    words = [_words_in(lines[block.begin]) for block in blocks]
    often = Counter(words)
    blocks = [
        _looked_at(block, lines, filename, separator, often[first] > 1)
        for block, first in zip(blocks, words, strict=True)
    ]
    if not any(block.has_names for block in blocks[1:]) and _stand_below_each_other(lines, blocks):
        return {}
    if len({block.names for block in blocks if block.names}) == 1 and not any(block.has_names for block in blocks):
        return {}
    if any(block.has_names for block in blocks) or sum(bool(block.names) for block in blocks) == 1:
        blocks = [block if block.has_names else replace(block, names=()) for block in blocks]
    for k in reversed(range(len(blocks) - 1)):
        if blocks[k].n_lines == 1 and blocks[k + 1].names:
            blocks[k] = replace(blocks[k], names=())  # its title
    tables: dict[Row, list[_Block]] = {}
    names, width = None, 0
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        begins = following if following is not None and following.names and block.is_title(lines) else block
        is_new = begins.is_sure or begins.width != width or begins.names in tables  # else its names are rows, for now
        if begins.names and is_new:
            names, width = begins.names, begins.width
        if names is not None:
            tables.setdefault(names, []).append(block)
    return tables


def _below_the_same_name(lines: Sequence[str], separator: str) -> dict[Row, list[_Block]]:
    """The tables whose names begin with the same one, blanks aside, and differ mostly, each below a blank line or a
    single cell; {} where there are few, or they have few rows."""
    places, above = dict[str, list[int]](), ""
    for k, line in enumerate(lines):
        start = "".join(line.split(separator, 1)[0].split())
        if start and start != above:  # of names on several lines the first
            places.setdefault(start, []).append(k)
        above = start

    def cells(k: int) -> Row:
        return tuple(filter(None, (" ".join(cell.split()) for cell in lines[k].split(separator))))

    for tops in places.values():
        if len(tops) < _FEWEST_TABLES or any(k and len(cells(k - 1)) > 1 for k in tops):
            continue
        names = [cells(k) for k in tops]
        n_rows = sorted(b - a for a, b in pairwise([*tops, len(lines)]))
        are_names = all(len(row) >= _MOST_VALUES and not any(map(looks_like_a_number, row)) for row in names)
        if are_names and 2 * len(set(names)) > len(names) and n_rows[len(tops) // 2] > _FEWEST_ROWS:
            begins = [k - sum(1 for _ in takewhile(lambda j: len(cells(j)) < 2, range(k - 1, -1, -1))) for k in tops]
            tables: dict[Row, list[_Block]] = {}
            for key, begin, end, top in zip(names, begins, [*begins[1:], len(lines)], tops, strict=True):
                tables.setdefault(key, []).append(_Block(begin, end, key, top, top + 1, len(key), is_sure=True))
            return tables
    return {}


def _stand_below_each_other(lines: Sequence[str], blocks: Sequence[_Block]) -> bool:
    """Whether the same widths cut at least half of the lines of nearly each block into many columns: blank lines only
    set rows apart."""
    groups = [[line.rstrip("\r\n") for line in lines[block.begin : block.end]] for block in blocks]
    gaps = fixed_gaps(list(chain.from_iterable(groups))[:_LINES_OF_WIDTHS])
    n_fitting = [sum(not any(line[a:b].strip() for a, b in gaps) for line in group) for group in groups]
    fits = sum(2 * n >= len(group) for n, group in zip(n_fitting, groups, strict=True))
    most = max(len(line.split()) for line in chain.from_iterable(groups))
    return _MANY_GAPS <= len(gaps) < most and fits >= _FITTING * len(groups)  # more gaps than words: not of one table


def _blank(lines: list[str], begin: int, end: int) -> None:
    lines[begin:end] = map(blanked, lines[begin:end])


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """The blocks; a blank line inside quotes ends none."""
    begin, quoted = None, False
    for k, line in enumerate(lines):
        is_border = not quoted and _BORDER.fullmatch(line)
        if begin is not None and is_border:
            yield _Block(begin, k)
            begin = None
        elif begin is None and not is_border:
            begin = k
        quoted ^= line.count('"') % 2 == 1
    if begin is not None:
        yield _Block(begin, len(lines))


def _with_their_names(blocks: Sequence[_Block], lines: Sequence[str]) -> list[_Block]:
    """The blocks, where a few lines, the last of which holds a name for each cell of the rows below a blank line, are
    one with these."""
    found: list[_Block] = []
    for block in blocks:
        above = found[-1] if found else None
        if above is not None and above.n_lines <= _MOST_VALUES:
            names, cells = (_BETWEEN_CELLS.split(lines[k].strip()) for k in (above.end - 1, block.begin))
            numbers = [any(map(looks_like_a_number, row)) for row in (names, cells)]
            belong = block.n_lines >= _FEWEST_ROWS if numbers[1] else names[0] == cells[0]  # else names on two lines
            if len(names) == len(cells) > _MOST_VALUES and not numbers[0] and belong:
                found[-1] = replace(above, end=block.end)
                continue
        found.append(block)
    return found


def _words_in(line: str) -> Row:
    """What is no number or time in a line."""
    return tuple(word for word in _cells_of(line) if not re.match(r"[-+]?\.?\d", word))


def _cells_of(line: str) -> list[str]:
    """The line cut at blanks and other separators."""
    return re.split(r"[\s,;|]+", line.strip(" \t\r\n,;|"))


def _looked_at(block: _Block, lines: Sequence[str], filename: str, separator: str | None, again: bool) -> _Block:
    """The block with the names of its columns, if it begins with names above rows that hold numbers, comments aside;
    above one row if another block begins with the same words."""
    n_comments = sum(1 for _ in takewhile(lambda line: line.startswith("#"), lines[block.begin : block.end]))
    if 0 < n_comments < block.n_lines:
        inner = replace(block, begin=block.begin + n_comments)
        return replace(_looked_at(inner, lines, filename, separator, again), begin=block.begin)
    end = min(len(lines) if block.n_lines == 1 else block.end, block.begin + _LOOKED_AT)
    sample = [line for line in lines[block.begin : end] if not _BORDER.fullmatch(line)]
    if not sample:  # quotes around blank lines
        return block
    mark, n_prose = (separator, 0) if separator else find_table("".join(sample), filename)
    rows = rows_cut([line.rstrip("\r\n") for line in sample[n_prose:]], mark)
    if block.n_lines == 1:
        rows = [row for row in rows if not is_rule(" ".join(row))]
    if not rows:  # a line drawn at the end
        return block
    place = place_of(rows)
    alike = sum(len(row) == place.width for row in rows)
    if not place.n_names and place.width > _MOST_VALUES < alike:
        return replace(block, names=(f"{place.width} columns",), top=block.begin, first=block.begin, width=place.width)
    if again and len(sample) > 1:
        names, below = _words_in(sample[0]), _words_in(sample[1])
        width = len(_cells_of(sample[1]))
        if len(names) > len(below) and len(_cells_of(sample[0])) == width:
            first = block.begin + 1
            return replace(block, names=names, top=block.begin, first=first, width=width, is_sure=True)
    if not starts_a_table(rows, place) or (block.n_lines == 1 and (n_prose or place.first > 1)):
        return block
    names = tuple(cell for row in rows[place.top : place.first] for cell in row if not re.search(r"^\d", cell))
    begin = block.begin + n_prose
    return _Block(block.begin, block.end, names, begin + place.top, begin + place.first, place.width)
