"""Figure 2 of the NCA paper: pictures in two dimensions."""

from __future__ import annotations

from study.experiments.base.cell import Cell
from study.experiments.base.experiment import Claim, Experiment, Line
from study.experiments.base.grid import one_method
from study.experiments.base.scatter import scatter

_METHODS = {"PCA": "pca", "LDA": "lda", "NCA": "nca"}
_FACES = tuple(f"person_{number:02}" for number in range(1, 19))
# row -> (data, scale, classes, rows, stand-in, slow)
_ROWS: dict[str, tuple[str, str, tuple[str, ...], int | None, str, bool]] = {
    "rings": ("rings", "none", (), None, "", False),
    "wine": ("wine", "standardise", (), None, "", False),
    "faces": ("folder:faces.csv.gz", "none", _FACES, None, "faces of other people, the paper's are not public", True),
    "digits 1 to 5": ("folder:usps_8x8.csv.gz", "none", ("1", "2", "3", "4", "5"), 1500, "", True),
}


def _lines(row: str) -> list[Line]:
    data, scale, classes, rows, stand_in, slow = _ROWS[row]
    lines = []
    for column, method in _METHODS.items():
        recipe = one_method(data, method, 0.3, scale=scale, max_rows=rows)
        cell = Cell(recipe, classes=classes, places=True)
        lines.append(Line(row, column, cell, "test_1nn", stand_in=stand_in, slow=slow))
    other = "standardise" if scale == "none" else "none"
    for variant, start, scaled in (
        ("start from LDA", "lda", scale),
        ("best of several starts", "best_of_several", scale),
        ("standardised" if scale == "none" else "not scaled", "", other),
    ):
        recipe = one_method(data, "nca", 0.3, scale=scaled, start=start, max_rows=rows)
        lines.append(Line(row, "NCA", Cell(recipe, classes=classes), variant=variant, stand_in=stand_in, slow=slow))
    return lines


NCA_FIG2 = Experiment(
    "nca-fig2",
    "Rings, wine, faces and digits in two dimensions",
    "Goldberger, Roweis, Hinton, Salakhutdinov (2004), figure 2",
    "Pictures there; beside them, accuracy with K = 1 on 30 % held out. Pixels and rings as they come, wine "
    "standardised. Rings: five classes in a plane, Gaussian noise in the third dimension. Digits 1 to 5 of 8 by 8 "
    "pixels, 1,500 of them.",
    tuple(line for row in _ROWS for line in _lines(row)),
    tuple(
        Claim(f"classes better separated by NCA than by {other}: {row}", (row, "NCA"), (row, other))
        for row in _ROWS
        for other in ("PCA", "LDA")
    ),
    splits=5,
    published_splits=1,
    figure=scatter,
)
