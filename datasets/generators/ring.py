"""ring: rings in two dimensions and uniform noise in the others, as in the published comparison with NCA."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source("Rings with uniform noise, generated", "Generated, no licence needed")


def ring(
    n_samples: int = 500,
    n_classes: int = 3,
    noise_columns: int = 8,
    noise_width: float = 2.0,
    random_state: int = 0,
) -> Dataset:
    """Points on n_classes circles of radii 1, 2, …, n_classes; noise columns are uniform.

    The published comparison says no more than "2-D rings plus 8 uniform noise columns"; the number of rings and the
    width of the noise are ours. They were chosen so that 200 points give 2 neighbours an error of about the published
    0.53.

    Parameters
    ----------
    n_samples : int
        Points, spread evenly over the classes.
    noise_columns : int
        Columns that carry no class; D = 2 + noise_columns.
    noise_width : float
        The noise is uniform in [−noise_width, noise_width].
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    angle = rng.uniform(0.0, 2.0 * np.pi, n_samples)
    radius = y + 1.0
    plane = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    noise = rng.uniform(-noise_width, noise_width, (n_samples, noise_columns))
    return Dataset(
        name=f"Ring ({n_samples} x {2 + noise_columns})",
        X=np.column_stack([plane, noise]),
        y=y,
        feature_names=("x", "y", *numbered("noise", noise_columns)),
        class_names=numbered("ring", n_classes),
        source=_SOURCE,
    )


RING = Entry(
    "ring",
    "Rings in uniform noise (ring)",
    "Three rings among eight noise columns: PCA and LDA see nothing, NCA finds them from the best of several starts.",
    "generator",
    _SOURCE,
    ring,
    (
        Parameter("n_samples", "Points", 500, 50, 20_000, 50),
        Parameter("n_classes", "Rings", 3, 2, 10, 1),
        Parameter("noise_columns", "Noise columns", 8, 0, 50, 1),
        Parameter("noise_width", "Noise width", 2.0, 0.0, 20.0, 0.5, "The noise is uniform from −width to width."),
        Parameter("random_state", "Seed of the ring", 0, 0, 1000, 1),
    ),
)
