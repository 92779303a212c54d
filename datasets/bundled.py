"""Data sets that come with scikit-learn, and Balance scale, which follows from its rule."""

from __future__ import annotations

from itertools import product

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry

_UCI = "scikit-learn: BSD-3-Clause; UCI repository: CC BY 4.0"
_PAPER = "Goldberger et al. (2004), NCA"


def _entry(
    key: str,
    title: str,
    description: str,
    function: str,
    url: str,
    paper: str = "",
    image_shape: tuple[int, int] | None = None,
    classes: tuple[str, ...] = (),
) -> Entry:
    """The set that a function of sklearn.datasets loads."""
    source = Source(title=title, licence=_UCI, url=url, paper=paper)

    def load() -> Dataset:
        from sklearn import datasets as sklearn_datasets

        bunch = getattr(sklearn_datasets, function)()
        return Dataset(
            name=title,
            X=np.array(bunch.data, dtype=np.float64),
            y=np.array(bunch.target, dtype=np.int64),
            feature_names=tuple(map(str, bunch.feature_names)),
            class_names=classes or tuple(map(str, bunch.target_names)),
            source=source,
            image_shape=image_shape,
        )

    return Entry(key, title, description, "bundled", source, load)


WINE = _entry(
    "wine",
    "Wine",
    "Chemical analysis of 178 wines from three growers.",
    "load_wine",
    "https://doi.org/10.24432/C5PC7J",
    _PAPER,
    classes=("grower 1", "grower 2", "grower 3"),  # scikit-learn has only class_0 to class_2
)
DIGITS = _entry(
    "digits",
    "Digits",
    "1,797 handwritten digits of 8 by 8 pixels.",
    "load_digits",
    "https://doi.org/10.24432/C50P49",
    image_shape=(8, 8),
)
IRIS = _entry(
    "iris",
    "Iris",
    "Sepals and petals of 150 irises of three species.",
    "load_iris",
    "https://doi.org/10.24432/C56C76",
    _PAPER,
)
BREAST_CANCER = _entry(
    "breast_cancer",
    "Breast cancer",
    "569 tumours, benign or malignant, by 30 measures of cell nuclei.",
    "load_breast_cancer",
    "https://doi.org/10.24432/C5DW2B",
)


def balance() -> Dataset:
    """Weights and distances 1 to 5 on both arms, every combination; the class is the side that goes down.

    L where left weight · left distance is greater than right weight · right distance, R where less, B where equal:
    288, 288 and 49 rows.
    """
    X = np.array(list(product(range(1, 6), repeat=4)), dtype=np.float64)
    left, right = X[:, 0] * X[:, 1], X[:, 2] * X[:, 3]
    return Dataset(
        name="Balance scale",
        X=X,
        y=np.where(left == right, 0, np.where(left > right, 1, 2)).astype(np.int64),
        feature_names=("left_weight", "left_distance", "right_weight", "right_distance"),
        class_names=("B", "L", "R"),
        source=BALANCE.source,
    )


BALANCE = Entry(
    "balance",
    "Balance scale",
    "625 loads of a balance: tips left, tips right or stays level.",
    "bundled",
    Source(
        "Balance scale",
        "generated from its rule, no licence needed; UCI repository: CC BY 4.0",
        "https://doi.org/10.24432/C5488X",
        _PAPER,
    ),
    balance,
)
