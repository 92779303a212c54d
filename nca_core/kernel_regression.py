"""train_mlkr: the metric in which the mean of a row's neighbours, weighed by p_ij, comes nearest to its own target."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from nca_core.checked_input import CheckedInput, TrainingStopped, check_input
from nca_core.covariance import units_of
from nca_core.last_two import LastTwo
from nca_core.neighbours.base.blas_threads import one_blas_thread
from nca_core.neighbours.base.threads import parts_of, summed
from nca_core.optimisers import FULL_BATCH
from nca_core.progress import Progress
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training_config import TrainingConfig
from nca_core.validation import check_targets

_BLOCK_CELLS = 500_000
_PAIRS_FOR_A_THREAD = 100_000
_LARGEST = 1e60  # of A; a line search may ask for more, and takes no such step


def regression_error(Y: np.ndarray, T: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Σ_i ω_i ‖t_i − t̂_i‖², t̂_i = Σ_{j≠i} p_ij t_j, and its gradient in Y; O(n²).

    With h_ij = −2 ω_i p_ij (t̂_i − t_i)·(t_j − t̂_i), which is the derivative in ‖y_i − y_j‖²,

        ∂/∂y_m = 2 Σ_j (h_mj + h_jm) (y_m − y_j).

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_components)
        Places.
    T : ndarray of shape (n_samples, n_targets)
        Targets.
    weights : ndarray of shape (n_samples,)
        ω_i.

    Returns
    -------
    float, ndarray of shape (n_samples, n_components)

    References
    ----------
    Weinberger, Tesauro: Metric learning for kernel regression, AISTATS 2007, eq. 2 and 6.
    """
    n, d = Y.shape
    squares = np.einsum("ij,ij->i", Y, Y)
    block = max(1, _BLOCK_CELLS // n)

    def work(first: int, last: int, out: np.ndarray) -> None:
        for start in range(first, last, block):
            here = np.arange(start, min(start + block, last))
            p = 2.0 * Y[here] @ Y.T
            p -= squares
            p -= squares[here, None]
            p[np.arange(len(here)), here] = -np.inf
            p -= p.max(axis=1, keepdims=True)
            np.exp(p, out=p)
            p /= p.sum(axis=1, keepdims=True)
            told = p @ T  # (n_block, n_targets)
            off = told - T[here]
            out[n, 0] += weights[here] @ np.einsum("ij,ij->i", off, off)
            h = off @ T.T  # (n_block, n_samples)
            h -= np.einsum("ij,ij->i", off, told)[:, None]
            h *= p
            h *= -2.0 * weights[here, None]
            out[:n] += h.sum(axis=0)[:, None] * Y - h.T @ Y[here]
            out[here] += h.sum(axis=1)[:, None] * Y[here] - h @ Y

    total = summed(parts_of(n, max(1, _PAIRS_FOR_A_THREAD // n)), work, (n + 1, d))
    return float(total[n, 0]), 2.0 * total[:n]


class _Climb:
    """−error / total as an optimiser climbs it in A, over features in units of their spread."""

    def __init__(self, X: np.ndarray, T: np.ndarray, weights: np.ndarray, penalty: np.ndarray, progress: Progress):
        self._X, self._T, self._weights, self._penalty, self._progress = X, T, weights, penalty, progress
        self._total = float(weights.sum())
        self._known: LastTwo[tuple[float, np.ndarray]] = LastTwo()
        self.n_samples, self.random_state = len(X), 0

    def at(self, A: np.ndarray) -> tuple[float, np.ndarray]:
        """The objective and its gradient."""
        return self._known.at(A, lambda: self._evaluate(A))

    def _evaluate(self, A: np.ndarray) -> tuple[float, np.ndarray]:
        with self._progress.turn():
            B = np.clip(A, -_LARGEST, _LARGEST)
            error, d_Y = regression_error(self._X @ B.T, self._T, self._weights)
            return -error - float(np.sum(self._penalty * A * A)), -d_Y.T @ self._X - 2.0 * self._penalty * A

    def __call__(self, A: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = self.at(A)
        return value / self._total, gradient / self._total

    def larger_unit(self, variables: np.ndarray) -> float:
        """Always 1: the rows are in units of their spread."""
        return 1.0


def _targets_of(given: CheckedInput, targets: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, str]:
    """(rows that have a target, T, why nothing can be learnt): numbers in units of their spread, or the classes as
    rows of the identity."""
    codes = given.labels.codes
    if targets is None:
        rows = np.flatnonzero(codes >= 0)
        classes, places = np.unique(codes[rows], return_inverse=True)
        return rows, np.eye(len(classes))[places], given.why_nothing_can_be_learnt()
    numbers = check_targets(targets, len(given.X))
    spread = float(numbers.std())
    why = "" if np.ptp(given.X, axis=0).any() else "All rows are equal, so every projection is as good as any other."
    if spread == 0.0:
        why = "All targets are equal, so every projection is as good as any other."
    return np.arange(len(codes)), ((numbers - numbers.mean()) / (spread or 1.0))[:, None], why


@one_blas_thread()
def train_mlkr(
    X: np.ndarray,
    y: np.ndarray,
    config: TrainingConfig,
    on_snapshot: Callable[[Snapshot], None] | None = None,
    *,
    sample_weight: np.ndarray | None = None,
    held_out: tuple[np.ndarray, np.ndarray] | None = None,
    initial: np.ndarray | None = None,
    targets: np.ndarray | None = None,
    slot: Callable[[], AbstractContextManager[object]] = nullcontext,
    measure_accuracy: bool = True,
) -> Trajectory:
    """Minimise the leave-one-out squared error of kernel regression over A; `objective` is less that error.

    Numeric targets count in units of their standard deviation, so that the objective over n is the coefficient of
    determination less 1. Without any, the shares of the classes among the neighbours are regressed on the classes.

    Parameters
    ----------
    X, y, on_snapshot, sample_weight, held_out, initial, targets, slot, measure_accuracy
        As for `nca_core.training.train`.
    config : TrainingConfig
        `n_components`, `initialisation`, `regularisation` (λ), `max_iter`, `tol` and `random_state` count.

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        For input that cannot be trained on.

    References
    ----------
    Weinberger, Tesauro: Metric learning for kernel regression, AISTATS 2007.
    """
    given = check_input(X, y, config, sample_weight=sample_weight, held_out=held_out)
    codes = given.labels.codes
    progress = Progress(given.X, codes, given.held_out, config.random_state, on_snapshot, slot, measure_accuracy)
    start = given.initial(initial, config, slot)
    rows, T, why = _targets_of(given, targets)
    if why:
        if progress.finished_at(start):
            return Trajectory(tuple(progress.snapshots), "stopped", "Stopped.")
        return Trajectory(tuple(progress.snapshots), "cannot_move", why)
    spread = units_of(given.X)
    Z = (given.X[rows] - given.X.mean(axis=0)) / spread
    weights = np.ones(len(rows)) if given.sample_weight is None else given.sample_weight[rows]
    climb = _Climb(Z, T, weights, config.regularisation / spread**2, progress)

    def record(A: np.ndarray) -> None:
        value, gradient = climb.at(A)
        progress.record(A / spread, value, float(np.linalg.norm(gradient * spread)))

    try:
        record(start * spread)
        end = FULL_BATCH["l-bfgs"](climb, start * spread, config.max_iter, config.tol, record)
    except (StopIteration, TrainingStopped):
        return Trajectory(tuple(progress.snapshots), "stopped", "Stopped.")
    return Trajectory(tuple(progress.snapshots), end.ended, end.reason)
