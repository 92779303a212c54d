"""scikit-learn's own examples of NCA."""

from __future__ import annotations

from typing import Any

from study.experiments.base.bars import bars
from study.experiments.base.cell import ALL_FEATURES, Cell
from study.experiments.base.experiment import Claim, Experiment, Line
from study.experiments.base.grid import one_method

_PUBLISHED = {"pca": ("PCA", 0.52), "lda": ("LDA", 0.66), "nca": ("NCA", 0.70)}
_DIGITS, _IRIS = "digits, 2-D", "iris, all features"


def _digits(method: str, **more: Any) -> Cell:
    return Cell(one_method("digits", method, 0.5, **more), knn=3)


def _iris(method: str, **more: Any) -> Cell:
    return Cell(one_method("iris", method, 0.7, **{"scale": "none", **more}), ALL_FEATURES, knn=3)


SKLEARN_EXAMPLE = Experiment(
    "sklearn-example",
    "scikit-learn's examples: digits in 2-D, iris",
    "scikit-learn 1.x, example 'Dimensionality Reduction with Neighborhood Components Analysis' and the docstring of "
    "NeighborhoodComponentsAnalysis",
    "Accuracy of 3-NN. Digits: standardised, half of the rows held out, one split (seed 0). Iris: as it came, 70 % "
    "held out, one split (seed 42), all four dimensions, from the identity. Our NCA starts from PCA and stops later.",
    (
        *(Line(_DIGITS, title, _digits(method), "test_knn", (value,)) for method, (title, value) in _PUBLISHED.items()),
        Line(_DIGITS, "NCA", _digits("nca", start="lda"), "test_knn", (0.70,), variant="start from LDA"),
        Line(_DIGITS, "NCA", _digits("nca", start="random"), "test_knn", (0.70,), variant="random start"),
        Line(_DIGITS, "NCA", _digits("nca", scale="none"), "test_knn", (0.70,), variant="not scaled"),
        Line(_DIGITS, "PCA", _digits("pca", scale="none"), "test_knn", (0.52,), variant="not scaled"),
        Line(_DIGITS, "LDA", _digits("lda", scale="none"), "test_knn", (0.66,), variant="not scaled"),
        Line(_IRIS, "Euclidean", _iris("euclidean"), "test_knn", (0.933,)),
        Line(_IRIS, "NCA", _iris("nca", start="identity"), "test_knn", (0.962,)),
        Line(
            _IRIS,
            "NCA",
            _iris("nca", start="identity", scale="standardise"),
            "test_knn",
            (0.962,),
            variant="standardised",
        ),
        Line(_IRIS, "Euclidean", _iris("euclidean", scale="standardise"), "test_knn", (0.933,), variant="standardised"),
    ),
    (
        Claim("NCA above LDA on digits", (_DIGITS, "NCA"), (_DIGITS, "LDA")),
        Claim("LDA above PCA on digits", (_DIGITS, "LDA"), (_DIGITS, "PCA")),
        Claim("NCA above the Euclidean distance on iris", (_IRIS, "NCA"), (_IRIS, "Euclidean")),
    ),
    splits=10,
    published_splits=1,
    figure=bars,
)
