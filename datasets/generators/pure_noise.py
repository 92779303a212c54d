"""Pure noise with random labels: whatever clusters a projection shows here, it has invented."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source("Pure noise with random labels, generated", "Generated, no licence needed")


def pure_noise(
    n_samples: int = 150,
    n_classes: int = 3,
    n_features: int = 50,
    random_state: int = 0,
) -> Dataset:
    """Standard normal features and labels that have nothing to do with them, as many of each class up to one.

    Parameters
    ----------
    n_samples : int
        Points.
    n_classes : int
        Labels.
    n_features : int
        D; the more features for a point, the clearer the clusters that a supervised projection invents.
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    return Dataset(
        name=f"Pure noise ({n_samples} x {n_features})",
        X=rng.standard_normal((n_samples, n_features)),
        y=rng.permutation(np.arange(n_samples, dtype=np.int64) % n_classes),
        feature_names=numbered("noise", n_features),
        class_names=numbered("label", n_classes),
        source=_SOURCE,
    )


PURE_NOISE = Entry(
    "pure_noise",
    "Pure noise, random labels",
    "Labels drawn by lot: LDA and NCA show clusters all the same, and only held-out rows tell that there are none.",
    "generator",
    _SOURCE,
    pure_noise,
    (
        Parameter("n_samples", "Points", 150, 20, 5_000, 10),
        Parameter("n_classes", "Labels", 3, 2, 10, 1),
        Parameter("n_features", "Features", 50, 2, 300, 1),
        Parameter("random_state", "Seed of the noise", 0, 0, 1000, 1),
    ),
)
