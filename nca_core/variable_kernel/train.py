"""train_variable_kernel: VSM and GVSM, with one Snapshot each time the neighbours are found anew."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from nca_core.checked_input import TrainingStopped, check_input
from nca_core.covariance import deviations, varies
from nca_core.neighbours.base.blas_threads import one_blas_thread
from nca_core.progress import Progress
from nca_core.snapshot import Snapshot, Trajectory, frozen
from nca_core.training_config import TrainingConfig
from nca_core.truncation import truncated, turned_towards
from nca_core.validation import check_choice
from nca_core.variable_kernel.rule import error_and_gradient, nearest, votes

METRICS = ("none", "diagonal", "full")
_INNER = 8  # iterations of L-BFGS between two searches for neighbours
_HALVINGS = 6
# Narrower than this, the nearest neighbour alone votes and no derivative is left; wider, all K vote the same.
_LOG_R = (np.log(0.5), np.log(5.0))
_GAIN_OF_TOL = 100.0  # a gain of so many times config.tol, for each row, ends the training


@dataclass(frozen=True)
class VariableKernelConfig(TrainingConfig):
    """How to train.

    Attributes
    ----------
    n_neighbours : int
        K; cut to the number of other labelled rows. The paper does not say its own; Lowe (1995) took 10.
    metric : str
        "diagonal" (VSM) or "full" (GVSM, L upper triangular); "none" learns the width r alone.
    r : float or None
        The width of the kernel, in mean distances to the K/2 nearest neighbours; None: learnt, from 1.
    """

    n_neighbours: int = 10
    metric: str = "full"
    r: float | None = None

    def check(self, n_features: int) -> None:
        super().check(n_features)
        check_choice("metric", self.metric, METRICS)
        if not isinstance(self.n_neighbours, Integral) or isinstance(self.n_neighbours, bool) or self.n_neighbours < 1:
            raise ValueError(f"n_neighbours is {self.n_neighbours!r}; it must be a whole number of at least 1.")
        if self.r is not None and not 0 < self.r < np.inf:
            raise ValueError(f"r is {self.r!r}; it must be a finite number above 0, or None to learn it.")


@dataclass(frozen=True)
class Learnt:
    """L and r, with E at the neighbours that L gives."""

    L: np.ndarray
    r: float
    error: float
    neighbours: np.ndarray


class Learner:
    """Lowers E over the free entries of L and log r.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Labelled rows in units of each feature's spread, so that a step suits every one.
    y : ndarray of shape (n_samples,)
        Their class codes, from 0.
    config : VariableKernelConfig
        `metric`, `n_neighbours` and `r`.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, config: VariableKernelConfig) -> None:
        self._X, self._y, self._tol = X, y, config.tol
        self._K = min(config.n_neighbours, len(X) - 1)
        self._learns_r = config.r is None
        D = X.shape[1]
        self._free = {"none": np.zeros((D, D)), "diagonal": np.eye(D), "full": np.triu(np.ones((D, D)))}[
            config.metric
        ].astype(bool)

    def at(self, L: np.ndarray, r: float) -> Learnt:
        neighbours = nearest(self._X @ L.T, self._K)
        return Learnt(L, r, error_and_gradient(self._X, self._y, neighbours, L, r)[0], neighbours)

    def has_settled(self, gained: float) -> bool:
        """Whether the last step gained so little that it is the last."""
        return gained <= _GAIN_OF_TOL * self._tol * len(self._X)

    def gradient(self, at: Learnt) -> np.ndarray:
        """∂E over the free entries of L and log r, (n_free + 1,)."""
        _, d_L, d_log_r = error_and_gradient(self._X, self._y, at.neighbours, at.L, at.r)
        return np.append(d_L[self._free], d_log_r if self._learns_r else 0.0)

    def step(self, at: Learnt) -> Learnt | None:
        """Some iterations with the neighbours held, then the same step cut until E is lower with its own neighbours.

        Found anew, the neighbours change E by a jump, which no gradient knows of. None where nothing lowers E.
        """
        from scipy.optimize import minimize

        scale = max(len(self._X), 1)

        def value(flat: np.ndarray) -> tuple[float, np.ndarray]:
            L, r = self._unpacked(at.L, flat)
            error, d_L, d_log_r = error_and_gradient(self._X, self._y, at.neighbours, L, r)
            return error / scale, np.append(d_L[self._free], d_log_r if self._learns_r else 0.0) / scale

        start = np.append(at.L[self._free], np.log(at.r))
        options: Any = {"maxiter": _INNER, "ftol": 0.0, "gtol": 1e-10}
        bounds: Any = [(None, None)] * (len(start) - 1) + [_LOG_R if self._learns_r else (None, None)]
        reached = minimize(value, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
        for halving in range(_HALVINGS):
            L, r = self._unpacked(at.L, start + 0.5**halving * (reached - start))
            size = float(np.linalg.norm(L))
            if not np.isfinite(size) or size == 0.0:
                continue
            new = self.at(L * (np.linalg.norm(at.L) / size), r)  # E does not depend on the scale of L
            if new.error < at.error:
                return new
        return None

    def _unpacked(self, L: np.ndarray, flat: np.ndarray) -> tuple[np.ndarray, float]:
        new = L.copy()
        new[self._free] = flat[:-1]
        return new, float(np.exp(flat[-1]))


def spread_of(X: np.ndarray) -> np.ndarray:
    """Standard deviation of each feature, (n_features,); where it does not vary, the mean of the others."""
    deviation = deviations(X)
    varying = varies(X, deviation)
    usual = float(deviation[varying].mean()) if varying.any() else 1.0
    return np.where(varying, deviation, usual)


def start_of(initial: np.ndarray | None, n_features: int, spread: np.ndarray, metric: str) -> np.ndarray:
    """L in units of the spread: the Euclidean distance of the rows, and as much again along the axes of `initial`."""
    Q = np.eye(n_features)
    if initial is not None and metric != "none":
        own = initial.T @ initial
        Q = Q + own / max(float(np.linalg.norm(own, 2)), np.finfo(float).tiny)
    Q = Q * np.outer(spread, spread) / float(np.mean(spread**2))
    Q = np.diag(np.diag(Q)) if metric == "diagonal" else Q
    ridge = 1e-12 * float(np.trace(Q)) / n_features * np.eye(n_features)
    return np.linalg.cholesky(Q + ridge).T


@one_blas_thread()
def train_variable_kernel(
    X: np.ndarray,
    y: np.ndarray,
    config: VariableKernelConfig,
    on_snapshot: Callable[[Snapshot], None] | None = None,
    *,
    sample_weight: np.ndarray | None = None,
    held_out: tuple[np.ndarray, np.ndarray] | None = None,
    initial: np.ndarray | None = None,
    targets: np.ndarray | None = None,
    slot: Callable[[], AbstractContextManager[object]] = nullcontext,
    measure_accuracy: bool = True,
) -> Trajectory:
    """Learn L and r by lowering E, the squared error of the variable-kernel rule, leave one out.

    `objective` of a snapshot is −E, which is maximised. What is shown is the eigen-truncation of LᵀL / 2σ̄², σ̄² the
    mean squared width, turned to lie on the one before; accuracies, mean p_i and K̂ belong to it.

    Parameters
    ----------
    X, y, on_snapshot, held_out, initial, slot, measure_accuracy
        As for `nca_core.training.train`; rows without a label are left out.
    config : VariableKernelConfig
        How to train.
    sample_weight, targets : None
        Not taken.

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        For input that cannot be trained on.

    References
    ----------
    Lowe: Similarity metric learning for a variable-kernel classifier, Neural Computation 1995 (VSM); Naudé, van Wyk,
    van Wyk: Generalized variable-kernel similarity metric learning, SSPR 2004 (GVSM).
    """
    given = check_input(X, y, config, sample_weight=sample_weight, held_out=held_out, targets=targets)
    if sample_weight is not None:
        raise ValueError("The variable-kernel rule takes no weights of points.")
    X, labels = given.X, given.labels
    start = given.initial(initial, config, slot)
    progress = Progress(X, labels.codes, given.held_out, config.random_state, on_snapshot, slot, measure_accuracy)
    centred, rows = X - X.mean(axis=0), labels.codes >= 0
    why = given.why_nothing_can_be_learnt()
    if not why and not np.ptp(X[rows], axis=0).any():
        why = "All labelled rows are equal, so every projection is as good as any other."
    if why:
        if progress.finished_at(start):
            return Trajectory(tuple(progress.snapshots), "stopped", "Stopped.")
        return Trajectory(tuple(progress.snapshots), "cannot_move", why)
    spread = spread_of(X)
    codes = np.unique(labels.codes[rows], return_inverse=True)[1]
    learner = Learner(centred[rows] / spread, codes, config)
    shown = start

    def record(at: Learnt) -> None:
        nonlocal shown
        L = at.L / spread
        width = votes(centred[rows] @ L.T, at.neighbours, at.r).width
        A, spectrum = truncated(L.T @ L / (2.0 * max(float(np.mean(width**2)), np.finfo(float).tiny)), len(start))
        shown = turned_towards(A, shown, centred)
        progress.record(shown, -at.error, float(np.linalg.norm(learner.gradient(at))), frozen(spectrum))

    try:
        with progress.turn():
            at = learner.at(start_of(start, X.shape[1], spread, config.metric), config.r or 1.0)
        record(at)
        for iteration in range(1, config.max_iter + 1):
            with progress.turn():
                new = learner.step(at)
            if new is None:
                reason = f"No step lowers the error any more, after {iteration - 1} iterations; r = {at.r:.2g}."
                return Trajectory(tuple(progress.snapshots), "converged", reason)
            gained, at = at.error - new.error, new
            record(at)
            if learner.has_settled(gained):
                reason = f"Converged after {iteration} iterations; r = {at.r:.2g}."
                return Trajectory(tuple(progress.snapshots), "converged", reason)
    except (StopIteration, TrainingStopped):
        return Trajectory(tuple(progress.snapshots), "stopped", "Stopped.")
    reason = f"Reached the maximum of {config.max_iter} iterations; r = {at.r:.2g}."
    return Trajectory(tuple(progress.snapshots), "max_iter", reason)
