"""Optima apart: distances between views, f along lines and planes between them, and which are one answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from nca_core.features.rows import stratified_sample
from nca_core.training.run import Slot
from study.compare import Comparison
from study.measure import panel_evaluator


def spread_factor(X: np.ndarray) -> np.ndarray:
    """R of X − mean = QR, (min(n_samples, n_features), n_features): (A Rᵀ)(B Rᵀ)ᵀ is that of the places of all rows.

    What stands in A for features that do not vary, or do so only together, makes no difference to a view; in A Rᵀ
    it makes none either.

    X: (n_samples, n_features).
    """
    return np.asarray(np.linalg.qr(X - X.mean(axis=0), mode="r"))


def procrustes_distances(matrices: Sequence[np.ndarray]) -> np.ndarray:
    """min over orthogonal R of ‖A/‖A‖ − R B/‖B‖‖ for each two, (n, n): 0 for rotated or scaled copies, √2 at most.

    Of places, one row's in each column, it is how far rows lie apart, as a share of the spread of a view, after one is
    turned onto the other: √(Σ_i ‖y_i − R z_i‖²).

    matrices: (n_components, n_columns).

    References
    ----------
    Schönemann (1966), A generalized solution of the orthogonal Procrustes problem, Psychometrika 31.
    """
    A = np.array([matrix / (np.linalg.norm(matrix) or 1.0) for matrix in matrices])  # (n, d, n_columns)
    n = len(A)
    distances = np.zeros((n, n))
    for i in range(n - 1):
        # The best rotation leaves 2 − 2 Σ σ, σ the singular values of A Bᵀ.
        overlap = np.linalg.svd(A[i] @ A[i + 1 :].transpose(0, 2, 1), compute_uv=False).sum(axis=1)
        distances[i, i + 1 :] = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * overlap))
    return distances + distances.T


def turned_onto(A: np.ndarray, B: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """B rotated and reflected so that its view lies as near to A's as it can, which changes no distance in it.

    A, B: (n_components, n_features).
    factor: `spread_factor` of the rows that are viewed, (n_rows, n_features).
    """
    u, _, vt = np.linalg.svd((A @ factor.T) @ (B @ factor.T).T)
    return np.asarray(u @ vt @ B)


AS_GOOD = 0.005  # of f/n: what a level way may fall by, and within which one end is as good as another
BEYOND = 0.25  # of the way, on both sides
STEPS, STEPS_ON_PLANE = 61, 23
MOST_ROWS = 4_000  # of the training rows, on which f is measured


@dataclass(frozen=True)
class LineBetween:
    """f/n on the line A + t (B − A), B turned onto A."""

    t: np.ndarray  # (n_steps,); 0 at the first optimum, 1 at the second
    mean_p: np.ndarray  # (n_steps,); f/n there
    n_queries: int  # n_queries, n_train: training rows that it is measured on, a fixed sample of very many, and all
    n_train: int

    @property
    def sentence(self) -> str:
        """How deep the valley between the two is."""
        inside = (self.t >= 0) & (self.t <= 1)
        ends = [float(self.mean_p[np.argmin(np.abs(self.t - end))]) for end in (0.0, 1.0)]
        least = float(self.mean_p[inside].min())
        lower = min(ends)
        way = f"On the straight way from one (f/n = {ends[0]:.3f}) to the other ({ends[1]:.3f})"
        sampled = self.n_queries < self.n_train
        part = f" Measured on {self.n_queries:,} of {self.n_train:,} training rows." if sampled else ""
        if least >= lower - AS_GOOD:
            level = f"f/n never falls more than {AS_GOOD} below the lower of the two"
            return f"{way} {level}: no valley lies between them there.{part}"
        return f"{way} f/n falls to {least:.3f}: a valley lies between them.{part}"


def line_between(
    comparison: Comparison, key: str, A: np.ndarray, B: np.ndarray, steps: int = STEPS, slot: Slot = nullcontext
) -> LineBetween:
    """f/n of the panel's training rows along the line through two optima.

    A, B: the optima; B is turned onto A first, so that the rows lie as near as they can: a turned view is the same
        view, (n_components, n_features).
    steps: how many places on the line, ends included; an odd number.
    """
    t = np.linspace(-BEYOND, 1.0 + BEYOND, steps)
    t[[np.argmin(np.abs(t)), np.argmin(np.abs(t - 1.0))]] = 0.0, 1.0
    with slot():
        to = turned_onto(A, B, factor_of_rows(comparison, key))
    values = _mean_p(comparison, key, [A + step * (to - A) for step in t], slot)
    return LineBetween(t, values, len(evaluation_rows(comparison, key)), int(comparison.prepared.train.sum()))


def plane_through(
    comparison: Comparison,
    key: str,
    A: np.ndarray,
    B: np.ndarray,
    C: np.ndarray,
    steps: int = STEPS_ON_PLANE,
    slot: Slot = nullcontext,
) -> tuple[np.ndarray, np.ndarray]:
    """f/n on the plane A + u (B − A) + v (C − A), B and C turned onto A.

    Returns the values of u and of v, (n_steps,), and f/n by v and u, (n_steps, n_steps).
    """
    t = np.linspace(-BEYOND, 1.0 + BEYOND, steps)
    with slot():
        factor = factor_of_rows(comparison, key)
        first, second = turned_onto(A, B, factor) - A, turned_onto(A, C, factor) - A
    values = _mean_p(comparison, key, [A + u * first + v * second for v in t for u in t], slot)
    return t, values.reshape(steps, steps)


def evaluation_rows(comparison: Comparison, key: str) -> np.ndarray:
    """Training rows that f is measured on between optima, (n_queries,)."""
    rows = np.flatnonzero(comparison.prepared.train)
    return rows[stratified_sample(comparison.panel(key).y[rows], MOST_ROWS, np.random.default_rng(0))]


def factor_of_rows(comparison: Comparison, key: str) -> np.ndarray:
    """`spread_factor` of these rows."""
    return spread_factor(comparison.panel(key).X[evaluation_rows(comparison, key)])


def _mean_p(comparison: Comparison, key: str, matrices: list[np.ndarray], slot: Slot) -> np.ndarray:
    evaluator = panel_evaluator(comparison, key, evaluation_rows(comparison, key))
    found = []
    for matrix in matrices:
        with slot():
            found.append(evaluator.evaluate(matrix).mean_p)
    return np.array(found)


_STEPS = (0.5, 0.25, 0.75)  # of the way; valleys are deepest in the middle
_MOST_WAYS = 8  # tried from each, to the nearest views that are as good


class LevelWays:
    """Group matrices A one by one: f/n may be equally good on a whole plateau of different views.

    Two are in one group where both are as good, and f/n at a quarter, a half and three quarters of the straight way
    between them, one turned onto the other, is nowhere more than AS_GOOD below the lower. Groups are transitive.

    slot: entered around each piece of work.
    """

    def __init__(self, comparison: Comparison, key: str, slot: Slot = nullcontext) -> None:
        with slot():
            self._factor = factor_of_rows(comparison, key)
            self._evaluator = panel_evaluator(comparison, key, evaluation_rows(comparison, key))
        self._slot = slot
        self._matrices: list[np.ndarray] = []
        self._values: list[float] = []
        self._groups: list[int] = []

    def view(self, A: np.ndarray) -> np.ndarray:
        """A Rᵀ, (n_components, n_rows): two are as far apart as the places of the training rows are."""
        return np.asarray(A @ self._factor.T)

    def join(self, A: np.ndarray) -> tuple[int, ...]:
        """The number of each one's group so far, this one being the last."""
        value, number = self._mean_p(A), len(self._matrices)
        as_good = [k for k in range(number) if abs(self._values[k] - value) <= AS_GOOD]
        with self._slot():
            apart = [float(procrustes_distances([self.view(A), self.view(self._matrices[k])])[0, 1]) for k in as_good]
        self._matrices.append(A)
        self._values.append(value)
        self._groups.append(number)
        for k in [as_good[place] for place in np.argsort(apart, kind="stable")[:_MOST_WAYS]]:
            mine, other = self._groups[number], self._groups[k]
            if mine != other and self._level(A, self._matrices[k], min(value, self._values[k])):
                self._groups = [mine if group == other else group for group in self._groups]
        return tuple(self._groups)

    def _level(self, A: np.ndarray, B: np.ndarray, lower: float) -> bool:
        to = turned_onto(A, B, self._factor)
        return all(self._mean_p(A + step * (to - A)) >= lower - AS_GOOD for step in _STEPS)

    def _mean_p(self, A: np.ndarray) -> float:
        with self._slot():
            return self._evaluator.evaluate(A).mean_p
