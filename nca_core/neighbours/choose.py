"""WAYS: the ways of summing over neighbours, all to the same answer, and the choice among them for one Y.

Small n or many components: dense. Spread-out embeddings (small K̂): truncated. Crowded ones with many points: spectral.
K̂ falls during a training, so the choice is made anew for every Y, from its shape alone, the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nca_core.neighbours import compiled
from nca_core.neighbours.dense import Dense
from nca_core.neighbours.fourier_field import n_modes
from nca_core.neighbours.spectral import TOLERANCE, Spectral
from nca_core.neighbours.sums import Classes
from nca_core.neighbours.tree import MOST_DIMENSIONS
from nca_core.neighbours.truncated import CUT, Truncated

Way = Dense | Truncated | Spectral

WAYS: dict[str, Callable[[np.ndarray, Classes, bool], Way]] = {
    "dense": Dense,
    "truncated": Truncated,
    "spectral": Spectral,
}

_SMALL = 1_000  # points up to which nothing beats the dense way
_LARGEST_COORDINATE = 1e100  # squares of differences stay finite
_MOST_MODES = 6_000_000  # of one transform: a grid of 64 bytes for each in 2-D
_COLLAPSED = 1e-3
_TOO_MANY_FOR_PAIRS = 150_000
_SAMPLE = 32
_REFERENCES = 5_000

# Costs in ns by number of components, measured side by side on one machine; only their ratios matter.
_PAIR_DENSE = {1: 0.6, 2: 0.75, 3: 0.95}
_POINT_TRUNCATED = {1: 350.0, 2: 600.0, 3: 1200.0}
_PAIR_TRUNCATED = {1: 0.7, 2: 1.5, 3: 2.6}
_POINT_SPECTRAL = {1: 300.0, 2: 550.0, 3: 3000.0}
_MODE_SPECTRAL = {1: 100.0, 2: 140.0, 3: 620.0}
_CLASS_SPECTRAL = 1e6
_SINGLY = 4.0  # a point done exactly by itself against what it costs among the others in the truncated way
_TOO_SMALL = 0.004  # sums below this share of the largest are taken exactly by the spectral way
_LEAF = 24.0


def summed_by(way: str, Y: np.ndarray, classes: Classes, logs: bool = True) -> Way:
    """The sums at Y, (n_components, n_samples), sorted by class.

    Parameters:
        way: a key of WAYS, or "auto" for the one that is likely to be quickest. Dense takes over where the others
            cannot go (more than three components, coordinates beyond 1e100, loops not compiled yet), truncated where
            the spectral way's grid would be too large or Y is collapsed.
        logs: log p_i shall be exact even where p_i is negligible.
    """
    if compiled.kernels() is None or Y.shape[0] > MOST_DIMENSIONS or not np.abs(Y).max() < _LARGEST_COORDINATE:
        return Dense(Y, classes, logs)
    if way == "auto":
        way = quickest(Y, classes)
    elif way == "spectral" and not spectral_fits(Y):
        way = "truncated"
    return WAYS[way](Y, classes, logs)


def quickest(Y: np.ndarray, classes: Classes) -> str:
    """The key of WAYS with the smallest estimated cost."""
    if Y.shape[1] <= _SMALL:
        return "dense"
    costs = estimated_costs(Y, classes)
    return min(costs, key=lambda way: costs[way])


def estimated_costs(Y: np.ndarray, classes: Classes) -> dict[str, float]:
    """ns for the sums and one gradient by each way that can be taken; Y is (n_components ≤ 3, n_samples)."""
    d, n = Y.shape
    pairs, small = _sampled(Y)
    truncated = _POINT_TRUNCATED[d] + _PAIR_TRUNCATED[d] * pairs
    costs = {"dense": 0.5 * n * n * _PAIR_DENSE[d], "truncated": n * truncated}
    if spectral_fits(Y):
        starts = np.unique(classes.start[classes.end > classes.start])
        modes = by_class = _modes(np.ptp(Y, axis=1))
        if len(starts):
            low, high = np.minimum.reduceat(Y, starts, axis=1), np.maximum.reduceat(Y, starts, axis=1)
            by_class = sum(_modes(extent) for extent in (high - low).T)
        # All points go on one thread, class after class on another.
        costs["spectral"] = (
            n * (_POINT_SPECTRAL[d] + small * _SINGLY * truncated)
            + _MODE_SPECTRAL[d] * max(modes, by_class)
            + _CLASS_SPECTRAL * (1 + len(starts))
        )
    return costs


def spectral_fits(Y: np.ndarray) -> bool:
    """Whether the grid of modes is of a bearable size, and no collapsed Y has differences that are lost in the error of
    the transforms; so many points that looking at every pair takes minutes go on nevertheless, with some digits fewer.
    """
    d, n = Y.shape
    extent = np.ptp(Y, axis=1)
    if extent.max() < _COLLAPSED and n < _TOO_MANY_FOR_PAIRS:
        return False
    return _modes(extent) <= _MOST_MODES / (2 if d == MOST_DIMENSIONS else 1)


def _modes(extent: np.ndarray) -> float:
    return float(np.prod(n_modes(extent, TOLERANCE).astype(np.float64)))


def _sampled(Y: np.ndarray) -> tuple[float, float]:
    """From evenly spread sample points: how many pairs the truncated way looks at for each point, and the share of
    points whose sum is too small against the largest for the spectral way."""
    d, n = Y.shape
    asked = Y[:, np.linspace(0, n - 1, _SAMPLE).astype(np.int64)]
    step = max(1, n // _REFERENCES)
    others = Y[:, ::step]
    distances = sum((a[:, None] - b[None, :]) ** 2 for a, b in zip(asked, others, strict=True))
    near = np.count_nonzero(distances < CUT, axis=1) * float(step)  # (n_sample,)
    # Whole leaves are looked at, which reach over the cut by about the side of a leaf at that density.
    side = (_LEAF / max(float(near.mean()), 1.0)) ** (1.0 / d)
    pairs = 0.5 * np.minimum(near * (1.0 + side) ** d, n)
    Z = np.exp(-distances).sum(axis=1)
    return float(pairs.mean()), float(np.mean(_TOO_SMALL * Z.max() > Z))
