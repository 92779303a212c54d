"""Noisy XOR after that of the VSM and GVSM papers (`lowe_xor`): two columns hold an XOR, six correlated noise alone."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source(
    "Noisy XOR, generated",
    "Generated, no licence needed",
    paper="after Lowe (1995), VSM",
)


def noisy_xor(
    n_samples: int = 1100,
    deviation: float = 0.3,
    noise_deviation: float = 0.5,
    correlation: float = 0.0,
    noise_columns: int = 6,
    random_state: int = 0,
) -> Dataset:
    """The class is the XOR of two bits; a bit is 0 or 1 plus Gaussian noise, the other columns are noise alone.

    The noise of column k is s_k (√ρ e_0 + √(1 − ρ) e_k) with standard normal e, so that any two columns' noise has
    correlation ρ: the noise columns then tell what to subtract from the bits, which a full metric can use and a
    diagonal one cannot. D and the deviations are those of the papers, whose other columns are different: `lowe_xor`.

    Parameters
    ----------
    n_samples : int
        Points; the four corners come equally often.
    deviation : float
        Standard deviation of the noise on the two bits.
    noise_deviation : float
        Standard deviation of the noise columns.
    correlation : float
        Ρ, in [0, 1).
    noise_columns : int
        How many; D = 2 + noise_columns.
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    corner = np.arange(n_samples) % 4
    bits = np.column_stack([corner & 1, corner >> 1])
    shared = rng.standard_normal((n_samples, 1))
    own = rng.standard_normal((n_samples, 2 + noise_columns))
    X = np.sqrt(correlation) * shared + np.sqrt(1.0 - correlation) * own  # (n_samples, 2 + noise_columns)
    X[:, :2] *= deviation
    X[:, 2:] *= noise_deviation
    X[:, :2] += bits
    return Dataset(
        name=f"Noisy XOR ({n_samples} x {2 + noise_columns})",
        X=X,
        y=np.asarray(bits[:, 0] ^ bits[:, 1], dtype=np.int64),
        feature_names=("bit 1", "bit 2", *numbered("noise", noise_columns)),
        class_names=("equal", "different"),
        source=_SOURCE,
    )


NOISY_XOR = Entry(
    "noisy_xor",
    "Noisy XOR",
    "Two noisy bits among six noise columns: PCA and LDA guess, NCA finds the bits from the best of several starts.",
    "generator",
    _SOURCE,
    noisy_xor,
    (
        Parameter("n_samples", "Points", 1100, 20, 20_000, 20),
        Parameter("deviation", "Noise on the bits", 0.3, 0.0, 1.0, 0.05, "The papers take 0.3 and 0.55."),
        Parameter("noise_deviation", "Noise columns' deviation", 0.5, 0.0, 2.0, 0.05, "The papers take 0.5 and 0.7."),
        Parameter("correlation", "Correlation of the noise", 0.0, 0.0, 0.95, 0.05),
        Parameter("noise_columns", "Noise columns", 6, 0, 50, 1, "The papers take 6."),
        Parameter("random_state", "Seed of the noisy XOR", 0, 0, 1000, 1),
    ),
)
