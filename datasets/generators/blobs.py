"""Gaussian blobs, one a class, in as many dimensions as asked for."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source("Gaussian blobs, generated", "Generated, no licence needed")


def blobs(
    n_samples: int = 500,
    n_classes: int = 8,
    n_features: int = 10,
    spread: float = 1.0,
    random_state: int = 0,
) -> Dataset:
    """Class means are normal with standard deviation 2 in each feature, points normal around their class mean.

    Parameters
    ----------
    n_samples : int
        Points, spread evenly over the classes.
    n_features : int
        D.
    spread : float
        Standard deviation within a class.
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    means = 2.0 * rng.standard_normal((n_classes, n_features))
    return Dataset(
        name=f"Blobs ({n_samples} x {n_features})",
        X=means[y] + spread * rng.standard_normal((n_samples, n_features)),
        y=y,
        feature_names=tuple(f"x{k}" for k in range(1, n_features + 1)),
        class_names=numbered("blob", n_classes),
        source=_SOURCE,
    )


BLOBS = Entry(
    "blobs",
    "Blobs",
    "Eight blobs in ten dimensions: a plane has no room for all, NCA keeps the most of them apart.",
    "generator",
    _SOURCE,
    blobs,
    (
        Parameter("n_samples", "Points", 500, 50, 20_000, 50),
        Parameter("n_classes", "Blobs", 8, 2, 20, 1),
        Parameter("n_features", "Features", 10, 2, 100, 1),
        Parameter("spread", "Spread (standard deviation)", 1.0, 0.1, 10.0, 0.1, "The means spread by 2."),
        Parameter("random_state", "Seed of the blobs", 0, 0, 1000, 1),
    ),
)
