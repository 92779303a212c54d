"""Experiment: a table or figure of a paper as a grid of cells, with what was published and how ours is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from study.experiments.base.cell import Cell

MAIN = ""  # the variant that stands for the paper's own setting


@dataclass(frozen=True)
class Line:
    """One number of a table, over all splits.

    Attributes
    ----------
    row, column : str
        Where it stands in the table: by habit the data, and the method.
    cell : Cell
        What is carried out; each split is `cell.seeded` by its number.
    number : str
        Which number of the outcome.
    published : tuple of float
        As printed, of this paper or of repetitions of it; empty where a figure gives none.
    error : bool
        The table is of errors, 1 − accuracy.
    variant : str
        What is different from the paper's settings as we read them; MAIN for those.
    splits : int
        At most so many, where a cell takes long; 0 for as many as the experiment has.
    slow : bool
        Left out of a fast run.
    stand_in : str
        What is used in the place of data that are not to be had; "" for the data themselves.
    """

    row: str
    column: str
    cell: Cell
    number: str = "test_1nn"
    published: tuple[float, ...] = ()
    error: bool = False
    variant: str = MAIN
    splits: int = 0
    slow: bool = False
    stand_in: str = ""

    @property
    def place(self) -> tuple[str, str]:
        return self.row, self.column

    def shown(self, value: float) -> float:
        """A number of the outcome as the table has it."""
        return 1.0 - value if self.error else value


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, or a figure read by eye: one number is better than another.

    Attributes
    ----------
    sentence : str
        In our words.
    better, worse : (str, str)
        Row and column of both, of the variant `variant`.
    equal_will_do : bool
        "Never worse than": it holds where nothing speaks against it.
    """

    sentence: str
    better: tuple[str, str]
    worse: tuple[str, str]
    equal_will_do: bool = False
    variant: str = MAIN


@dataclass(frozen=True)
class Experiment:
    """An entry of EXPERIMENTS.

    Attributes
    ----------
    key, title : str
        Its id on the command line, and what people read.
    source : str
        Paper, and which table or figure.
    settings : str
        What the source says of its settings, and what we chose where it is silent.
    lines : tuple of Line
        The table.
    claims : tuple of Claim
        What the source says beside numbers.
    splits, fast_splits : int
        How many of each by default, and in a fast run.
    published_splits : int
        Over how many splits the published numbers were averaged.
    figure : callable or None
        ``figure(found)`` gives the SVG of the figure from a `Found`, "" where nothing is there to draw.
    answer : callable or None
        ``answer(found)`` gives sentences that follow from the numbers.
    """

    key: str
    title: str
    source: str
    settings: str
    lines: tuple[Line, ...]
    claims: tuple[Claim, ...] = ()
    splits: int = 10
    fast_splits: int = 2
    published_splits: int = 1
    figure: Callable[[Any], str] | None = None
    answer: Callable[[Any], str] | None = None

    def splits_of(self, line: Line, asked: int = 0, fast: bool = False) -> int:
        """How many splits of a line are run: as many as asked for, else its own number."""
        if fast and line.slow:
            return 0
        if asked:
            return min(asked, line.splits) if line.splits else asked
        most = self.fast_splits if fast else self.splits
        return min(most, line.splits) if line.splits else most

    def cells(self, asked: int = 0, fast: bool = False) -> list[Cell]:
        """Every cell once, the first split of all lines before the second of any."""
        wanted = [(line, self.splits_of(line, asked, fast)) for line in self.lines]
        most = max((many for _, many in wanted), default=0)
        return list(
            dict.fromkeys(line.cell.seeded(seed) for seed in range(most) for line, many in wanted if seed < many)
        )


def registry(experiments: tuple[Experiment, ...]) -> dict[str, Experiment]:
    """By key; ValueError where two have the same."""
    found = {experiment.key: experiment for experiment in experiments}
    if len(found) < len(experiments):
        raise ValueError("Two experiments have the same key.")
    return found


def chosen(experiments: Mapping[str, Experiment], asked: list[str]) -> list[Experiment]:
    """Those of these ids, "all" for each; ValueError with the ids that there are for an unknown one."""
    unknown = [key for key in asked if key != "all" and key not in experiments]
    if unknown:
        raise ValueError(f"There is no experiment {', '.join(unknown)}; there are: {', '.join(experiments)}, all.")
    return [experiment for key, experiment in experiments.items() if key in asked or "all" in asked]
