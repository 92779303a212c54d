"""Cell: one method on one split of one data set, and what is measured of it. Outcome: what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from datasets.catalogue import DATASETS
from datasets.preparation import PreparationConfig
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe, with_seed

ALL_FEATURES = 0


@dataclass(frozen=True)
class Cell:
    """One method, one split."""

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

    def seeded(self, seed: int) -> Cell:
        """The same with `seed` in every place: another split, another draw of what is generated."""
        return replace(self, recipe=with_seed(self.recipe, seed))

    @property
    def drawn_anew(self) -> bool:
        """Whether another seed gives other data, not another split of the same."""
        entry = DATASETS.get(self.recipe.data.key)
        return bool(self.task) or (entry is not None and entry.kind == "generator")

    @property
    def opens_on_a_page(self) -> bool:
        """Whether the link of its recipe shows these very rows."""
        return not (self.classes or self.bins or self.task)


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
    split: str = "stratified",
    split_column: str = "",
    **measured: Any,
) -> Cell:
    """The cell of `method` on `data`, a share of whose rows is held out.

    Parameters
    ----------
    data : str
        Key of the catalogue, or "folder:" and the name of a file.
    method : str
        Key of METHODS.
    held_out : float
        Share of the rows, stratified by class.
    scale : str
        Key of PREPROCESSING.
    settings, start
        Of the method, where they are not its defaults.
    max_rows : int, optional
        Size of a stratified sample of larger data.
    parameters : mapping, optional
        Of a generated set.
    split, split_column : str
        Of the preparation.
    **measured
        The other fields of Cell.
    """
    recipe = Recipe(
        data=DataRecipe(data, parameters or {}),
        preparation=PreparationConfig(
            step=scale, held_out_fraction=held_out, max_rows=max_rows, split=split, split_column=split_column
        ),
        panels=(PanelRecipe(method, settings or {}, start=start),),
    )
    return Cell(recipe, **measured)
