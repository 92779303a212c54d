"""Classes that are the XOR of bits or signs: no single column and no mean tells anything."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.entry import Parameter
from datasets.base.words import numbered
from datasets.generators.generated import generated, generator

_USELESS = 4


def _corners(n_samples: int) -> np.ndarray:
    """Two bits a row, (n_samples, 2); the four combinations in turn."""
    corner = np.arange(n_samples) % 4
    return np.column_stack([corner & 1, corner >> 1])


def noisy_xor(
    n_samples: int, deviation: float, noise_deviation: float, correlation: float, noise_columns: int, random_state: int
) -> Dataset:
    """Draw two bits with noise of `deviation`, whose XOR is the class, beside columns of noise of `noise_deviation`.

    The noise of column k is s_k (√ρ e_0 + √(1 − ρ) e_k) with standard normal e, so any two columns' noise has
    correlation ρ in [0, 1). The noise columns then tell what to subtract from the bits, which a full metric can use
    and a diagonal one cannot. D and the deviations are those of the VSM and GVSM papers, whose other columns differ:
    see `lowe_xor`.
    """
    rng = np.random.default_rng(random_state)
    bits = _corners(n_samples)
    shared = rng.standard_normal((n_samples, 1))
    own = rng.standard_normal((n_samples, 2 + noise_columns))
    X = np.sqrt(correlation) * shared + np.sqrt(1.0 - correlation) * own  # (n_samples, 2 + noise_columns)
    X[:, :2] *= deviation
    X[:, 2:] *= noise_deviation
    X[:, :2] += bits
    return generated(NOISY_XOR, "Noisy XOR", X, bits[:, 0] ^ bits[:, 1], ("bit 1", "bit 2"), ("equal", "different"))


NOISY_XOR = generator(
    "noisy_xor",
    "Noisy XOR",
    "Two noisy bits among six noise columns: PCA and LDA guess, NCA finds the bits from the best of several starts.",
    noisy_xor,
    Parameter("n_samples", "Points", 1100, 20, 20_000, 20),
    Parameter("deviation", "Noise on the bits", 0.3, 0.0, 1.0, 0.05, "The papers take 0.3 and 0.55."),
    Parameter("noise_deviation", "Noise columns' deviation", 0.5, 0.0, 2.0, 0.05, "The papers take 0.5 and 0.7."),
    Parameter("correlation", "Correlation of the noise", 0.0, 0.0, 0.95, 0.05),
    Parameter("noise_columns", "Noise columns", 6, 0, 50, 1, "The papers take 6."),
    paper="Lowe (1995), VSM, with other noise columns",
)


def lowe_xor(
    n_samples: int,
    deviation: float,
    second_deviation: float,
    correlation: float,
    useless_deviation: float,
    random_state: int,
) -> Dataset:
    """Draw two bits with noise of `deviation`, the same bits with `second_deviation`, and four columns of noise alone.

    The class is the XOR of the bits. Within each pair the noise has correlation ρ in [0, 1), so that the difference of
    a pair tells the difference of its bits ever better: a full metric can use that, a diagonal one cannot.
    """
    rng = np.random.default_rng(random_state)
    bits = _corners(n_samples)
    pairs = []
    for spread in (deviation, second_deviation):
        first, own = rng.standard_normal((2, n_samples))
        second = correlation * first + np.sqrt(1.0 - correlation**2) * own
        pairs.append(bits + spread * np.column_stack([first, second]))
    useless = useless_deviation * rng.standard_normal((n_samples, _USELESS))
    columns = ("bit 1", "bit 2", "bit 1 again", "bit 2 again")
    X = np.column_stack([*pairs, useless])
    return generated(LOWE_XOR, "Lowe's XOR", X, bits[:, 0] ^ bits[:, 1], columns, ("equal", "different"))


LOWE_XOR = generator(
    "lowe_xor",
    "Lowe's XOR",
    "Two noisy bits twice over among four useless columns, as in the VSM and GVSM papers.",
    lowe_xor,
    Parameter("n_samples", "Points", 1100, 20, 20_000, 20),
    Parameter("deviation", "Noise on the bits", 0.3, 0.0, 1.0, 0.05, "The papers take 0.3 and 0.55."),
    Parameter("second_deviation", "Noise on their copies", 0.5, 0.0, 2.0, 0.05, "The papers take 0.5 and 0.7."),
    Parameter("correlation", "Correlation of the noise", 0.0, 0.0, 0.95, 0.05, "Within each pair of columns."),
    Parameter("useless_deviation", "Useless columns' deviation", 2.0, 0.0, 10.0, 0.5),
    paper="Lowe (1995), VSM; Naudé, van Wyk, van Wyk (2004), GVSM, section 6",
)


def xor(n_samples: int, n_signs: int, n_features: int, margin: float, random_state: int) -> Dataset:
    """Label rows by whether the number of negative values among the first n_signs features is even or odd.

    These features are ± (margin + |e|) with standard normal e, the others e alone. Any n_signs − 1 of them are
    independent of the class.

    Raises ValueError where n_signs is greater than n_features.
    """
    if n_signs > n_features:
        raise ValueError(f"The parity of {n_signs} signs needs at least {n_signs} features; there are {n_features}.")
    rng = np.random.default_rng(random_state)
    X = rng.standard_normal((n_samples, n_features))
    negative = (np.arange(n_samples)[:, None] >> np.arange(n_signs)) & 1  # (n_samples, n_signs), all combinations
    X[:, :n_signs] = (1.0 - 2.0 * negative) * (margin + np.abs(X[:, :n_signs]))
    columns = numbered("sign", n_signs)
    return generated(XOR, f"XOR of {n_signs}", X, negative.sum(axis=1) % 2, columns, ("even", "odd"))


XOR = generator(
    "xor",
    "XOR in high dimension",
    "The product of two signs among noise columns: PCA and LDA guess, NCA finds them from the best of several starts.",
    xor,
    Parameter("n_samples", "Points", 500, 64, 20_000, 4),
    Parameter("n_signs", "Signs that make the class", 2, 1, 5, 1),
    Parameter("n_features", "Features", 10, 5, 100, 1),
    Parameter("margin", "Margin", 1.0, 0.0, 5.0, 0.1, "How far the signed features stay away from 0."),
)
