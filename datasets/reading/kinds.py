"""Lines of several kinds in one text, each with its own columns, as GPS receivers write them: one kind is read."""

from __future__ import annotations

from collections import Counter, defaultdict

from datasets.base.words import first_few
from datasets.reading.blocks import Tables
from datasets.reading.layout import lines_of
from datasets.reading.table import looks_like_a_number

_MARKS = ",;\t|"
_FEWEST, _MOST_LINES = 10, 200_000
_REGULAR = 0.9  # share of the lines that are as wide as most of their kind
_SINGLE = 0.02  # share of the lines whose kind occurs once, such as cut ones
_SHARE = 0.05  # of the lines, for a kind that shows that widths differ


def lines_of_one_kind(text: str, wanted: str | None = None) -> Tables | None:
    """The lines of the kind that is `wanted`, else of the one with the most cells, the others blanked; None where the
    lines are of one kind.

    A word in the first or second cell tells the kind, of which there are few, and with it how many cells there are.
    """
    lines = list(lines_of(text)) if text.count("\n") <= _MOST_LINES else []
    filled = [line for line in lines if line.strip()]
    for mark in (mark for mark in _MARKS if all(mark in line for line in filled[:_FEWEST])):
        for k in (0, 1):
            widths: dict[str, Counter[int]] = defaultdict(Counter)
            for line in filled:
                cells = line.rstrip("\r\n").split(mark)
                widths[cells[k].strip() if k < len(cells) else ""][len(cells)] += 1
            if not _tell_widths(widths, len(filled)) or widths[_cell(filled[0], mark, k)].total() == 1:
                continue
            sizes = {kind: n.total() * n.most_common(1)[0][0] for kind, n in widths.items() if n.total() > 1}
            names = {
                kind: f"{kind} ({widths[kind].total():,} lines)" for kind in sorted(sizes, key=lambda x: -sizes[x])
            }
            chosen = next((kind for kind, name in names.items() if name == wanted), next(iter(names)))
            kept = [line if _cell(line, mark, k) == chosen else line[len(line.rstrip("\r\n")) :] for line in lines]
            n_others = len(filled) - widths[chosen].total()
            others = first_few([name for kind, name in names.items() if kind != chosen])
            note = f"{n_others:,} lines of other kinds, with other columns, were left out: {others}."
            return Tables("".join(kept), 0, (note,), tuple(names.values()), names[chosen])
    return None


def _cell(line: str, mark: str, k: int) -> str:
    cells = line.rstrip("\r\n").split(mark, k + 1)
    return cells[k].strip() if k < len(cells) else ""


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
