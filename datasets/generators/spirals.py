"""Arms of a spiral wound around each other, one a class, with noise columns beside."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source("Spirals, generated", "Generated, no licence needed")


def spirals(
    n_samples: int = 600,
    n_classes: int = 3,
    turns: float = 0.75,
    noise: float = 0.02,
    noise_columns: int = 3,
    random_state: int = 0,
) -> Dataset:
    """Arm c holds the points r (cos θ, sin θ) with θ = 2π (turns · r + c / n_classes), r from 0.1 to 1.

    Parameters
    ----------
    n_samples : int
        Points, spread evenly over the arms and along them.
    turns : float
        How often an arm winds around the centre.
    noise : float
        Standard deviation added to both coordinates; neighbouring arms are 1 / (turns · n_classes) apart.
    noise_columns : int
        Columns of normal noise with standard deviation 0.5; D = 2 + noise_columns.
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    place = np.arange(n_samples) // n_classes
    radius = 0.1 + 0.9 * place / max(1, int(place[-1]))
    angle = 2.0 * np.pi * (turns * radius + y / n_classes)
    plane = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    plane += noise * rng.standard_normal((n_samples, 2))
    return Dataset(
        name=f"Spirals ({n_samples} x {2 + noise_columns})",
        X=np.column_stack([plane, 0.5 * rng.standard_normal((n_samples, noise_columns))]),
        y=y,
        feature_names=("x", "y", *numbered("noise", noise_columns)),
        class_names=numbered("arm", n_classes),
        source=_SOURCE,
    )


SPIRALS = Entry(
    "spirals",
    "Spirals",
    "Arms wound around each other, and noise columns: PCA mixes them, LDA and NCA find the plane they lie in.",
    "generator",
    _SOURCE,
    spirals,
    (
        Parameter("n_samples", "Points", 600, 60, 20_000, 60),
        Parameter("n_classes", "Arms", 3, 2, 8, 1),
        Parameter("turns", "Turns", 0.75, 0.0, 4.0, 0.25),
        Parameter("noise", "Noise (standard deviation)", 0.02, 0.0, 0.5, 0.01),
        Parameter("noise_columns", "Noise columns", 3, 0, 50, 1),
        Parameter("random_state", "Seed of the spirals", 0, 0, 1000, 1),
    ),
)
