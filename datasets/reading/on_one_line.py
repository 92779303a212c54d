"""A cell as one line: line breaks inside it show as such."""

from __future__ import annotations

_BREAK = "⏎"


def on_one_line(cell: str) -> str:
    """The cell with each line break as ⏎, for sentences and previews."""
    return _BREAK.join(cell.splitlines()) if "\n" in cell or "\r" in cell else cell
