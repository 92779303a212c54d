"""XOR in high dimension: the class is the parity of a few signs, all other columns are noise."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source("XOR in high dimension, generated", "Generated, no licence needed")


def xor(
    n_samples: int = 500,
    n_signs: int = 2,
    n_features: int = 10,
    margin: float = 1.0,
    random_state: int = 0,
) -> Dataset:
    """The class tells whether the number of negative values among the first n_signs features is even or odd.

    These features are ± (margin + |e|) with standard normal e, the others e alone. Any n_signs − 1 of them are
    independent of the class, so no single feature and no mean tells anything.

    Parameters
    ----------
    n_samples : int
        Points, the same number, up to one, of each combination of signs.
    n_signs : int
        Features whose signs make the class, up to n_features.
    n_features : int
        D.
    margin : float
        How far the signed features stay away from 0.
    random_state : int
        Seed.

    Raises
    ------
    ValueError
        Where n_signs is greater than n_features.
    """
    if n_signs > n_features:
        raise ValueError(f"The parity of {n_signs} signs needs at least {n_signs} features; there are {n_features}.")
    rng = np.random.default_rng(random_state)
    X = rng.standard_normal((n_samples, n_features))
    negative = (np.arange(n_samples)[:, None] >> np.arange(n_signs)) & 1  # (n_samples, n_signs), all combinations
    X[:, :n_signs] = (1.0 - 2.0 * negative) * (margin + np.abs(X[:, :n_signs]))
    return Dataset(
        name=f"XOR of {n_signs} ({n_samples} x {n_features})",
        X=X,
        y=np.asarray(negative.sum(axis=1) % 2, dtype=np.int64),
        feature_names=(*numbered("sign", n_signs), *numbered("noise", n_features - n_signs)),
        class_names=("even", "odd"),
        source=_SOURCE,
    )


XOR = Entry(
    "xor",
    "XOR in high dimension",
    "The product of two signs among noise columns: PCA and LDA guess, NCA finds them from the best of several starts.",
    "generator",
    _SOURCE,
    xor,
    (
        Parameter("n_samples", "Points", 500, 64, 20_000, 4),
        Parameter("n_signs", "Signs that make the class", 2, 1, 5, 1),
        Parameter("n_features", "Features", 10, 5, 100, 1),
        Parameter("margin", "Margin", 1.0, 0.0, 5.0, 0.1, "How far the signed features stay away from 0."),
        Parameter("random_state", "Seed of the XOR", 0, 0, 1000, 1),
    ),
)
