"""Experiment: a table or figure of a paper as a grid of cells, with what was published and how ours is drawn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from datasets.catalogue import DATASETS
from datasets.preparation import PreparationConfig
from study.panel import PanelRecipe, free_key
from study.recipe import MOST_PANELS, DataRecipe, Recipe, with_seed

ALL_FEATURES = 0
MAIN = ""  # the variant that stands for the paper's own setting


@dataclass(frozen=True)
class Cell:
    """One method on one split of one data set, and what is measured of it."""

    recipe: Recipe  # data, preparation, split, and one panel
    # of the projection, if not the recipe's 2 or 3: any number, or ALL_FEATURES
    dimensions: int | None = None
    classes: tuple[str, ...] = ()  # rows of these classes only; empty for all
    # number of classes of equal frequency that a numeric label is cut into; 0 keeps the classes
    bins: int = 0
    knn: int = 0  # K of the accuracies "own_knn" and "test_knn"; 0 for none
    rules: tuple[str, ...] = ()  # keys of CLASSIFIERS, for the numbers "test_" and the key
    # dimensions that the learnt metric is truncated to, for the numbers "test_1nn@" and the dimension
    truncate: tuple[int, ...] = ()
    places: bool = False  # keep the places of rows for a picture
    task: str = ""  # key of TASKS; "" for the projection of a recipe

    def seeded(self, seed: int) -> "Cell":
        """The same with `seed` in every place: another split, another draw of what is generated."""
        return replace(self, recipe=with_seed(self.recipe, seed))

    @property
    def drawn_anew(self) -> bool:
        """Whether another seed gives other data, not another split of the same."""
        entry = DATASETS.get(self.recipe.data.key)
        return bool(self.task) or (entry is not None and entry.kind == "generator")


def method_cell(
    data: str,
    method: str,
    held_out: float,
    *,
    scale: str = "standardise",
    settings: Mapping[str, Any] | None = None,
    start: str = "",
    max_rows: int | None = None,
    parameters: Mapping[str, float] | None = None,
    **measured: Any,
) -> Cell:
    """The cell of `method` on `data`, a share of whose rows is held out.

    data: key of the catalogue, or "folder:" and the name of a file.
    max_rows: size of a stratified sample of larger data.
    parameters: of a generated set.
    **measured: the other fields of Cell.
    """
    recipe = Recipe(
        data=DataRecipe(data, parameters or {}),
        preparation=PreparationConfig(step=scale, held_out_fraction=held_out, max_rows=max_rows),
        panels=(PanelRecipe(method, settings or {}, start=start),),
    )
    return Cell(recipe, **measured)


@dataclass(frozen=True)
class Outcome:
    """The result of a cell."""

    # by name: "own_1nn", "test_1nn", "test_knn", "mean_p" and so on; accuracies are shares from 0 to 1
    numbers: dict[str, float] = field(default_factory=dict)
    n_train: int = 0  # rows trained on
    n_test: int = 0  # rows held out
    seconds: float = 0.0  # of preparing, fitting, training and measuring
    ended: str = ""  # how a training ended, as a sentence; "" of a closed form
    problem: str = ""  # why there are no numbers
    failed: bool = False  # ended by an error and not stored
    # (n_shown, n_dimensions), for a picture
    places: list[list[float]] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)  # their classes
    versions: dict[str, str] = field(default_factory=dict)  # of Python and the libraries


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

    row, column, **line: fields of Line.
    cell: arguments of `method_cell`.
    few: splits of each variant; 0 for as many as the line has.
    """
    lines = [Line(row, column, method_cell(**cell), **line)]
    if few:
        line["splits"] = few
    for name, changes in (variants or {}).items():
        changed = {key: changes[key] for key in changes.keys() & _OF_LINE}
        other = {**cell, **{key: changes[key] for key in changes.keys() - _OF_LINE}}
        lines.append(Line(row, column, method_cell(**other), variant=name, **{**line, **changed}))
    return lines


@dataclass(frozen=True)
class Claim:
    """A claim of a paper or its figure: one number is better than another."""

    sentence: str  # in our words
    better: tuple[str, str]  # its row and column
    worse: tuple[str, str]
    equal_will_do: bool = False  # "not worse than": it holds unless it is reversed


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
    published_splits: int = 1  # behind the published numbers
    version: int = 1  # part of the key of stored cells: raise it when the meaning of a number changes
    # draws Results with Plotly; gives None where there is nothing to draw
    figure: Callable[[Any], Any] | None = None
    answer: Callable[[Any], str] | None = None  # gives the sentences that follow from Results

    def splits_of(self, line: Line, n_splits: int = 0, fast: bool = False) -> int:
        """Number of splits of a line: `n_splits` where given, else its own number, at most its limit."""
        if fast and line.slow:
            return 0
        most = n_splits or (2 if fast else self.splits)
        return min(most, line.splits) if line.splits else most

    def cells(self, n_splits: int = 0, fast: bool = False) -> list[Cell]:
        """Every cell once, the first split of all lines before the second of any."""
        wanted = [(line, self.splits_of(line, n_splits, fast)) for line in self.lines]
        most = max((many for _, many in wanted), default=0)
        return list(
            dict.fromkeys(line.cell.seeded(seed) for seed in range(most) for line, many in wanted if seed < many)
        )


def chosen(experiments: Mapping[str, Experiment], keys: list[str]) -> list[Experiment]:
    """The experiments of these keys, "all" for each; ValueError with the known keys for an unknown one."""
    unknown = [key for key in keys if key != "all" and key not in experiments]
    if unknown:
        raise ValueError(f"There is no experiment {', '.join(unknown)}; there are: {', '.join(experiments)}, all.")
    return [experiment for key, experiment in experiments.items() if key in keys or "all" in keys]


def cells_of_row(experiment: Experiment, row: str, seed: int) -> dict[str, Cell]:
    """The cells of a row with the paper's own settings on one split, by method.

    Left out are those whose recipe does not have these very rows on a page.
    """
    lines = [line for line in experiment.lines if line.row == row and line.variant == MAIN]
    shown = (line for line in lines if not (line.cell.classes or line.cell.bins or line.cell.task))
    return {line.column: line.cell.seeded(seed) for line in shown}


def side_by_side(cells: Mapping[str, Cell]) -> Recipe:
    """One recipe with a panel for each cell.

    Cells on other data or with another preparation than the first are left out, and so are repeated panels.
    """
    first, *_ = recipes = [cell.recipe for cell in cells.values()]
    alike = [recipe.panels[0] for recipe in recipes if replace(recipe, panels=first.panels) == first]
    panels: dict[str, PanelRecipe] = {}
    for panel in dict.fromkeys(alike):
        key = free_key(panel.method_key, panels)
        panels[key] = replace(panel, key=key)
    return replace(first, panels=tuple(panels.values())[:MOST_PANELS])
