"""Concentric rings as in the NCA paper: classes on circles in two dimensions, noise in all others."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source("Concentric rings, generated", "Generated, no licence needed", paper="Goldberger et al. (2004), NCA")


def rings(
    n_samples: int = 500,
    n_classes: int = 5,
    n_features: int = 3,
    noise: float = 2.0,
    random_state: int = 0,
) -> Dataset:
    """Points on n_classes circles of radii 1, 2, … in the first two features.

    Parameters
    ----------
    n_samples : int
        Points, spread evenly over the classes.
    n_features : int
        D ≥ 2; every feature after the second is Gaussian noise.
    noise : float
        Standard deviation of the noise features; the widest ring has a deviation of n_classes / √2.
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    angle = rng.uniform(0.0, 2.0 * np.pi, n_samples)
    radius = y + 1.0
    X = rng.normal(0.0, noise, (n_samples, n_features)) if noise > 0 else np.zeros((n_samples, n_features))
    X[:, 0] = radius * np.cos(angle)
    X[:, 1] = radius * np.sin(angle)
    return Dataset(
        name=f"Rings ({n_samples} x {n_features})",
        X=X,
        y=y,
        feature_names=("x", "y", *numbered("noise", n_features - 2)),
        class_names=numbered("ring", n_classes),
        source=_SOURCE,
    )


RINGS = Entry(
    "rings",
    "Concentric rings",
    "Five circles hidden behind noise: PCA sees the noise, LDA sees nothing, NCA finds the plane.",
    "generator",
    _SOURCE,
    rings,
    (
        Parameter("n_samples", "Points", 500, 50, 20_000, 50),
        Parameter("n_classes", "Rings", 5, 2, 10, 1),
        Parameter("n_features", "Features", 3, 3, 30, 1, "Two hold the rings, the others noise."),
        Parameter("noise", "Noise (standard deviation)", 4.0, 0.0, 20.0, 0.5),
        Parameter("random_state", "Seed of the rings", 0, 0, 1000, 1),
    ),
)
