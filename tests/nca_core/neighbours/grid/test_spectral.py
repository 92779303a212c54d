"""The spectral method where points are many: single points are as exact as the sum over all."""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.grid.spectral import Spectral


def test_points_with_next_to_no_neighbours_among_very_many_are_exact_too():
    # Their errors hardly show in any sum over 300,000 points.
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 3, 300_000))
    Y = 4.0 * rng.standard_t(3, (2, len(y))) + y
    spectral = Spectral(Y, Classes.of(y))
    assert spectral.n_exact < len(y) / 500
    for i in np.argsort(spectral.sums.log_z)[100:1_300:20]:
        squares = ((Y - Y[:, i : i + 1]) ** 2).sum(axis=0)
        squares[i] = np.inf
        nearest = squares.min()
        w = np.exp(nearest - squares)
        squares[i] = 0.0
        Z = w.sum()
        assert abs(np.exp(spectral.sums.log_p[i]) - w[y == y[i]].sum() / Z) < 1e-9
        assert abs(spectral.sums.entropy[i] - np.log(Z) - w @ (squares - nearest) / Z) < 2e-8
