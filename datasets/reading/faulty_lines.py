"""FaultyLinesError: lines with more cells than the header, all of them at once, with the option to skip them."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.base.counted import counted
from datasets.base.errors import DataError

_SHOWN = 4
_KEPT = 50
_MOST_SKIPPED = 0.5


@dataclass(frozen=True)
class FaultyLine:
    """A line that does not fit: its number in the file, how many cells it has, and how it begins."""

    number: int
    n_cells: int
    text: str


class FaultyLinesError(DataError):
    """Lines with more cells than the header has names.

    Attributes
    ----------
    lines : list[FaultyLine]
        The first of them.
    n_lines : int
        How many there are.
    filename, n_columns, n_sound
        What else it was made with.
    can_skip
        Whether enough lines are left to skip them with `ReadOptions(faulty_lines="skip")`.
    """

    def __init__(self, filename: str, lines: list[FaultyLine], n_lines: int, n_columns: int, n_sound: int) -> None:
        self.filename, self.lines, self.n_lines = filename, tuple(lines), n_lines
        self.n_columns, self.n_sound = n_columns, n_sound
        self.can_skip = n_sound > 2 and n_lines <= _MOST_SKIPPED * (n_lines + n_sound)
        first = lines[0]
        sentence = f"{filename}, line {first.number} has {first.n_cells:,} columns, the first line has {n_columns:,}"
        if n_lines > 1:
            others = ", ".join(f"{line.number} ({line.n_cells:,})" for line in lines[1 : _SHOWN + 1])
            more = f" and {n_lines - _SHOWN - 1:,} more" if n_lines > _SHOWN + 1 else ""
            sentence += f"; too long are also lines {others}{more}"
        skip = f", or skip {'this line' if n_lines == 1 else f'these {n_lines:,} lines'}" if self.can_skip else ""
        mend = "Mend the line" if n_lines == 1 else "Mend the lines"
        super().__init__(f"{sentence}. {mend}: put cells that contain the separator in quotes{skip}.")


class FaultyLines:
    """Collects lines that do not fit while a file is read."""

    def __init__(self) -> None:
        self.lines: list[FaultyLine] = []
        self.count = 0

    def add(self, number: int, cells: tuple[str, ...]) -> None:
        self.count += 1
        if len(self.lines) < _KEPT:
            self.lines.append(FaultyLine(number, len(cells), " | ".join(cells)[:200]))

    def settle(self, filename: str, n_columns: int, n_sound: int, skip: bool) -> list[str]:
        """A sentence about the lines that were skipped.

        Raises
        ------
        FaultyLinesError
            Where there are some and they are not to be skipped, or too few lines would be left.
        """
        if not self.count:
            return []
        error = FaultyLinesError(filename, self.lines, self.count, n_columns, n_sound)
        if not (skip and error.can_skip):
            raise error
        shown = ", ".join(str(line.number) for line in self.lines[: _SHOWN + 1])
        more = " and more" if self.count > _SHOWN + 1 else ""
        lines = counted(self.count, "line with too many cells was", "lines with too many cells were")
        return [f"{lines} skipped ({'line' if self.count == 1 else 'lines'} {shown}{more})."]
