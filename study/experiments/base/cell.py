"""Cell: the smallest piece of an experiment: one method on one split of one data set, and what is measured of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from datasets.catalogue import DATASETS
from study.recipe import Recipe
from study.seed import with_seed

ALL_FEATURES = 0


@dataclass(frozen=True)
class Cell:
    """One method, one split.

    Attributes
    ----------
    recipe : Recipe
        Data, preparation, split, and one panel.
    dimensions : int or None
        Of the projection, where it is not the recipe's 2 or 3: any number, ALL_FEATURES for as many as there are.
    classes : tuple of str
        Only rows of these classes; all where empty.
    bins : int
        A label of numbers is cut into so many classes of equal frequency; 0 leaves the classes as they came.
    knn : int
        K of the accuracies "own_knn" and "test_knn"; 0 for none.
    rules : tuple of str
        Keys of CLASSIFIERS that are asked about held-out rows: "test_" and the key.
    truncate : tuple of int
        Dimensions to which the learnt metric is cut, by its eigenvectors, for "test_1nn@" and the dimension.
    places : bool
        Keep where the rows lie, for a picture.
    task : str
        Key of TASKS, for what is no projection of a recipe; "" for a projection.
    """

    recipe: Recipe
    dimensions: int | None = None
    classes: tuple[str, ...] = ()
    bins: int = 0
    knn: int = 0
    rules: tuple[str, ...] = ()
    truncate: tuple[int, ...] = ()
    places: bool = False
    task: str = ""

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
