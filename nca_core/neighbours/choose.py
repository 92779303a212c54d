"""SUMMATION_METHODS: how to sum over neighbours, all with the same answer, and the choice among them for one Y.

Small n or many components: dense. Spread-out embeddings (small K̂): truncated. Crowded ones with many points: spectral.
K̂ falls during a training, so the choice is made anew for every Y, from its shape alone, the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from nca_core.neighbours.base.sums import CUT, Classes
from nca_core.neighbours.base.threads import DENSE_READY, LOOPS_READY
from nca_core.neighbours.grid.spectral import Groups, Spectral, least_cost
from nca_core.neighbours.pairs.block_sums import TRUSTED, BlockSums
from nca_core.neighbours.pairs.dense import MOST_POINTS, MOST_SPREAD, Collapsed, Dense, PlainDense
from nca_core.neighbours.pairs.dense_queries import DenseQueries
from nca_core.neighbours.pairs.products import Products
from nca_core.neighbours.pairs.tree import Queries, Tree
from nca_core.neighbours.pairs.truncated import Truncated, estimated_share

Summation: TypeAlias = PlainDense | Collapsed | Dense | Products | Truncated | Spectral | BlockSums

SUMMATION_METHODS: dict[str, Callable[[np.ndarray, Classes, bool], Summation]] = {
    "dense": Dense,
    "truncated": Truncated,
    "spectral": Spectral,
}

_PRODUCTS_FROM = 14  # components, from which matrix products do the dense method quicker
_MOST_DIMENSIONS = 3  # of the spectral method
_MOST_FOR_TREES = 10
_WORTH_A_TREE = 3_000  # points, in more than three dimensions
_CLEARLY_LESS = 0.7
MOST_PAIRS = 1e10  # of one evaluation: those of 100,000 points
_SMALL = 800  # points up to which nothing beats the dense method
_WORTH_A_GRID = 2_000  # points; with fewer, grids save less than it takes to compile their loops
LARGEST_COORDINATE = 1e100  # squares of differences stay finite
_FAR_OUT = 0.1  # share of points that matrix products may lose digits of, which are summed apart
_SAMPLE = 32
_REFERENCES = 5_000

# Costs in ns by number of components, measured side by side on one machine; only their ratios matter.
_PAIR_DENSE = {1: 0.6, 2: 0.75, 3: 0.95}
_START_DENSE, _START_TRUNCATED = 2.5e5, 1.5e5
_POINT_TRUNCATED = {1: 180.0, 2: 330.0, 3: 430.0}
_PAIR_TRUNCATED = {1: 0.87, 2: 1.1, 3: 1.8}
_SINGLY = 3.0  # cost of a point done singly, as a multiple of its cost in the truncated method
_LEAF = 24.0
_BALL = {1: 2.0, 2: np.pi, 3: 4.0 / 3.0 * np.pi}  # volume of radius 1


def summed_by(method: str, Y: np.ndarray, classes: Classes, logs: bool = True) -> Summation:
    """The sums at Y, (n_components, n_samples), sorted by class.

    method: a key of SUMMATION_METHODS, or "auto" for the one that is likely to be quickest. Dense takes over where the
        others cannot go (spectral: more than three components, truncated: more than ten, coordinates beyond 1e100);
        truncated where the spectral method's grid would be too large; moments where Y is collapsed.
    logs: compute log p_i exactly even where p_i is negligible.
    """
    flat = Y.ravel()
    with np.errstate(over="ignore"):
        fits = flat @ flat < LARGEST_COORDINATE**2
    if Y.shape[1] <= MOST_POINTS and method == "auto" and fits:
        return PlainDense(Y, classes)
    if method != "dense" and float(np.linalg.norm(np.ptp(Y, axis=1))) < MOST_SPREAD:
        return Collapsed(Y, classes)
    small = Y.shape[1] <= _SMALL and Y.shape[0] <= _MOST_DIMENSIONS and method in ("auto", "dense")
    (DENSE_READY if small else LOOPS_READY).wait()
    if not fits:
        return Dense(Y, classes, logs)
    if Y.shape[0] > _MOST_DIMENSIONS:
        return _in_many_dimensions(method, Y, classes, logs)
    groups = None
    if method == "auto":
        method, groups = quickest(Y, classes)
    elif method == "spectral":
        groups = Groups.of(Y, classes)
        if not groups.fit:
            method = "truncated"
    return Spectral(Y, classes, logs, groups) if method == "spectral" else SUMMATION_METHODS[method](Y, classes, logs)


def _in_many_dimensions(method: str, Y: np.ndarray, classes: Classes, logs: bool) -> Summation:
    d, n = Y.shape
    if d <= _MOST_FOR_TREES and method in ("auto", "truncated"):
        if method == "truncated":
            return Truncated(Y, classes, logs)
        if n >= _WORTH_A_TREE:
            tree = Tree.of(Y, classes.start)
            if estimated_share(tree) < _CLEARLY_LESS:
                return Truncated(Y, classes, logs, tree)
    if d < _PRODUCTS_FROM or np.count_nonzero(np.einsum("ij,ij->j", Y, Y) > TRUSTED) > _FAR_OUT * n:
        return Dense(Y, classes, logs)
    return Products(Y, classes, logs)


def pairs_to_visit(Y: np.ndarray, classes: Classes) -> float:
    """About how many of the n² pairs an exact evaluation at Y, (n_components > 3, n_samples), looks at."""
    d, n = Y.shape
    return float(n * n) * (1.0 if d > _MOST_FOR_TREES else estimated_share(Tree.of(Y, classes.start)))


def is_prohibitive(Y: np.ndarray, classes: Classes) -> bool:
    """Whether exact sums take so long that a training begins with batches of rows: at Y, (n_components, n_samples), an
    evaluation looks at more than 1e10 pairs in more than three components."""
    d, n = Y.shape
    return d > _MOST_DIMENSIONS and n * n > MOST_PAIRS and pairs_to_visit(Y, classes) > MOST_PAIRS


def summed_for(rows: np.ndarray, Y: np.ndarray, classes: Classes) -> DenseQueries | Queries | BlockSums:
    """The sums of the points `rows`, rising, over all others, each by itself."""
    if not np.isfinite(Y).all():
        return BlockSums(classes.block, Y, rows, "queries")
    LOOPS_READY.wait()
    if Y.shape[0] > _MOST_DIMENSIONS:
        return DenseQueries(Y, classes, rows)
    return Queries(Y, classes, rows)


def quickest(Y: np.ndarray, classes: Classes) -> tuple[str, Groups | None]:
    """The key of SUMMATION_METHODS with the smallest estimated cost, and the groups of the spectral method if known."""
    if Y.shape[1] <= _SMALL:
        return "dense", None
    costs, groups = estimated_costs(Y, classes)
    return min(costs, key=lambda method: costs[method]), groups


def estimated_costs(Y: np.ndarray, classes: Classes) -> tuple[dict[str, float], Groups | None]:
    """(ns for the sums and one gradient by each method that applies, groups of the spectral method where it is one);
    Y is (n_components ≤ 3, n_samples)."""
    d, n = Y.shape
    near, pairs = _sampled(Y)
    truncated = _POINT_TRUNCATED[d] + _PAIR_TRUNCATED[d] * pairs
    costs = {"dense": _START_DENSE + 0.5 * n * n * _PAIR_DENSE[d], "truncated": _START_TRUNCATED + n * truncated}
    if n < _WORTH_A_GRID or least_cost(n, d, n / near * _BALL[d] * CUT ** (d / 2)) > min(costs.values()):
        return costs, None
    groups = Groups.of(Y, classes)
    if not groups.fit:
        return costs, None
    costs["spectral"] = groups.cost + _SINGLY * _POINT_TRUNCATED[d] * np.count_nonzero(groups.outside)
    return costs, groups


def _sampled(Y: np.ndarray) -> tuple[float, float]:
    """For evenly spread sample points, on average: points within the cut, and pairs that the truncated method looks at
    for each point."""
    d, n = Y.shape
    sample = Y[:, np.linspace(0, n - 1, _SAMPLE).astype(np.int64)]
    step = max(1, n // _REFERENCES)
    others = Y[:, ::step]
    distances = sum((a[:, None] - b[None, :]) ** 2 for a, b in zip(sample, others, strict=True))
    near = np.count_nonzero(distances < CUT, axis=1) * float(step)  # (n_sample,)
    # Whole leaves are looked at, which reach over the cut by about the side of a leaf at that density.
    side = (_LEAF / max(float(near.mean()), 1.0)) ** (1.0 / d)
    pairs = 0.5 * np.minimum(near * (1.0 + side) ** d, n)
    return max(float(near.mean()), 1.0), float(pairs.mean())
