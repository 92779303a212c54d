"""Starts that are the end of a short training: the best of several, and a sample before all points."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from nca_core.accuracy.accuracies import Accuracies
from nca_core.evaluation import Evaluation
from nca_core.evaluator import Evaluator
from nca_core.optimisers import OPTIMISERS
from nca_core.recorder import snapshot_at
from nca_core.sampling import stratified_sample
from nca_core.scaled_objective import ScaledObjective
from nca_core.simple_starts import Start, simple_start
from nca_core.snapshot import Candidate, Snapshot, frozen

_CANDIDATES = (("lda", 1.0), ("lda", 3.0), ("pca", 1.0), ("whitening", 1.0), ("random", 0.1))
_SMOOTH, _SHARP = 15, 10  # iterations of g, then of f
MOST_TRIED = len(_CANDIDATES) * (_SMOOTH + _SHARP + 1)  # snapshots of all short runs together
_LARGEST = 5_000
_SAMPLE_ITERATIONS = 40

Slot = Callable[[], AbstractContextManager[object]]


class _Points:
    """What short runs climb: points, their weights, and whether A is to stay diagonal.

    Parameters
    ----------
    X, y : ndarray
        Of the points, (n_samples, n_features) and (n_samples,).
    rows : ndarray
        Those of all points that these are; `sample_weight`, (n_all,), is of all.
    slot : Slot
        Gives a context to enter around each evaluation.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        rows: np.ndarray,
        sample_weight: np.ndarray | None,
        diagonal: bool,
        slot: Slot,
    ) -> None:
        self.X, self.y, self.diagonal, self.slot = X[rows], y[rows], diagonal, slot
        self.weights = None if sample_weight is None else sample_weight[rows]
        if self.weights is not None and not self.weights.any():
            self.weights = None  # of so few points that count none was drawn: any start is better than none
        self.total = float(len(rows)) if self.weights is None else float(self.weights.sum())

    def start(self, n_components: int, name: str, random_state: int) -> Start:
        rng = np.random.default_rng(random_state)
        return simple_start(self.X, self.y, n_components, name, rng, diagonal=self.diagonal, slot=self.slot)

    def evaluator(self, objective: str) -> Evaluator:
        return Evaluator(self.X, self.y, objective=objective, sample_weight=self.weights)

    def climb(self, A: np.ndarray, unit: float, objective: str, max_iter: int, first: int = 0) -> list[Snapshot]:
        """So many iterations of L-BFGS from A, which is the first of them; they are counted from `first` on."""
        evaluator = self.evaluator(objective)
        path: list[Snapshot] = []

        def evaluate(A: np.ndarray) -> Evaluation:
            with self.slot():
                return evaluator.evaluate(A)

        def record(variables: np.ndarray) -> None:
            A = frozen(np.array(mean.transformation(variables)))
            at = evaluate(A)  # kept by the evaluator: the optimiser has just been here
            norm = float(np.linalg.norm(np.diag(at.gradient) if self.diagonal else at.gradient))
            path.append(snapshot_at(first + len(path), A, at.objective, norm, at, Accuracies(), 0.0))

        mean = ScaledObjective(evaluator, evaluate, unit, self.total, self.diagonal, 0, self.slot)
        start = mean.variables(A)
        record(start)
        OPTIMISERS["l-bfgs"](mean, start, max_iter, 1e-5, record)
        return path


def compare_starts(
    X: np.ndarray,
    y: np.ndarray,
    n_components: int,
    random_state: int = 0,
    slot: Slot = nullcontext,
    *,
    sample_weight: np.ndarray | None = None,
    diagonal: bool = False,
) -> list[Candidate]:
    """Short runs from several starts and scales, best first.

    Each climbs g (eq. 6), whose pull reaches far, and then f (eq. 3), by whose mean p_i they are ranked: on digits
    in two dimensions that leads to better optima of f than f alone. At most 5,000 points, stratified, are used.

    Parameters
    ----------
    X : ndarray
        Features, (n_samples, n_features).
    y : ndarray
        Class codes, (n_samples,).
    slot : Slot
        Gives a context to enter around each evaluation; what it raises ends the comparison.
    sample_weight : ndarray or None
        Weight of each point's term in both objectives and in the mean p_i, (n_samples,).
    diagonal : bool
        Compare diagonal A only; n_components = n_features.
    """
    rows = stratified_sample(y, _LARGEST, np.random.default_rng(random_state))
    points = _Points(X, y, rows, sample_weight, diagonal, slot)
    tried = []
    for name, scale in _CANDIDATES:
        start = points.start(n_components, name, random_state)
        smooth = points.climb(start.transformation * scale, start.scaled_by, "g", _SMOOTH)
        reached = smooth.pop()  # where f begins
        sharp = points.climb(reached.transformation, start.scaled_by, "f", _SHARP, reached.iteration)
        end = sharp[-1]
        tried.append(Candidate(name, scale, end.transformation, end.mean_p, (*smooth, *sharp)))
    return sorted(tried, key=lambda candidate: -candidate.mean_p)


def best_of_several(
    X: np.ndarray,
    y: np.ndarray,
    n_components: int,
    rng: np.random.Generator,
    slot: Slot = nullcontext,
    *,
    sample_weight: np.ndarray | None = None,
    diagonal: bool = False,
) -> Start:
    """Where the best of `compare_starts` arrived; parameters as there."""
    seed = int(rng.integers(2**31 - 1))
    tried = compare_starts(X, y, n_components, seed, slot, sample_weight=sample_weight, diagonal=diagonal)
    return Start(tried[0].transformation, 1.0, tuple(tried))


def sample_first(
    X: np.ndarray,
    y: np.ndarray,
    n_components: int,
    rng: np.random.Generator,
    slot: Slot = nullcontext,
    *,
    sample_weight: np.ndarray | None = None,
    diagonal: bool = False,
) -> Start:
    """Continuation: where a training on a stratified sample arrived, at most 5,000 points or half of them; parameters
    as for `compare_starts`."""
    rows = stratified_sample(y, min(_LARGEST, len(y) // 2), rng)
    points = _Points(X, y, rows, sample_weight, diagonal, slot)
    start = points.start(n_components, "lda", 0)
    path = points.climb(start.transformation, start.scaled_by, "f", _SAMPLE_ITERATIONS)
    return Start(path[-1].transformation, 1.0)
