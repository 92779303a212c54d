"""What is wrong with the lines of a text that is no table, or not all of whose lines are rows."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.base.errors import DataError

LINES_SHOWN = 4
LINES_KEPT = 50
_MOST_SKIPPED = 0.5


@dataclass(frozen=True)
class FaultyLine:
    """A line that does not fit: its number in the file, how many cells it has, and how it begins."""

    number: int
    n_cells: int
    text: str


class FaultyLinesError(DataError):
    """Lines with more cells than the header has names."""

    def __init__(self, filename: str, lines: list[FaultyLine], n_lines: int, n_columns: int, n_sound: int) -> None:
        self.filename, self.lines, self.n_lines = filename, tuple(lines), n_lines
        self.n_columns, self.n_sound = n_columns, n_sound
        self.can_skip = n_sound > 2 and n_lines <= _MOST_SKIPPED * (n_lines + n_sound)
        first = lines[0]
        sentence = f"{filename}, line {first.number} has {first.n_cells:,} columns, the first line has {n_columns:,}"
        if n_lines > 1:
            others = ", ".join(f"{line.number} ({line.n_cells:,})" for line in lines[1 : LINES_SHOWN + 1])
            more = f" and {n_lines - LINES_SHOWN - 1:,} more" if n_lines > LINES_SHOWN + 1 else ""
            sentence += f"; too long are also lines {others}{more}"
        if n_lines > _MOST_SKIPPED * (n_lines + n_sound):
            super().__init__(
                f"{sentence}. Most lines are no rows of one table: choose the separator, or keep its rows."
            )
            return
        skip = f", or skip {'this line' if n_lines == 1 else f'these {n_lines:,} lines'}" if self.can_skip else ""
        mend = "Mend the line" if n_lines == 1 else "Mend the lines"
        super().__init__(f"{sentence}. {mend}: put cells that contain the separator in quotes{skip}.")


class NoTableError(DataError):
    """No separator cuts most lines alike."""
