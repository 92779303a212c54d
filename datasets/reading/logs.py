"""Logs -> text with tabs: syslog, web servers' access logs, lines with a time and a level, and key=value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from datasets.reading.layout import lines_of, sampled_lines

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
        r'(?P<host>\S+) (?P<ident>\S+) (?P<user>[^\[]+) \[(?P<time>[^\]]+)\] "(?:(?P<method>[A-Z]+) )?'
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


def log_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, the text with tabs between the cells and other lines blanked); None where it is no log."""
    lines = [line for line in sampled_lines(text) if line.strip()]
    if sum(_PAIRS.fullmatch(line) is not None for line in lines) >= max(_FEWEST_LINES, _ALL_PAIRS * len(lines)):
        found = [_pairs(line) for line in lines_of(text)]
        keys = tuple(dict.fromkeys(chain.from_iterable(found)))
        return keys, "\n".join(
            "\t".join(cell_between_tabs(pairs.get(key)) for key in keys) if pairs else "" for pairs in found
        )
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
