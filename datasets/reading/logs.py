"""Logs -> text with tabs: syslog, web servers' access logs, lines with a time and a level, key=value, "key: value"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from datasets.reading.layout import lines_of, rows_cut, sampled_lines
from datasets.reading.table import unique_names

_DAY = r"\d{4}[-/]\d\d[-/]\d\d"
_ISO = _DAY + r"[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?"
_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_LEVEL = r"(?P<level>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|CRITICAL|FATAL)"
# No part may be read in two ways at great length: a line of blanks or dashes would take minutes.
_FORMATS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<time>[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d|{_ISO}) (?P<host>[^\s\[\]]+) "
        r"(?P<program>[^\s\[\]:]+)(?:\[(?P<pid>\d+)\])?: ?(?P<message>.*)",
        rf"<(?P<priority>\d{{1,3}})>\d? ?(?P<time>{_ISO}|-) (?P<host>\S+) (?P<program>\S+) (?P<pid>\S+) (?P<event>\S+) "
        rf"(?P<data>-|\[(?:[^\[\]\"]|{_QUOTED.replace('(', '(?:', 1)})*\]) ?(?P<message>.*)",
        r'"?(?P<host>[^\s"]+) (?P<ident>\S+) (?P<user>[^\[]+) \[(?P<time>[^\]]+)\] "(?:(?P<method>[A-Z]+) )?'
        r'(?P<path>(?:[^"\\]|\\.)*?)(?: (?P<protocol>HTTP/[\d.]+))?" (?P<status>\d{3}) (?P<bytes>\d+|-)'
        + rf"(?: {_QUOTED.replace('(', '(?P<referer>', 1)} {_QUOTED.replace('(', '(?P<agent>', 1)})?.*",
        rf"(?P<time>{_ISO}) (?P<program>[\w.-]{{1,200}}) {{0,40}}\[(?P<pid>\d+)\]: {_LEVEL} {{1,40}}(?P<message>.*)",
        rf"\[?(?P<time>{_ISO})\]?[ :|-]{{0,9}}(?:\[(?P<thread>[^\]]*)\][ :|-]{{0,9}})?"
        rf"(?:(?P<source>[\w.$/-]{{1,200}}) - )?[\[(]?{_LEVEL}[\])]?(?=[ :|-])[ :|-]{{0,9}}(?P<message>.*)",
    )
)
_VALUE = r'"(?:[^"\\]|\\.)*"|[^\s"]*'
_PAIR = re.compile(rf"([\w.-]+)=({_VALUE})")
_PAIRS = re.compile(rf"(?:[\w.-]+=(?:{_VALUE})(?:\s+|$)){{3,}}")
_FEWEST_LINES, _ALIKE = 10, 0.6  # lines, and the share of them that a format must fit: others go on from the line above
_ALL_PAIRS = 0.9
_FEW_CELLS = 2


def log_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, the text with tabs between the cells and other lines blanked); None where it is no log."""
    lines = [line for line in sampled_lines(text) if line.strip()]
    if sum(_PAIRS.fullmatch(line) is not None for line in lines) >= max(_FEWEST_LINES, _ALL_PAIRS * len(lines)):
        found = [_pairs(line) for line in lines_of(text)]
        keys = tuple(dict.fromkeys(chain.from_iterable(found)))
        return keys, "\n".join(
            "\t".join(cell_between_tabs(pairs.get(key)) for key in keys) if pairs else "" for pairs in found
        )
    if (keyed := _keyed_cells(text, lines)) is not None:
        return keyed
    fits = [sum(form.fullmatch(line) is not None for line in lines) for form in _FORMATS]
    form = _FORMATS[fits.index(max(fits))]
    if max(fits) < max(_FEWEST_LINES, _ALIKE * len(lines)) or not form.fullmatch(lines[0]):
        return None
    filled = {name for match in _matches(text, form) if match for name, cell in match.groupdict().items() if cell}
    names = tuple(name for name in form.groupindex if name in filled)
    rows = (
        "" if match is None else "\t".join(map(cell_between_tabs, match.group(*names)))
        for match in _matches(text, form)
    )
    return names, "\n".join(rows)


_KEY = re.compile(r"(?:(?<=^)|(?<=[\s,;|(\[]))([^\W\d][\w./%-]*(?: [^\W\d]\w*){0,2}?) ?[:=](?=\s*[^\s:=/\\])")
_KEYS = (
    *(re.compile(rf"(?:(?<=^)|(?<={mark}))\s*([^\W\d][^{mark}=:]{{0,40}}?)\s*[:=]") for mark in (r"\|", ";", "\t")),
    _KEY,
)
_AHEAD = re.compile(r"(?:\[?(?P<time>" + _ISO + r"|\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?)\]?)?(?P<words>.*)")
_COUNTER = re.compile(r"[\W_]*(?P<name>[^\W\d]+)[\s:#]*(?P<number>\d+)(?:\s*/\s*\d+)?\W*")
_BETWEEN_WORDS = re.compile(r"[\[\](){}|;,>–]+|\s-+\s|\s{2,}|:\s")
_AROUND, _MARKS_AROUND = " \t,;|-–>()[]{}", " \t;|"


def _keyed_cells(text: str, lines: list[str]) -> tuple[tuple[str, ...], str] | None:
    """Lines with the same two keys or more, as "Epoch 3/50 - loss: 0.42 - acc: 0.91"; None where most have others.

    What stands before the first key is a time, words with their number, and others.
    """
    cut = cells_of_most(lines)
    for key in _KEYS:
        found = Counter(tuple(match[1] for match in key.finditer(line)) for line in lines)
        usual, n = max(found.items(), key=lambda item: item[1], default=((), 0))
        if cut and (not key.search(lines[0]) or sum(key.search(cell) is not None for cell in cut) < len(set(usual))):
            continue  # a table, a cell of which holds such pairs
        if len(set(usual)) > 1 and len(set(usual)) == len(usual) and n >= max(_FEWEST_LINES, _ALL_PAIRS * len(lines)):
            return _cells_of_keys(text, key, usual)
    return None


def cells_of_most(lines: list[str]) -> Sequence[str]:
    """The cells of one of the last lines, more than two, where a mark cuts nearly all alike; else []."""
    for mark in ",;\t":
        rows = rows_cut(lines, mark, None)
        widths = Counter(map(len, rows))
        width, n = widths.most_common(1)[0] if widths else (0, 0)
        if width > _FEW_CELLS and n >= _ALL_PAIRS * len(rows):
            return next(row for row in reversed(rows) if len(row) == width)
    return []


def _cells_of_keys(text: str, key: re.Pattern[str], keys: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    rows = [_values(line, key, keys) for line in lines_of(text)]
    ahead = [match for row in rows if row and (match := _AHEAD.fullmatch(row[0]))]
    times = [match["time"] or "" for match in ahead]
    columns = ([("time", times)] if any(times) else []) + _columns_of_words([match["words"] for match in ahead])
    first = zip(*(cells for _, cells in columns), strict=True) if columns else iter([()] * len(ahead))
    lines = ("\t".join(map(cell_between_tabs, [*next(first), *row[1:]])) if row else "" for row in rows)
    return unique_names((*(name for name, _ in columns), *keys)), "\n".join(lines)


def _columns_of_words(texts: list[str]) -> list[tuple[str, list[str]]]:
    """(name, cells) of each part of texts that have as many: words with a number, as "Epoch 3/50", or any others."""
    parts = [[part for each in _BETWEEN_WORDS.split(text) if (part := each.strip(_AROUND + ":"))] for text in texts]
    if len(set(map(len, parts))) > 1:
        parts = [[" ".join(each)] for each in parts]
    columns = []
    for cells in map(list, zip(*parts, strict=True)):
        found = [match for cell in cells if (match := _COUNTER.fullmatch(cell))]
        if len(found) == len(cells) and len({match["name"] for match in found}) == 1:
            columns.append((found[0]["name"], [match["number"] for match in found]))
        elif len(set(cells)) > 1:
            columns.append(("text", cells))
    return columns


def _values(line: str, key: re.Pattern[str], keys: tuple[str, ...]) -> list[str]:
    """What stands before the first key, and behind each; [] of a line with other keys."""
    matches = list(key.finditer(line.rstrip("\r\n")))
    if tuple(match[1] for match in matches) != keys:
        return []
    ends = [*(match.start() for match in matches[1:]), len(line.rstrip("\r\n"))]
    around = _AROUND if key is _KEY else _MARKS_AROUND
    values = [line[match.end() : end].strip(around) for match, end in zip(matches, ends, strict=True)]
    return [line[: matches[0].start()].strip(_AROUND), *values]


def _pairs(line: str) -> dict[str, str]:
    if not _PAIRS.fullmatch(line):
        return {}
    return {name: value[1:-1] if value.startswith('"') else value for name, value in _PAIR.findall(line)}


def _matches(text: str, form: re.Pattern[str]) -> Iterator[re.Match[str] | None]:
    return (form.fullmatch(line.rstrip("\r\n")) for line in lines_of(text))


def cell_between_tabs(cell: str | None) -> str:
    """The cell as a file of tabs holds it: quoted where it has quotes."""
    cell = (cell or "").replace("\t", " ")
    return '"' + cell.replace('"', '""') + '"' if '"' in cell else cell
