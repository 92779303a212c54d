"""Plate reader exports: SoftMax Pro writes a line for each row of wells, Tecan i-control one for each well."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain, takewhile

from datasets.reading.layout import lines_of
from datasets.reading.logs import cell_between_tabs
from datasets.reading.table import unique_names

_BLOCKS = re.compile(r"##BLOCKS= ?\d+")
_PLATE, _END, _TIME = "Plate:", "~End", "Time"
_ROWS = "ABCDEFGHIJKLMNOP"
_CYCLES = re.compile(r"^Cycle(?: ?(?:Nr|No)\.?|s| number)\t1\t2\t3(?:\t|$)", re.IGNORECASE | re.MULTILINE)
_MEANS = re.compile(r"^[A-P]0?\d{1,2}\t1\t2\t.*(?:\r?\n(?:Time|Temp).*)+\r?\nMean\t", re.MULTILINE | re.IGNORECASE)
_CORNER, _WHOLE = "<>", {6: 4, 12: 8, 24: 16}  # rows of a plate, by its columns
_GRID = re.compile(rf"(?:^|\t)(?:{_CORNER})?\t1\t2\t3\t", re.MULTILINE)
_NAMED = re.compile(r'^"?[^\W\d][^\t,;\n]*([\t,;])"?1"?\1"?2"?\1"?3"?\1', re.MULTILINE)  # with a name in the corner
_WELL, _AXIS = re.compile(r"[A-P]0?\d{1,2}"), re.compile(r"Time|Temp", re.IGNORECASE)
_FEWEST_WELLS = 4
_MOST_AROUND = 0.5  # share of the cells that stand in no line of a well
_LINES_OF_SETTINGS = 60  # above a grid
_N_AHEAD = 2  # cells before those of the wells: time and temperature


def plate_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """Return the column names, and the text with each read on its first line and all other lines blank; None for any
    other text. The columns are plate, time and temperature, where they differ, and one for each well."""
    if not _BLOCKS.match(text):
        return None
    reads: dict[int, dict[str, str]] = {}  # line -> column -> cell
    plate, heads, begin = "", list[str](), 0
    lines = [line.rstrip("\r\n").split("\t") for line in lines_of(text)]
    for k, cells in enumerate(lines):
        if cells[0] == _PLATE:
            plate, heads = cells[1] if len(cells) > 1 else "", []
        elif cells[0].startswith(_END):
            plate = ""
        elif plate and not heads:
            heads = [cell.strip() for cell in cells]
        elif plate and any(cells[:_N_AHEAD]):
            begin = k
            time, temperature = (cell.strip() for cell in [*cells, ""][:_N_AHEAD])
            ahead = {"plate": plate, "time": time if heads[0].startswith(_TIME) else "", "temperature": temperature}
            reads[k] = ahead | _wells(heads, cells, 0)
        elif plate and begin in reads and any(cells):
            if k - begin >= len(_ROWS):
                return None  # a plate of another kind
            reads[begin] |= _wells(heads, cells, k - begin)
    wells = sorted({name for read in reads.values() for name in read if name[1:].isdigit()}, key=_place)
    differ = [name for name in ("plate", "time", "temperature") if len({read[name] for read in reads.values()}) > 1]
    names = (*differ, *wells)
    if not wells:
        return None
    rows = {k: "\t".join(cell_between_tabs(read.get(name, "")) for name in names) for k, read in reads.items()}
    return names, "\n".join(rows.get(k, "") for k in range(len(lines)))


def kinetic_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """Return the column names, and the text with each well on the line of its first cycles and all other lines blank;
    None for any other text. The columns are the well and its cycles, below several titles those of each."""
    if not _CYCLES.search(text):
        return None
    lines = [[cell.strip() for cell in line.split("\t")] for line in lines_of(text)]
    heads = [k for k, line in enumerate(lines) if _CYCLES.match("\t".join(line))]
    place: dict[str, int] = {}  # well -> line
    names, columns, n_used = list[str](), list[dict[str, str]](), 0  # of each column its cells, by well
    for n, head in enumerate(heads, start=1):
        below = takewhile(lambda line: _WELL.fullmatch(line[0]) or _AXIS.match(line[0]), lines[head + 1 :])
        wells = [(k, line) for k, line in enumerate(below, start=head + 1) if _WELL.fullmatch(line[0])]
        above = [cell for cell in lines[head - 1] if cell] if head else []
        title = f"{above[0] if len(above) == 1 else f'block {n}'} " if len(heads) > 1 else ""
        for k, line in wells:
            if any(line[1:]):
                place.setdefault(line[0], k)
            n_used += sum(map(bool, line))
        for j, cycle in enumerate(lines[head][1:], start=1):
            held = {line[0]: line[j] for _, line in wells if j < len(line) and line[j]}
            if held:
                names.append(title + cycle)
                columns.append(held)
    n_cells = sum(bool(cell) for k, line in enumerate(lines) if k not in heads for cell in line)
    if len(place) < _FEWEST_WELLS or n_used < _MOST_AROUND * n_cells:
        return None
    rows = {k: "\t".join([well, *(column.get(well, "") for column in columns)]) for well, k in place.items()}
    return ("well", *names), "\n".join(rows.get(k, "") for k in range(len(lines)))


def means_of_wells(text: str) -> tuple[tuple[str, ...], str] | None:
    """The same where several reads are taken of each well, below a line with its name and the numbers of the cycles."""
    if not _MEANS.search(text):
        return None
    lines = [[cell.strip() for cell in line.split("\t")] for line in lines_of(text)]
    rows, well, cycles = dict[int, list[str]](), "", list[str]()
    for k, line in enumerate(lines):
        if _WELL.fullmatch(line[0]) and line[1:2] == ["1"]:
            well, cycles = line[0], max(cycles, line[1:], key=len)
        elif line[0] == "Mean" and well:
            rows[k], well = [well, *line[1:]], ""
    if len(rows) < _FEWEST_WELLS:
        return None
    names = ("well", *(cycle for cycle in cycles if cycle))
    cells = {k: "\t".join([*row, *[""] * len(names)][: len(names)]) for k, row in rows.items()}
    return names, "\n".join(cells.get(k, "") for k in range(len(lines)))


def grid_cells(text: str) -> tuple[tuple[str, ...], str] | None:
    """(names of the columns, a line for each well) of plates drawn as grids, whole ones or with "<>" in the corner: the
    wells, and a column for each grid; None for any other text. Two or more may have names in their corners."""
    named = [match[1] for match in _NAMED.finditer(text)]
    if not _GRID.search(text) and len(named) < 2:
        return None
    mark = named[0] if len(named) > 1 else "\t"
    lines = [[cell.strip(' "') for cell in line.rstrip("\r\n").split(mark)] for line in lines_of(text)]
    titles, wells, n_used = list[str](), dict[str, dict[int, str]](), 0  # of each well its cells, by grid
    for k, line in enumerate(lines):
        for j in (j for j, corner in enumerate(line) if corner in ("", _CORNER) or (len(named) > 1 and not j)):
            grid = _grid(lines[k : k + 1 + len(_ROWS)], j)
            for well, cell in grid.items():
                wells.setdefault(well, {})[len(titles)] = cell
            if grid:
                title = line[j].replace(_CORNER, "") or _title(lines[max(0, k - _LINES_OF_SETTINGS) : k], j)
                titles.append(title or f"plate {len(titles) + 1}")
                n_used += len(grid)
    n_cells = sum(map(bool, chain.from_iterable(lines)))
    if len(wells) < _FEWEST_WELLS or (_CORNER not in text and n_used < _MOST_AROUND * n_cells):
        return None
    rows = ("\t".join([well, *(held.get(n, "") for n in range(len(titles)))]) for well, held in wells.items())
    return ("well", *unique_names(tuple(titles))), "\n".join(rows)


def _grid(lines: Sequence[Sequence[str]], j: int) -> dict[str, str]:
    """The filled wells of a grid whose corner is the cell `j` of the first of these lines; {} where there is none."""
    head = lines[0][j + 1 :]
    width = next((n for n, cell in enumerate(head) if cell != str(n + 1)), len(head))
    letters = (row[j] if j < len(row) else "" for row in lines[1 : 1 + len(_ROWS)])
    height = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(_ROWS, letters, strict=False)))
    if _WHOLE.get(width) != height and not (lines[0][j] == _CORNER and min(width, height) > 1):
        return {}
    rows = zip(_ROWS, lines[1 : 1 + height], strict=False)
    return {
        f"{row}{n}": cell for row, cells in rows for n, cell in enumerate(cells[j + 1 : j + 1 + width], start=1) if cell
    }


def _title(above: Sequence[Sequence[str]], j: int) -> str:
    """What stands above a grid: alone over its corner or the cell beside this, or behind the last "Label:"."""
    labels = [line[0].partition(":")[2].strip() for line in above if line[0].startswith("Label:")]
    near = [cell for line in above[-1:] for cell in line[j : j + 2] if cell and ":" not in cell]
    return next(iter([*near, *labels[-1:]]), "")


PlateCells = Callable[[str], tuple[tuple[str, ...], str] | None]
PLATES: tuple[tuple[PlateCells, str], ...] = (
    (plate_cells, "Plate reader export: one row per read, one column per well. Its settings were left out."),
    (
        kinetic_cells,
        "Plate reader export: one row per well, one column per cycle. Its settings, times and temperatures were left "
        "out, and so were wells without reads.",
    ),
    (
        means_of_wells,
        "Plate reader export: one row per well, the mean of its reads for each cycle. Its settings, times, "
        "temperatures and single reads were left out.",
    ),
    (
        grid_cells,
        "Plate reader export: one row per well, one column per plate. Its settings were left out, and so were wells "
        "without reads.",
    ),
)


def _wells(heads: Sequence[str], cells: Sequence[str], row: int) -> dict[str, str]:
    """Map wells to cells; the header holds column numbers, or the names of all wells."""
    found = {}
    for head, cell in zip(heads[_N_AHEAD:], cells[_N_AHEAD:], strict=False):
        if cell.strip() and head:
            found[_ROWS[row] + head if head.isdigit() else head] = cell.strip()
    return found


def _place(well: str) -> tuple[str, int]:
    return well[0], int(well[1:])
