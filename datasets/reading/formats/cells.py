"""Cells: what the reader of a format hands back. Refused: why it does not."""

from __future__ import annotations

from dataclasses import dataclass, field


class Refused(Exception):
    """A sentence about the file, without its name."""


@dataclass
class Cells:
    """Text cells; `columns` is None where the first row has still to be looked at."""

    columns: tuple[str, ...] | None
    rows: list[tuple[str, ...]]
    line_numbers: list[int]
    notes: list[str] = field(default_factory=list)
    sheets: tuple[str, ...] = ()
    sheet: str = ""
