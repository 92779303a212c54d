"""TARGET_SIMILARITIES: name -> how similar two numeric targets are, a function made from the targets of the data.

Each entry takes all targets, (n_samples,), and gives similarity(t (m,), u (n,)) -> (m, n) in [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nca_core.neighbours.pairwise_similarity import Similarity

_RANK_WIDTH = 0.1


def _gaussian(targets: np.ndarray) -> Similarity:
    """exp(−(t − u)²/(2 s²)), s by Silverman's rule 0.9 min(σ, IQR/1.34) n^(−1/5) (1986, eq. 3.31); 1 for equal targets
    where none differs."""
    s = silverman_width(targets)

    def similarity(t: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.exp(-0.5 * ((t[:, None] - u[None, :]) / s) ** 2)

    return similarity


def _ranks(targets: np.ndarray) -> Similarity:
    """The Gaussian of width 0.1 on r(t), the mid-rank of t as a share of all, so that neither the unit nor an outlier
    counts."""
    ordered = np.sort(targets)

    def rank(t: np.ndarray) -> np.ndarray:
        places = np.searchsorted(ordered, t, side="left") + np.searchsorted(ordered, t, side="right")
        return 0.5 * places / len(ordered)

    def similarity(t: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.exp(-0.5 * ((rank(t)[:, None] - rank(u)[None, :]) / _RANK_WIDTH) ** 2)

    return similarity


def _same(targets: np.ndarray) -> Similarity:
    """1 where the targets are equal, 0 elsewhere: classes."""
    return lambda t, u: (t[:, None] == u[None, :]).astype(np.float64)


TARGET_SIMILARITIES: dict[str, Callable[[np.ndarray], Similarity]] = {
    "gaussian": _gaussian,
    "ranks": _ranks,
    "same": _same,
}


def silverman_width(targets: np.ndarray) -> float:
    """0.9 min(σ, IQR/1.34) n^(−1/5) in the unit of the targets; σ alone where the quartiles are equal, else 1."""
    targets = np.asarray(targets, dtype=np.float64)
    deviation = float(targets.std())
    low, high = np.quantile(targets, [0.25, 0.75])
    spread = min(deviation, float(high - low) / 1.34) if high > low else deviation
    return 0.9 * spread * len(targets) ** -0.2 if spread > 0 else 1.0
