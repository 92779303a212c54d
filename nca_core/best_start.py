"""Starts that are the end of a short training: the best of several, and a sample before all points."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from nca_core.evaluator import Evaluation, Evaluator
from nca_core.initialisation import scaled_start
from nca_core.optimisers.scipy_minimise import with_scipy
from nca_core.snapshot import Candidate

_CANDIDATES = (("lda", 1.0), ("lda", 3.0), ("pca", 1.0), ("whitening", 1.0), ("random", 0.1))
_SMOOTH, _SHARP = 15, 10  # iterations of g, then of f
_LARGEST = 5_000
_SAMPLE_ITERATIONS = 40


Slot = Callable[[], AbstractContextManager[object]]


def _climb(
    X: np.ndarray, y: np.ndarray, A: np.ndarray, unit: float, objective: str, max_iter: int, slot: Slot
) -> np.ndarray:
    evaluator = Evaluator(X, y, objective=objective)
    reached = [A / unit]

    def turn(transformation: np.ndarray) -> Evaluation:
        with slot():
            return evaluator.evaluate(transformation)

    class MeanValue:
        n_samples = len(X)
        random_state = 0

        def __call__(self, transformation: np.ndarray) -> tuple[float, np.ndarray]:
            at = turn(transformation * unit)
            return at.objective / len(X), at.gradient * (unit / len(X))

        def of_queries(self, transformation: np.ndarray, queries: np.ndarray) -> np.ndarray:
            return evaluator.gradient_of_queries(transformation * unit, queries) * (unit / len(X))

    with_scipy("L-BFGS-B")(MeanValue(), A / unit, max_iter, 1e-5, lambda A: reached.append(A.copy()))
    return reached[-1] * unit


def stratified_sample(y: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Sorted row numbers of about `size` rows, each class with its share but at least two of its members."""
    if size >= len(y):
        return np.arange(len(y))
    rows = []
    for code in np.unique(y):
        members = np.flatnonzero(y == code)
        wanted = min(len(members), max(2, round(size * len(members) / len(y))))
        rows.append(rng.choice(members, wanted, replace=False))
    return np.sort(np.concatenate(rows))


def compare_starts(
    X: np.ndarray, y: np.ndarray, n_components: int, random_state: int = 0, slot: Slot = nullcontext
) -> list[Candidate]:
    """Short runs from several starts and scales, best first.

    Each climbs g (eq. 6), whose pull reaches far, and then f (eq. 3), by whose mean p_i they are ranked: on digits
    in two dimensions that leads to better optima of f than f alone. At most 5,000 points, stratified, are used.

    Parameters:
        X: features, (n_samples, n_features).
        y: class codes, (n_samples,).
        slot: gives a context to enter around each evaluation; what it raises ends the comparison.
    """
    rows = stratified_sample(y, _LARGEST, np.random.default_rng(random_state))
    X, y = X[rows], y[rows]
    tried = []
    for name, scale in _CANDIDATES:
        start = scaled_start(X, y, n_components, name, random_state, slot=slot)
        A = _climb(X, y, start.transformation * scale, start.scaled_by, "g", _SMOOTH, slot)
        A = _climb(X, y, A, start.scaled_by, "f", _SHARP, slot)
        A.flags.writeable = False
        tried.append(Candidate(name, scale, A, Evaluator(X, y).evaluate(A).score))
    return sorted(tried, key=lambda candidate: -candidate.score)


def best_of_several(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    """Where the best of `compare_starts` arrived."""
    return compare_starts(X, y, d, int(rng.integers(2**31 - 1)))[0].transformation


def sample_first(
    X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator, slot: Slot = nullcontext
) -> np.ndarray:
    """Continuation: where a training on a stratified sample arrived, at most 5,000 points or half of them."""
    rows = stratified_sample(y, min(_LARGEST, len(y) // 2), rng)
    start = scaled_start(X[rows], y[rows], d, "lda", 0, slot=slot)
    return _climb(X[rows], y[rows], start.transformation, start.scaled_by, "f", _SAMPLE_ITERATIONS, slot)
