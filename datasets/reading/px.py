"""PC-Axis files (.px), as statistical offices publish cubes of numbers: a row for each combination of the stub."""

from __future__ import annotations

import re
from itertools import product
from math import prod

from datasets.reading.logs import cell_between_tabs

_STATEMENT = re.compile(r'(?:"[^"]*"|[^";])+')
_KEYWORD = re.compile(r'\s*([A-Z][A-Z0-9_-]*)(?:\("([^"]*)"[^)]*\))?\s*=(.*)', re.DOTALL)  # in the main language
_GOES_ON = re.compile(r'"\s*[\r\n]+\s*"')  # a text on two lines
_DATA = re.compile(r"^DATA\s*=\s*", re.MULTILINE)


def px_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, the rows with tabs between the cells on the lines of the data); None of any other file."""
    begin = _DATA.search(text)
    if begin is None or "VALUES(" not in text[: begin.start()]:
        return None
    statements = filter(None, map(_KEYWORD.fullmatch, _STATEMENT.findall(text[: begin.start()])))
    said = {(match[1], match[2] or ""): _strings(match[3]) for match in statements}
    stub, heading = (said.get((key, ""), []) for key in ("STUB", "HEADING"))
    stub, heading = (stub, heading) if stub else (heading[:1], heading[1:])
    try:
        values = {of: said["VALUES", of] for of in (*stub, *heading)}
    except KeyError:
        return None
    columns = [" ".join(each) for each in product(*(values[of] for of in heading))] if heading else ["value"]
    cells = re.findall(r'"[^"]*"|[^\s;]+', text[begin.end() :])
    if not stub or len(cells) != len(columns) * prod(len(values[of]) for of in stub):
        return None
    rows = [
        "\t".join(map(cell_between_tabs, (*named, *(cell.strip('"') for cell in cells[k : k + len(columns)]))))
        for k, named in zip(range(0, len(cells), len(columns)), product(*(values[of] for of in stub)), strict=True)
    ]
    return (*stub, *columns), "\n" * text.count("\n", 0, begin.end()) + "\n".join(rows)


def _strings(value: str) -> list[str]:
    return [" ".join(each.split()) for each in re.findall(r'"([^"]*)"', _GOES_ON.sub("", value))]
