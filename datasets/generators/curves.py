"""Classes that lie on curves: rings, moons, spirals and the Swiss roll, with noise columns beside them."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.entry import Parameter
from datasets.base.words import numbered
from datasets.generators.generated import generated, generator


def _circles(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random point on the circle of radius y + 1 for each row, (n_samples, 2)."""
    angle = rng.uniform(0.0, 2.0 * np.pi, len(y))
    radius = y + 1.0
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def rings(n_samples: int, n_classes: int, n_features: int, noise: float, random_state: int) -> Dataset:
    """Draw points on circles of radii 1, 2, … in the first two features, Gaussian noise of deviation `noise` after.

    The widest ring has a deviation of n_classes / √2.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    plane = _circles(y, rng)
    X = rng.normal(0.0, noise, (n_samples, n_features)) if noise > 0 else np.zeros((n_samples, n_features))
    X[:, :2] = plane
    return generated(RINGS, "Rings", X, y, ("x", "y"), numbered("ring", n_classes))


RINGS = generator(
    "rings",
    "Concentric rings",
    "Five circles hidden behind noise: PCA sees the noise, LDA sees nothing, NCA finds the plane.",
    rings,
    Parameter("n_samples", "Points", 500, 50, 20_000, 50),
    Parameter("n_classes", "Rings", 5, 2, 10, 1),
    Parameter("n_features", "Features", 3, 3, 30, 1, "Two hold the rings, the others noise."),
    Parameter("noise", "Noise (standard deviation)", 4.0, 0.0, 20.0, 0.5),
    paper="Goldberger et al. (2004), NCA",
)


def ring(n_samples: int, n_classes: int, noise_columns: int, noise_width: float, random_state: int) -> Dataset:
    """Draw points on circles of radii 1, 2, …, beside columns uniform in [−noise_width, noise_width].

    The published comparison says only "2-D rings plus 8 uniform noise columns". The number of rings and the width are
    chosen so that two neighbours err on about the published 0.53 of 200 points.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    plane = _circles(y, rng)
    noise = rng.uniform(-noise_width, noise_width, (n_samples, noise_columns))
    return generated(RING, "Ring", np.column_stack([plane, noise]), y, ("x", "y"), numbered("ring", n_classes))


RING = generator(
    "ring",
    "Rings in uniform noise (ring)",
    "Three rings among eight noise columns: PCA and LDA see nothing, NCA finds them from the best of several starts.",
    ring,
    Parameter("n_samples", "Points", 500, 50, 20_000, 50),
    Parameter("n_classes", "Rings", 3, 2, 10, 1),
    Parameter("noise_columns", "Noise columns", 8, 0, 50, 1),
    Parameter("noise_width", "Noise width", 2.0, 0.0, 20.0, 0.5, "The noise is uniform from −width to width."),
)


def moons(n_samples: int, noise: float, noise_columns: int, random_state: int) -> Dataset:
    """Draw the upper half of a unit circle around (0, 0) and the lower half of one around (1, 0.5).

    Points are spaced evenly along each moon, with Gaussian `noise` on both coordinates; noise columns are standard
    normal.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % 2
    angle = np.pi * (np.arange(n_samples) // 2) / max(1, (n_samples - 1) // 2)
    side = 1.0 - 2.0 * y  # +1 above, −1 below
    plane = np.column_stack([y + side * np.cos(angle), 0.5 * y + side * np.sin(angle)])
    plane += noise * rng.standard_normal((n_samples, 2))
    X = np.column_stack([plane, rng.standard_normal((n_samples, noise_columns))])
    return generated(MOONS, "Moons", X, y, ("x", "y"), ("upper moon", "lower moon"))


MOONS = generator(
    "moons",
    "Two moons",
    "Half circles and noise columns: PCA and LDA mix them, NCA parts them from the best of several starts.",
    moons,
    Parameter("n_samples", "Points", 400, 20, 20_000, 20),
    Parameter("noise", "Noise (standard deviation)", 0.1, 0.0, 1.0, 0.05),
    Parameter("noise_columns", "Noise columns", 3, 0, 50, 1),
)


def spirals(
    n_samples: int, n_classes: int, turns: float, noise: float, noise_columns: int, random_state: int
) -> Dataset:
    """Draw arm c along r (cos θ, sin θ) with θ = 2π (turns · r + c / n_classes), r from 0.1 to 1.

    Neighbouring arms are 1 / (turns · n_classes) apart, with Gaussian `noise` on both coordinates; noise columns have
    standard deviation 0.5.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    place = np.arange(n_samples) // n_classes
    radius = 0.1 + 0.9 * place / max(1, int(place[-1]))
    angle = 2.0 * np.pi * (turns * radius + y / n_classes)
    plane = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    plane += noise * rng.standard_normal((n_samples, 2))
    X = np.column_stack([plane, 0.5 * rng.standard_normal((n_samples, noise_columns))])
    return generated(SPIRALS, "Spirals", X, y, ("x", "y"), numbered("arm", n_classes))


SPIRALS = generator(
    "spirals",
    "Spirals",
    "Arms wound around each other, and noise columns: PCA mixes them, LDA and NCA find the plane they lie in.",
    spirals,
    Parameter("n_samples", "Points", 600, 60, 20_000, 60),
    Parameter("n_classes", "Arms", 3, 2, 8, 1),
    Parameter("turns", "Turns", 0.75, 0.0, 4.0, 0.25),
    Parameter("noise", "Noise (standard deviation)", 0.02, 0.0, 0.5, 0.01),
    Parameter("noise_columns", "Noise columns", 3, 0, 50, 1),
)


def swiss_roll(
    n_samples: int, n_classes: int, height: float, noise: float, noise_columns: int, random_state: int
) -> Dataset:
    """Draw points (t cos t, h, t sin t) with t uniform in [1.5 π, 4.5 π] and h uniform in [0, height].

    Class c holds the c-th of n_classes stretches of equal length in t. Gaussian `noise` is added to the three
    coordinates; noise columns have standard deviation 5.
    """
    rng = np.random.default_rng(random_state)
    y = np.arange(n_samples, dtype=np.int64) % n_classes
    t = 1.5 * np.pi + 3.0 * np.pi * (y + rng.uniform(size=n_samples)) / n_classes
    X = np.column_stack([t * np.cos(t), rng.uniform(0.0, height, n_samples), t * np.sin(t)])
    X += noise * rng.standard_normal(X.shape)
    X = np.column_stack([X, 5.0 * rng.standard_normal((n_samples, noise_columns))])
    return generated(SWISS_ROLL, "Swiss roll", X, y, ("x", "height", "z"), numbered("stretch", n_classes))


SWISS_ROLL = generator(
    "swiss_roll",
    "Swiss roll",
    "A rolled-up sheet in six stretches: PCA looks at it slantwise, LDA and NCA along its axis.",
    swiss_roll,
    Parameter("n_samples", "Points", 800, 60, 20_000, 20),
    Parameter("n_classes", "Stretches", 6, 2, 12, 1),
    Parameter("height", "Height of the roll", 20.0, 0.0, 100.0, 5.0, "Its radius is 14."),
    Parameter("noise", "Noise (standard deviation)", 0.1, 0.0, 5.0, 0.1),
    Parameter("noise_columns", "Noise columns", 0, 0, 50, 1),
)
