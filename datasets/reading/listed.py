"""Records that list their values line by line, a name and a value on each: "Kind: oak", "mass = 5", '[White "Li"]'.

YAML, TOML and INI files, chess games, E-Prime, MGF and SD files (chemistry) are written so, and lists made by hand.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice, pairwise

from datasets.reading.layout import lines_of
from datasets.reading.logs import cell_between_tabs

_NAME = r"(?:- +)?([^\W\d][\w .()/%#-]{0,39}?)\s*"
_FORMS = tuple(
    re.compile(form) for form in (_NAME + r":(?:\s+(.*))?", _NAME + r"=\s*(.*)", r'\[([A-Za-z]\w*) "(.*)"\]')
)
_SECTION = re.compile(r"\[{1,2}([^\[\]\"]+)\]{1,2}|={3,} *([^=]+?) *={3,}")  # "[oak 1]", "=== oak 1 ==="
_DRAWN = re.compile(r"([*=~#-])\1{2}.*")  # "*** LogFrame Start ***"
_MOLECULE, _END_OF_MOLECULE = re.compile(r"(?:.*\r?\n){3}.*V[23]000\s*$", re.MULTILINE), "$$$$"
_OF_MOLECULE = re.compile(r"^>[^<\r\n]*<([^<>\r\n]+)>.*(\r?\n)(.*)$", re.MULTILINE)  # its value is on the line below
_SPECTRA_OR_GAMES = re.compile(r"^(?:BEGIN IONS\b|\[Event \")", re.MULTILINE)
_HEAD, _SOME_LINES, _FEWEST_RECORDS, _FEWEST_NAMES = 2_000, 2_000, 5, 3
_MOSTLY = 0.8  # share of the lines that name a value, and of the records that have several names, each of them once
_OTHERS = "other lines"


def listed_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, the text with each record on its first line and all other lines blank); None of any other
    text.

    A record begins with the first of the names that occur most often. What else stands in it is its cell in the column
    "other lines", but for lines that are the same in each record.
    """
    are_molecules = _MOLECULE.match(text) is not None
    if are_molecules:
        text = _OF_MOLECULE.sub(r"\1: \3\2", text)
    are_strict = not are_molecules and not _SPECTRA_OR_GAMES.search(text[:_HEAD])
    first = [line.strip() for line in islice(lines_of(text), _SOME_LINES) if line.strip()]
    n_sections = sum(_SECTION.fullmatch(line) is not None for line in first)
    counts = [n_sections + sum(form.fullmatch(line) is not None for line in first) for form in _FORMS]
    n_drawn = sum(_DRAWN.fullmatch(line) is not None for line in first)
    if max(counts) < max(_FEWEST_RECORDS * _FEWEST_NAMES, are_strict * _MOSTLY * (len(first) - n_drawn)):
        return None
    lines = [line.strip() for line in lines_of(text)]
    named = _values(lines, _FORMS[counts.index(max(counts))])
    often = Counter(name for name, _ in named.values())
    begins = max(often, key=lambda name: often[name])
    starts = [k for k, (name, _) in named.items() if name == begins]
    if are_molecules:
        starts = [0, *(k + 1 for k, line in enumerate(lines) if line == _END_OF_MOLECULE and any(lines[k + 1 :][:4]))]
    same = Counter(line for k, line in enumerate(lines) if k not in named)
    records = dict[int, dict[str, list[str]]]()
    for begin, end in pairwise([*starts, len(lines)]):
        records[begin] = defaultdict(list)
        for k in range(begin if len(records) > 1 else 0, end):
            if k in named:
                records[begin][named[k][0]].append(named[k][1])
            elif lines[k] and same[lines[k]] < len(starts):
                records[begin][_OTHERS].append(lines[k])
    are_several = (len(each.keys() - {_OTHERS}) >= _FEWEST_NAMES for each in records.values())
    are_single = (all(len(each[name]) == 1 for name in each.keys() - {_OTHERS}) for each in records.values())
    if len(records) < _FEWEST_RECORDS or min(sum(are_several), sum(are_single)) < _MOSTLY * len(records):
        return None
    found = dict.fromkeys(name for each in records.values() for name in each if name != _OTHERS)
    columns = (*found, *([_OTHERS] if any(_OTHERS in each for each in records.values()) else []))
    rows = {
        k: "\t".join(cell_between_tabs("; ".join(each.get(name, ()))) for name in columns)
        for k, each in records.items()
    }
    return columns, "\n".join(rows.get(k, "") for k in range(len(lines)))


def _values(lines: Sequence[str], form: re.Pattern[str]) -> dict[int, tuple[str, str]]:
    """The name and value of each line that has one, by its place."""
    found = dict[int, tuple[str, str]]()
    for k, line in enumerate(lines):
        if match := form.fullmatch(line):
            found[k] = match[1], (match[2] or "").strip(" \"'")
        elif match := _SECTION.fullmatch(line):
            found[k] = "section", (match[1] or match[2]).strip()
    return found
