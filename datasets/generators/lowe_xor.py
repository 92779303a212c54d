"""The noisy XOR of the VSM and GVSM papers: two bits twice over, with noise that goes together, and useless columns."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.numbered import numbered

_SOURCE = Source(
    "Noisy XOR of Lowe, generated",
    "Generated, no licence needed",
    paper="Lowe (1995), VSM; Naudé, van Wyk, van Wyk (2004), GVSM, section 6",
)
USELESS = 4


def lowe_xor(
    n_samples: int = 1100,
    deviation: float = 0.3,
    second_deviation: float = 0.5,
    correlation: float = 0.0,
    useless_deviation: float = 2.0,
    random_state: int = 0,
) -> Dataset:
    """The class is the XOR of two bits. Columns 1 and 2 are the bits with noise of `deviation`, columns 3 and 4
    the same bits with noise of `second_deviation`, columns 5 to 8 noise alone.

    Within each pair the noise has correlation ρ, so that the difference of a pair tells the difference of its bits ever
    better: a full metric can use that, a diagonal one cannot.

    Parameters
    ----------
    n_samples : int
        Points; the four corners come equally often.
    deviation, second_deviation : float
        Standard deviations of the noise on the first and the second copy of the bits.
    correlation : float
        ρ, from 0 to below 1.
    useless_deviation : float
        Standard deviation of the four useless columns.
    random_state : int
        Seed.
    """
    rng = np.random.default_rng(random_state)
    corner = np.arange(n_samples) % 4
    bits = np.column_stack([corner & 1, corner >> 1])
    pairs = []
    for spread in (deviation, second_deviation):
        first, own = rng.standard_normal((2, n_samples))
        second = correlation * first + np.sqrt(1.0 - correlation**2) * own
        pairs.append(bits + spread * np.column_stack([first, second]))
    useless = useless_deviation * rng.standard_normal((n_samples, USELESS))
    return Dataset(
        name=f"Lowe's XOR ({n_samples} x {4 + USELESS})",
        X=np.column_stack([*pairs, useless]),
        y=np.asarray(bits[:, 0] ^ bits[:, 1], dtype=np.int64),
        feature_names=("bit 1", "bit 2", "bit 1 again", "bit 2 again", *numbered("noise", USELESS)),
        class_names=("equal", "different"),
        source=_SOURCE,
    )


LOWE_XOR = Entry(
    "lowe_xor",
    "Lowe's XOR",
    "Two noisy bits twice over among four useless columns, as in the VSM and GVSM papers.",
    "generator",
    _SOURCE,
    lowe_xor,
    (
        Parameter("n_samples", "Points", 1100, 20, 20_000, 20),
        Parameter("deviation", "Noise on the bits", 0.3, 0.0, 1.0, 0.05, "The papers take 0.3 and 0.55."),
        Parameter("second_deviation", "Noise on their copies", 0.5, 0.0, 2.0, 0.05, "The papers take 0.5 and 0.7."),
        Parameter("correlation", "Correlation of the noise", 0.0, 0.0, 0.95, 0.05, "Within each pair of columns."),
        Parameter("useless_deviation", "Useless columns' deviation", 2.0, 0.0, 10.0, 0.5),
        Parameter("random_state", "Seed of Lowe's XOR", 0, 0, 1000, 1),
    ),
)
