"""scikit-learn's own examples of NCA."""

from typing import Any

from study.experiments.base.experiment import ALL_FEATURES, Claim, Experiment, Variants, lines_with_variants
from study.experiments.base.figures import bars

_DIGITS, _IRIS = "digits, 2-D", "iris, all features"
_CELLS: dict[str, dict[str, Any]] = {
    _DIGITS: {"data": "digits", "held_out": 0.5, "knn": 3},
    _IRIS: {"data": "iris", "held_out": 0.7, "scale": "none", "knn": 3, "dimensions": ALL_FEATURES},
}
_RAW: Variants = {"not scaled": {"scale": "none"}}
_STANDARDISED: Variants = {"standardised": {"scale": "standardise"}}
# row, column, method, published, variants
_TABLE: tuple[tuple[str, str, dict[str, Any], float, Variants], ...] = (
    (_DIGITS, "PCA", {"method": "pca"}, 0.52, _RAW),
    (_DIGITS, "LDA", {"method": "lda"}, 0.66, _RAW),
    (
        _DIGITS,
        "NCA",
        {"method": "nca"},
        0.70,
        {"start from LDA": {"start": "lda"}, "random start": {"start": "random"}, **_RAW},
    ),
    (_IRIS, "Euclidean", {"method": "euclidean"}, 0.933, _STANDARDISED),
    (_IRIS, "NCA", {"method": "nca", "start": "identity"}, 0.962, _STANDARDISED),
)

SKLEARN_EXAMPLE = Experiment(
    "sklearn-example",
    "scikit-learn's examples: digits in 2-D, iris",
    "scikit-learn 1.x, example 'Dimensionality Reduction with Neighborhood Components Analysis' and the docstring of "
    "NeighborhoodComponentsAnalysis",
    "Accuracy of 3-NN. Digits: standardised, half of the rows held out, one split (seed 0). Iris: as it came, 70 % "
    "held out, one split (seed 42), all four dimensions, from the identity. Our NCA starts from PCA and stops later.",
    tuple(
        line
        for row, column, method, published, variants in _TABLE
        for line in lines_with_variants(
            row, column, {**_CELLS[row], **method}, variants, number="test_knn", published=(published,)
        )
    ),
    (
        Claim("NCA above LDA on digits", (_DIGITS, "NCA"), (_DIGITS, "LDA")),
        Claim("LDA above PCA on digits", (_DIGITS, "LDA"), (_DIGITS, "PCA")),
        Claim("NCA above the Euclidean distance on iris", (_IRIS, "NCA"), (_IRIS, "Euclidean")),
    ),
    figure=bars,
)
