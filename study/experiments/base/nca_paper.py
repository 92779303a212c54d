"""What both halves of figure 1 of the NCA paper have in common: six data sets, 70/30, one neighbour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from study.experiments.base.cell import Cell
from study.experiments.base.experiment import Line
from study.experiments.base.grid import one_method

HELD_OUT = 0.3
OF_EACH_DIGIT = (200, 500)  # trained on, tested on
# The file of the digits at hand holds the same 1,100 images as 5, as 6 and as 7, so that only one of these can be kept.
DIGITS = ("1", "2", "3", "4", "5", "8", "9", "0")
NOT_ALL_DIGITS = "USPS at 8 by 8 pixels without the digits 6 and 7, whose images are those of 5 in the file at hand"


@dataclass(frozen=True)
class DataSet:
    """A data set of the figure.

    Attributes
    ----------
    data : str
        Key of the catalogue, or "folder:" and a file.
    splits : int
        How many, where fewer than the figure's 40 are affordable; 0 for all.
    bins, classes, max_rows, held_out, stand_in
        As for Cell and `one_method`.
    slow : bool
        Left out of a fast run.
    """

    data: str
    splits: int = 0
    bins: int = 0
    classes: tuple[str, ...] = ()
    max_rows: int | None = None
    held_out: float = HELD_OUT
    slow: bool = False
    stand_in: str = ""

    def cell(
        self,
        method: str,
        dimensions: int | None,
        *,
        scale: str = "standardise",
        start: str = "",
        settings: Mapping[str, Any] | None = None,
        rules: tuple[str, ...] = (),
        knn: int = 0,
        bins: int = 0,
    ) -> Cell:
        """A method on one split of it."""
        recipe = one_method(
            self.data, method, self.held_out, scale=scale, start=start, settings=settings, max_rows=self.max_rows
        )
        return Cell(recipe, dimensions, self.classes, bins or self.bins, knn, rules)


SETS: dict[str, DataSet] = {
    "balance": DataSet("balance"),
    "ionosphere": DataSet("folder:ionosphere.csv"),
    "iris": DataSet("iris"),
    "wine": DataSet("wine"),
    "housing": DataSet("folder:housing_medv.csv", bins=3),
    "digits": DataSet(
        "folder:usps_8x8.csv.gz",
        splits=5,
        classes=DIGITS,
        max_rows=sum(OF_EACH_DIGIT) * len(DIGITS),
        held_out=OF_EACH_DIGIT[1] / sum(OF_EACH_DIGIT),
        slow=True,
        stand_in=NOT_ALL_DIGITS,
    ),
}
FEW = 10  # splits of variants
Variant = tuple[str, Cell, str]  # what is different, the cell, which of its numbers


def lines_of(
    name: str,
    methods: Mapping[str, str],
    dimensions: int,
    published: tuple[float, ...],
    variants: Iterable[Variant],
    variant_splits: int,
) -> list[Line]:
    """The lines of one data set in one half of the figure, on held-out rows and on the training rows.

    Parameters
    ----------
    name : str
        Of SETS.
    methods : mapping
        Column of the table -> key of METHODS.
    dimensions : int
        Of the projections.
    published : tuple of float
        Of NCA on held-out rows.
    variants : iterable of (what is different, cell, number)
        Other settings of NCA.
    variant_splits : int
        Splits of each of these.
    """
    data = SETS[name]
    test = f"{name}, test"
    more: dict[str, Any] = {"slow": data.slow, "stand_in": data.stand_in}
    lines = []
    for column, method in methods.items():
        cell = data.cell(method, dimensions)
        told = published if column == "NCA" else ()
        lines.append(Line(test, column, cell, "test_1nn", told, splits=data.splits, **more))
        lines.append(Line(f"{name}, train", column, cell, "own_1nn", splits=data.splits, **more))
    for variant, cell, number in variants:
        lines.append(Line(test, "NCA", cell, number, published, variant=variant, splits=variant_splits, **more))
    if name == "housing":
        for column, method in methods.items():
            cell = data.cell(method, dimensions, bins=4)
            lines.append(Line(test, column, cell, variant="four bins", splits=FEW))
    return lines
