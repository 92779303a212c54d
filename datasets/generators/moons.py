"""Two interleaved half circles, with noise columns beside."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source("Two moons, generated", "Generated, no licence needed")


def moons(
    n_samples: int = 400,
    noise: float = 0.1,
    noise_columns: int = 3,
    random_state: int = 0,
) -> Dataset:
    """The upper half of a unit circle around (0, 0) and the lower half of one around (1, 0.5).

    Parameters
    ----------
    n_samples : int
        Points, half on each moon, evenly along it.
    noise : float
        Standard deviation added to both coordinates.
    noise_columns : int
        Columns of standard normal noise; D = 2 + noise_columns.
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % 2
    angle = np.pi * (np.arange(n_samples) // 2) / max(1, (n_samples - 1) // 2)
    side = 1.0 - 2.0 * y  # +1 above, −1 below
    plane = np.column_stack([y + side * np.cos(angle), 0.5 * y + side * np.sin(angle)])
    plane += noise * rng.standard_normal((n_samples, 2))
    return Dataset(
        name=f"Moons ({n_samples} x {2 + noise_columns})",
        X=np.column_stack([plane, rng.standard_normal((n_samples, noise_columns))]),
        y=y,
        feature_names=("x", "y", *numbered("noise", noise_columns)),
        class_names=("upper moon", "lower moon"),
        source=_SOURCE,
    )


MOONS = Entry(
    "moons",
    "Two moons",
    "Half circles and noise columns: PCA and LDA mix them, NCA parts them from the best of several starts.",
    "generator",
    _SOURCE,
    moons,
    (
        Parameter("n_samples", "Points", 400, 20, 20_000, 20),
        Parameter("noise", "Noise (standard deviation)", 0.1, 0.0, 1.0, 0.05),
        Parameter("noise_columns", "Noise columns", 3, 0, 50, 1),
        Parameter("random_state", "Seed of the moons", 0, 0, 1000, 1),
    ),
)
