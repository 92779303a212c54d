"""Balance scale: all 625 rows from the rule that made the published set."""

from __future__ import annotations

from itertools import product

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry

_SOURCE = Source(
    "Balance scale",
    "generated from its rule, no licence needed; UCI repository: CC BY 4.0",
    "https://doi.org/10.24432/C5488X",
    "Goldberger et al. (2004), NCA",
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
        source=_SOURCE,
    )


BALANCE = Entry(
    "balance",
    "Balance scale",
    "625 loads of a balance: tips left, tips right or stays level.",
    "bundled",
    _SOURCE,
    balance,
)
