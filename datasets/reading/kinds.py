"""Lines of several kinds in one text, each with its own columns, as GPS receivers write them, and sections that each
have a line of names: one of them is read. Tables of the same rows are read beside each other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate, islice, pairwise, takewhile

from datasets.base.words import counted, first_few
from datasets.reading.blocks import Tables
from datasets.reading.layout import blanked, lines_of, rows_cut
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.place import pattern_of
from datasets.reading.table import Row

_MARKS = ",;\t| "
_FIRST_CELLS, _FEWEST_KINDS = 3, 3  # kinds between blanks
_RULE, _RULES = re.compile("=+(?: +=+)+"), 3  # of a table
_BETWEEN_MARKS = re.compile(r"^!(\w+)_table_begin.*\n((?:(?!!).*\n)*)!\w+_table_end", re.MULTILINE | re.IGNORECASE)
_FEWEST_CELLS = 5  # of a row between blanks below a heading
_FEWEST, _MOST_LINES, _SOME = 10, 200_000, 500
_REGULAR = 0.9  # share of the lines that are as wide as most of their kind
_SINGLE = 0.02  # share of the lines whose kind occurs once, such as cut ones
_SAME = 2  # names that lines of names begin with
_ABOUT_AS_LARGE = 0.75  # as the largest section
_FEWEST_ROWS, _MOST_OF_PLATES = 5, 20_000  # rows of tables of the same rows; lines of all
_SHARE = 0.05  # of the lines, for a kind that shows that widths differ


def lines_of_one_kind(text: str, wanted: str | None = None) -> Tables | None:
    """The lines of the kind that is `wanted`, else of the one with the most cells, the others blanked; None where the
    lines are of one kind.

    A word in one of the first cells tells the kind, of which there are few, and with it how many cells there are.
    """
    first = [line for line in islice(lines_of(text), _SOME) if line.strip()]
    marks = [mark for mark in _MARKS if len({len(_cut(line, mark)) for line in first}) > 1]
    if " " in marks and not _are_telegrams(first):
        marks.remove(" ")
    if not marks or text.count("\n") > _MOST_LINES:
        return None  # as most tables, whose lines are not cut in vain
    lines = list(lines_of(text))
    filled = [k for k, line in enumerate(lines) if line.strip()]
    for mark in marks:
        rows = [_cut(line, mark) for line in lines]
        for column in range(_FIRST_CELLS):
            kinds = [row[column].strip() if len(row) > column else "" for row in rows]
            widths: dict[str, Counter[int]] = defaultdict(Counter)
            for k in filled:
                widths[kinds[k]][len(rows[k])] += 1
            several = mark != " " or len(widths) >= _FEWEST_KINDS
            if several and _tell_widths(widths, len(filled)) and widths[kinds[filled[0]]].total() > 1:
                return _of_one_kind(lines, kinds, widths, wanted)
    return None


def section_with_names(text: str, wanted: str | None = None) -> Tables | None:
    """The section that is `wanted`, else the first of those with the most cells, the others blanked; None of any text
    without another line of names that begins like the first line and goes on differently, as sadf writes them.

    Sections below the same names go together.
    """
    if text.count("\n") > _MOST_LINES:
        return None
    first = next((line for line in lines_of(text) if line.strip()), "")
    for mark in _MARKS[:-1]:
        names = _cut(first, mark)
        if len(names) <= _SAME or any(map(looks_like_a_number, names)) or not all(names):
            continue
        begin = mark.join(names[:_SAME]) + mark
        if text.count(begin) == 1:
            continue
        lines = list(lines_of(text))
        n_quotes = list(accumulate((line.count('"') for line in lines), initial=0))  # an odd number inside a cell
        begins = [k for k, line in enumerate(lines) if line.startswith(begin) and n_quotes[k] % 2 == 0]
        heads = {k: tuple(_cut(lines[k], mark)) for k in begins}
        filled = [k for k, line in enumerate(lines) if line.strip()]
        if any(k in heads and below in heads for k, below in pairwise(filled)):
            continue  # names on several lines
        rows = [_cut(lines[k], mark) for k in filled if k not in heads]
        have_numbers = sum(any(map(looks_like_a_number, row)) for row in rows) >= _REGULAR * len(rows)
        are_names = not any(looks_like_a_number(name) for head in heads.values() for name in head)
        if len(set(heads.values())) > 1 and len(heads) <= len(rows) and have_numbers and are_names:
            return _of_one_section(lines, heads, mark, wanted)
    return None


def rows_below_headings(text: str) -> Tables | None:
    """The text with the cells of each line above a group of rows, such as the number and name of a storm, behind those
    of its rows; None of any other text.

    The first line is one, of two cells or more; they all have as many, at most half as many as the rows.
    """
    first = [line.rstrip("\r\n") for line in islice(lines_of(text), _SOME) if line.strip()]
    for mark in _MARKS[:-1]:
        widths = [line.count(mark) + 1 for line in first]
        head, wide = widths[0] if widths else 0, max(widths, default=0)
        adjacent = any(a == b == head for a, b in pairwise(widths))
        if not 1 < head <= wide / 2 or set(widths) != {head, wide} or widths.count(head) < _FEWEST_KINDS or adjacent:
            continue
        lines, heading, n = list(lines_of(text)), "", 0
        if any(line.count(mark) + 1 not in (head, wide) for line in lines if line.strip()):
            return None
        for k, line in enumerate(lines):
            if line.count(mark) + 1 == head and line.strip():
                heading, lines[k], n = line.rstrip("\r\n"), blanked(line), n + 1
            elif line.strip():
                lines[k] = line.rstrip("\r\n").removesuffix(mark) + mark + heading + blanked(line)
        return Tables("".join(lines), notes=(_said_of_headings(n),))
    return _rows_below_words(text, first)


def _said_of_headings(n: int) -> str:
    return f"The cells of {n:,} lines above groups of rows are columns behind theirs."


def _rows_below_words(text: str, first: Sequence[str]) -> Tables | None:
    """The text with the words of headings such as "Body 4632", alike but for numbers and names, behind rows of numbers
    between blanks of any widths; words that all of them have are left out."""
    begin = first[0].split() if first else []
    if any(mark in line for line in first for mark in _MARKS[:-1]):
        return None
    if not begin or not begin[0][0].isalnum() or not all(_is_heading_or_row(line, begin) for line in first):
        return None
    lines = list(lines_of(text))
    filled = [k for k, line in enumerate(lines) if line.strip()]
    heads = {k: lines[k].split() for k in filled if len(lines[k].split()) == len(begin)}
    differ = [j for j, words in enumerate(zip(*heads.values(), strict=True)) if len(set(words)) > 1]
    adjacent = any(k in heads and below in heads for k, below in pairwise(filled))
    if len(heads) < _FEWEST_KINDS or not differ or adjacent:
        return None
    if not all(_is_heading_or_row(lines[k], begin) for k in filled):
        return None
    wide, heading = max(len(line.rstrip()) for line in lines), ""
    for k in filled:
        if k in heads:
            heading, lines[k] = " ".join(heads[k][j] for j in differ), blanked(lines[k])
        else:
            lines[k] = f"{lines[k].rstrip():<{wide}}  {heading}{blanked(lines[k])}"
    return Tables("".join(lines), notes=(_said_of_headings(len(heads)),))


def _is_heading_or_row(line: str, heading: Sequence[str]) -> bool:
    """Whether a line is of the form of a heading, or holds five cells or more and twice as many, numbers mostly."""
    words = line.split()
    if len(words) == len(heading):
        return pattern_of(" ".join(words)) == pattern_of(" ".join(heading)) and any(map(str.isalpha, line))
    n_numbers = sum(map(looks_like_a_number, words))
    return len(words) >= max(_FEWEST_CELLS, 2 * len(heading)) and 2 * n_numbers > len(words)


def tables_of_the_same_rows(text: str) -> Tables | None:
    """The text with tables below titles such as "DataType:,Median" beside each other, as Luminex writes them, where all
    name the same rows; None of any other text.

    A title is a line of two filled cells right above names: its first cell comes again, its second one stands before
    the names.
    """
    lines = list(lines_of(text)) if text.count("\n") <= _MOST_OF_PLATES else []
    for mark in filter(text.__contains__, _MARKS[:-1]):
        filled = [line.rstrip(f"{mark} \r\n") for line in lines]
        keys = [line.partition(mark)[0] if line.count(mark) == 1 else "" for line in filled]
        n_again, end = Counter(keys), 0
        found = defaultdict[Row, dict[int, list[Row]]](dict)  # by the first column, then by the line of the title
        for k, key in enumerate(keys[:-1]):
            if key and n_again[key] > 1 and k >= end and filled[k + 1].count(mark) > 1:
                end = next((j for j in range(k + 1, len(lines)) if not filled[j] or keys[j] == key), len(lines))
                names, *rows = rows_cut(filled[k + 1 : end], mark, None)
                rows = [names, *((*row, *[""] * (len(names) - len(row))) for row in rows)]
                if all(names) and {*map(len, rows)} == {len(names)} and not any(map(looks_like_a_number, names)):
                    found[tuple(row[0] for row in rows)][k] = rows
        for begins, parts in found.items():
            titles = [filled[k].partition(mark)[2].strip('" ') for k in parts]
            are_names = all(any(map(str.isalpha, name)) for name in begins) and len(set(begins)) == len(begins)
            if are_names and len(begins) > _FEWEST_ROWS and len(set(titles)) == len(titles) > 1:
                return _beside_each_other(lines, parts, titles, mark)
    return None


def _beside_each_other(lines: list[str], parts: dict[int, list[Row]], titles: Sequence[str], mark: str) -> Tables:
    columns, top = [list(zip(*rows, strict=True)) for rows in parts.values()], min(parts)
    n_keys = len(list(takewhile(lambda same: len(set(same)) == 1, zip(*columns, strict=False))))
    wide = columns[0][:n_keys]
    for title, own in zip(titles, columns, strict=True):
        wide += [(f"{title} {name}" if title != name else name, *cells) for name, *cells in own[n_keys:]]
    n_others = sum(map(bool, (line.strip(f"{mark} \r\n") for line in lines[top:])))
    n_others -= len(titles) * (1 + len(parts[top]))
    lines[top:] = map(blanked, lines[top:])
    for k, row in enumerate(zip(*wide, strict=True), start=top + 1):
        quoted = ('"' + cell.replace('"', '""') + '"' if mark in cell or '"' in cell else cell for cell in row)
        lines[k] = mark.join(quoted) + lines[k]
    said = f"{len(titles)} tables of the same rows were joined side by side: {first_few(titles)}."
    others = counted(n_others, "line between and below them was", "lines between and below them were")
    return Tables("".join(lines), top, (said, *([f"{others} left out."] if n_others else [])))


def tables_between_rules(text: str) -> Tables | None:
    """The text with tables between three equal rules each, as reStructuredText draws them ("===== ==="), as one table
    cut at tabs, where all have the same names but for one; None of any other text.

    Where the names differ, they are the cells of a column behind the others.
    """
    if text.count("= =") < 2 * _RULES or text.count("\n") > _MOST_LINES or "\t" in text:
        return None
    rule = next((line.rstrip() for line in lines_of(text) if _RULE.fullmatch(line.rstrip())), "")
    if not rule:
        return None
    lines = list(lines_of(text))
    rules = [k for k, line in enumerate(lines) if _RULE.fullmatch(line.rstrip())]
    starts = [0, *(match.end() for match in re.finditer(" +", rule))]
    parts = list(zip(rules[::_RULES], rules[1::_RULES], rules[2::_RULES], strict=False))
    inside = [k for top, _, bottom in parts for k in range(top + 1, bottom) if k not in rules]
    cells = {k: [lines[k][a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)] for k in inside}
    parted = all(lines[k][a - 1 : a].isspace() for k in inside for a in starts[1:] if a <= len(lines[k].rstrip()))
    heads = [cells[top + 1] for top, below, _ in parts if below == top + 2]
    differ = [j for j, names in enumerate(zip(*heads, strict=True)) if len(set(names)) > 1]
    alike = {lines[k].rstrip() for k in rules} == {rule} and len(heads) == len(parts) == len(rules) / _RULES
    if (
        len(parts) == 1
        or not (alike and parted)
        or len(differ) > 1
        or any(below + 1 >= bottom for _, below, bottom in parts)
    ):
        return None
    for (top, below, bottom), head in zip(parts, heads, strict=True):
        for k in range(below + 1, bottom):
            lines[k] = "\t".join([*cells[k], *(head[j] for j in differ)]) + blanked(lines[k])
        names = ["row" if j in differ else name for j, name in enumerate(head)] + ["heading"] * len(differ)
        lines[top + 1] = ("\t".join(names) if top == rules[0] else "") + blanked(lines[top + 1])
    outside = [k for k in range(rules[0], len(lines)) if k not in cells and k not in rules and lines[k].strip()]
    for k in (*outside, *rules):
        lines[k] = blanked(lines[k])
    said = f"{len(parts)} tables between rules were joined"
    said += "; the name in which they differ is the cell in 'heading'." if differ else "."
    left_out = counted(len(outside), "line around them was", "lines around them were")
    return Tables("".join(lines), rules[0], (said, *([f"{left_out} left out."] if outside else [])))


def tables_between_marks(text: str, wanted: str | None = None) -> Tables | None:
    """The table that is `wanted`, else the first of the kind that comes most often, of those between
    "!sample_table_begin" and "!sample_table_end" in a SOFT file of GEO, the rest blanked; None of any other text.
    """
    if text.count("_table_begin") < 2:
        return None
    found = dict[str, re.Match[str]]()
    for match in _BETWEEN_MARKS.finditer(text):
        begin = text.rfind("\n^", 0, match.start()) + 1
        title = text[begin : text.find("\n", begin)].strip("^ \r") if text[begin : begin + 1] == "^" else match[1]
        found[title if title not in found else f"{title} ({len(found) + 1})"] = match
    if len(found) < 2:
        return None
    kinds = Counter(match[1].lower() for match in found.values())
    chosen = next(title for title, match in found.items() if kinds[match[1].lower()] == max(kinds.values()))
    chosen = wanted if wanted in found else chosen
    begin, end = found[chosen].span(2)
    above, below = (re.sub(r"[^\r\n]+", "", part) for part in (text[:begin], text[end:]))
    others = first_few([title for title in found if title != chosen])
    said = f"Only the table of {chosen!r} was read, without its description. There are also those of {others}."
    return Tables(above + text[begin:end] + below, others=(said,), names=tuple(found), name=chosen)


def _of_one_section(lines: list[str], heads: dict[int, tuple[str, ...]], mark: str, wanted: str | None) -> Tables:
    places, sizes, head = dict[tuple[str, ...], int](), Counter[tuple[str, ...]](), tuple[str, ...]()
    sections = list[tuple[str, ...]]()  # that of each line
    for k, line in enumerate(lines):
        head = heads.get(k, head)
        places.setdefault(head, k)
        sections.append(head)
        sizes[head] += len(head) * (k not in heads and len(_cut(line, mark)) == len(head))
    places.pop((), None)  # blank lines above
    differ = (k for k, names in enumerate(zip(*places, strict=False)) if len(set(names)) > 1)
    common = next(differ, _SAME)
    called = {head: f"line {place + 1}: {first_few(head[common:])}" for head, place in places.items()}
    most = max(sizes.values())
    chosen = next(head for head in called if sizes[head] >= _ABOUT_AS_LARGE * most)
    chosen = next((head for head, name in called.items() if name == wanted), chosen)
    for k, section in enumerate(sections):
        if section != chosen or (k in heads and k != places[chosen]):
            lines[k] = blanked(lines[k])
    where = first_few([str(places[head] + 1) for head in called if head != chosen])
    n_others = counted(len(called) - 1, "other table begins on line", "other tables begin on lines")
    others = (f"{n_others} {where}; the one from line {places[chosen] + 1} on was read.",)
    n_again = sum(head == chosen for head in heads.values()) - 1
    notes = (f"Its names are repeated {counted(n_again, 'time', 'times')}; these lines were left out.",)
    return Tables(
        "".join(lines), places[chosen], notes if n_again else (), others, tuple(called.values()), called[chosen]
    )


def _are_telegrams(lines: Sequence[str]) -> bool:
    """Whether lines are mostly numbers between blanks, and no text."""
    cells = [cell for line in lines for cell in line.split()]
    is_plain = not any(mark in line for mark in ";\t|" for line in lines)
    return is_plain and 2 * sum(map(looks_like_a_number, cells)) > len(cells)


def _cut(line: str, mark: str) -> list[str]:
    return line.split() if mark == " " else line.rstrip("\r\n").split(mark)


def _of_one_kind(
    lines: Sequence[str], kinds: Sequence[str], widths: dict[str, Counter[int]], wanted: str | None
) -> Tables:
    sizes = {kind: n.total() * n.most_common(1)[0][0] for kind, n in widths.items() if n.total() > 1}
    names = {kind: f"{kind} ({widths[kind].total():,} lines)" for kind in sorted(sizes, key=lambda each: -sizes[each])}
    chosen = next((kind for kind, name in names.items() if name == wanted), next(iter(names)))
    kept = [line if kind == chosen else blanked(line) for line, kind in zip(lines, kinds, strict=True)]
    n_others = sum(n.total() for kind, n in widths.items() if kind != chosen)
    others = first_few([name for kind, name in names.items() if kind != chosen])
    said = f"{n_others:,} lines of other kinds, with other columns, were left out: {others}."
    return Tables("".join(kept), others=(said,), names=tuple(names.values()), name=names[chosen])


def _tell_widths(widths: dict[str, Counter[int]], n_lines: int) -> bool:
    """Whether words repeat, and nearly all lines are as wide as most of theirs, but not those of all words."""
    repeated = {kind: n for kind, n in widths.items() if n.total() > 1}
    n_single = len(widths) - len(repeated)
    if n_lines < _FEWEST or n_single > _SINGLE * n_lines:
        return False
    if any(not kind or looks_like_a_number(kind) for kind in repeated):
        return False
    usual = {kind: n.most_common(1)[0] for kind, n in repeated.items()}
    frequent = {usual[kind][0] for kind, n in repeated.items() if n.total() >= _SHARE * n_lines}
    return len(frequent) > 1 and sum(count for _, count in usual.values()) >= _REGULAR * n_lines
