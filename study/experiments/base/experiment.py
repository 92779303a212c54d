"""Experiment: a table or figure of a paper as a grid of cells, with what was published and how ours is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from study.experiments.base.cell import Cell, method_cell
from study.panel import PanelRecipe, free_key
from study.recipe import MOST_PANELS, Recipe

MAIN = ""  # the variant that stands for the paper's own setting


@dataclass(frozen=True)
class Line:
    """One number of a table, over all splits."""

    row: str  # usually the data
    column: str  # usually the method
    cell: Cell  # split k is `cell.seeded(k)`
    number: str = "test_1nn"  # name of the number in the outcome
    # as printed in the paper or in repetitions of it; empty where a figure prints none
    published: tuple[float, ...] = ()
    error: bool = False  # the table shows errors, 1 − accuracy
    variant: str = MAIN  # how it differs from the paper's settings; MAIN for those
    splits: int = 0  # limit for slow cells; 0 for as many as the experiment has
    slow: bool = False  # left out of a fast run
    stand_in: str = ""  # the data used because the paper's are not available; "" for the paper's own

    @property
    def place(self) -> tuple[str, str]:
        return self.row, self.column

    def shown(self, value: float) -> float:
        """A number of the outcome as the table shows it."""
        return 1.0 - value if self.error else value


# name of a variant -> what it changes: arguments of `method_cell` and fields of Line
Variants = dict[str, dict[str, Any]]
_OF_LINE = {field.name for field in fields(Line)}


def lines_with_variants(
    row: str, column: str, cell: Mapping[str, Any], variants: Variants | None = None, *, few: int = 0, **line: Any
) -> list[Line]:
    """The line of the paper's own setting and those of its variants.

    Parameters
    ----------
    row, column, **line
        Fields of Line.
    cell : mapping
        Arguments of `method_cell`.
    variants : Variants, optional
        The variants.
    few : int
        Splits of each variant; 0 for as many as the line has.
    """
    lines = [Line(row, column, method_cell(**cell), **line)]
    for name, changes in (variants or {}).items():
        ours = {**line, **({"splits": few} if few else {}), **{key: changes[key] for key in changes.keys() & _OF_LINE}}
        other = {**cell, **{key: changes[key] for key in changes.keys() - _OF_LINE}}
        lines.append(Line(row, column, method_cell(**other), variant=name, **ours))
    return lines


@dataclass(frozen=True)
class Claim:
    """A claim of a paper or its figure: one number is better than another."""

    sentence: str  # in our words
    better: tuple[str, str]  # its row and column
    worse: tuple[str, str]
    equal_will_do: bool = False  # "not worse than": it holds unless it is reversed
    variant: str = MAIN


@dataclass(frozen=True)
class Experiment:
    """An entry of EXPERIMENTS."""

    key: str  # its id on the command line
    title: str
    source: str  # paper, and which table or figure
    settings: str  # the settings of the source, and our choices where it is silent
    lines: tuple[Line, ...]  # the table
    claims: tuple[Claim, ...] = ()  # its claims besides numbers
    splits: int = 10  # by default
    fast_splits: int = 2  # in a fast run
    published_splits: int = 1  # behind the published numbers
    version: int = 1  # part of the key of stored cells: raise it when the meaning of a number changes
    # draws Results with Plotly; gives None where there is nothing to draw
    figure: Callable[[Any], Any] | None = None
    answer: Callable[[Any], str] | None = None  # gives the sentences that follow from Results

    def splits_of(self, line: Line, n_splits: int = 0, fast: bool = False) -> int:
        """Number of splits of a line: `n_splits` where given, else its own number, at most its limit."""
        if fast and line.slow:
            return 0
        most = n_splits or (self.fast_splits if fast else self.splits)
        return min(most, line.splits) if line.splits else most

    def cells(self, n_splits: int = 0, fast: bool = False) -> list[Cell]:
        """Every cell once, the first split of all lines before the second of any."""
        wanted = [(line, self.splits_of(line, n_splits, fast)) for line in self.lines]
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


def chosen(experiments: Mapping[str, Experiment], keys: list[str]) -> list[Experiment]:
    """The experiments of these keys, "all" for each; ValueError with the known keys for an unknown one."""
    unknown = [key for key in keys if key != "all" and key not in experiments]
    if unknown:
        raise ValueError(f"There is no experiment {', '.join(unknown)}; there are: {', '.join(experiments)}, all.")
    return [experiment for key, experiment in experiments.items() if key in keys or "all" in keys]


def cells_of_row(experiment: Experiment, row: str, seed: int) -> dict[str, Cell]:
    """The cells of a row with the paper's own settings on one split, by method; only those that a page can show."""
    lines = (line for line in experiment.lines if line.row == row and line.variant == MAIN)
    return {line.column: line.cell.seeded(seed) for line in lines if line.cell.opens_on_a_page}


def side_by_side(cells: dict[str, Cell]) -> Recipe | None:
    """One recipe with a panel for each cell; None without cells.

    Cells on other data or with another preparation than the first are left out, and so are repeated panels.
    """
    if not cells:
        return None
    first = next(iter(cells.values())).recipe
    panels: list[PanelRecipe] = []
    for cell in cells.values():
        recipe = cell.recipe
        if replace(recipe, panels=first.panels) != first:
            continue
        panel = recipe.panels[0]
        if any(replace(panel, key=other.key) == other for other in panels if other.method_key == panel.method_key):
            continue
        panels.append(replace(panel, key=free_key(panel.method_key, {other.key for other in panels})))
    return replace(first, panels=tuple(panels[:MOST_PANELS]))
