"""The Swiss roll: a sheet rolled up in three dimensions; its classes are stretches along the roll."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source("Swiss roll, generated", "Generated, no licence needed")


def swiss_roll(
    n_samples: int = 800,
    n_classes: int = 6,
    height: float = 20.0,
    noise: float = 0.1,
    noise_columns: int = 0,
    random_state: int = 0,
) -> Dataset:
    """Points (t cos t, h, t sin t) with t uniform in [1.5 π, 4.5 π] and h uniform in [0, height].

    Class c holds the c-th of n_classes stretches of t, equal in length of t and, up to chance, in number of points.

    Parameters
    ----------
    n_samples : int
        Points.
    n_classes : int
        stretches.
    height : float
        Width of the sheet along the axis of the roll; the roll's greatest radius is 14.
    noise : float
        Standard deviation added to the three coordinates.
    noise_columns : int
        Columns of normal noise with standard deviation 5; D = 3 + noise_columns.
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    t = 1.5 * np.pi + 3.0 * np.pi * (y + rng.uniform(size=n_samples)) / n_classes
    X = np.column_stack([t * np.cos(t), rng.uniform(0.0, height, n_samples), t * np.sin(t)])
    X += noise * rng.standard_normal(X.shape)
    return Dataset(
        name=f"Swiss roll ({n_samples} x {3 + noise_columns})",
        X=np.column_stack([X, 5.0 * rng.standard_normal((n_samples, noise_columns))]),
        y=y,
        feature_names=("x", "height", "z", *numbered("noise", noise_columns)),
        class_names=numbered("stretch", n_classes),
        source=_SOURCE,
    )


SWISS_ROLL = Entry(
    "swiss_roll",
    "Swiss roll",
    "A rolled-up sheet in six stretches: PCA looks at it slantwise, LDA and NCA along its axis.",
    "generator",
    _SOURCE,
    swiss_roll,
    (
        Parameter("n_samples", "Points", 800, 60, 20_000, 20),
        Parameter("n_classes", "Stretches", 6, 2, 12, 1),
        Parameter("height", "Height of the roll", 20.0, 0.0, 100.0, 5.0, "Its radius is 14."),
        Parameter("noise", "Noise (standard deviation)", 0.1, 0.0, 5.0, 0.1),
        Parameter("noise_columns", "Noise columns", 0, 0, 50, 1),
        Parameter("random_state", "Seed of the roll", 0, 0, 1000, 1),
    ),
)
