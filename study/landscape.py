"""What lies between optima: f along the line through two, and on the plane through three."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from nca_core.run import Slot
from nca_core.sampling import stratified_sample
from study.compare import Comparison
from study.measure import evaluator_of
from study.views_apart import spread_factor, turned_onto

AS_GOOD = 0.005  # of f/n: what a level way may fall by, and within which one end is as good as another
BEYOND = 0.25  # of the way, on both sides
STEPS, STEPS_ON_PLANE = 61, 23
MOST_ROWS = 4_000  # of the training rows, by which f is told


@dataclass(frozen=True)
class Line:
    """f/n on the line A + t (B − A), B turned onto A.

    Attributes
    ----------
    t : ndarray of shape (n_steps,)
        0 at the first optimum, 1 at the second.
    mean_p : ndarray of shape (n_steps,)
        f/n there.
    n_asked, n_train : int
        Training rows that it is told by, a fixed sample of very many, and all.
    """

    t: np.ndarray
    mean_p: np.ndarray
    n_asked: int
    n_train: int

    @property
    def sentence(self) -> str:
        """How deep the valley between the two is."""
        inside = (self.t >= 0) & (self.t <= 1)
        ends = [float(self.mean_p[np.argmin(np.abs(self.t - end))]) for end in (0.0, 1.0)]
        least = float(self.mean_p[inside].min())
        lower = min(ends)
        way = f"On the straight way from one (f/n = {ends[0]:.3f}) to the other ({ends[1]:.3f})"
        part = f" Told by {self.n_asked:,} of {self.n_train:,} training rows." if self.n_asked < self.n_train else ""
        if least >= lower - AS_GOOD:
            level = f"f/n never falls more than {AS_GOOD} below the lower of the two"
            return f"{way} {level}: no valley lies between them there.{part}"
        return f"{way} f/n falls to {least:.3f}: a valley lies between them.{part}"


def line_between(
    comparison: Comparison, key: str, A: np.ndarray, B: np.ndarray, steps: int = STEPS, slot: Slot = nullcontext
) -> Line:
    """f/n of the panel's training rows along the line through two optima.

    Parameters
    ----------
    comparison, key
        The panel.
    A, B : ndarray of shape (n_components, n_features)
        The optima; B is turned onto A first, so that the rows lie as near as they can: a turned view is the same view.
    steps : int
        How many places on the line, ends included; an odd number.
    """
    t = np.linspace(-BEYOND, 1.0 + BEYOND, steps)
    t[[np.argmin(np.abs(t)), np.argmin(np.abs(t - 1.0))]] = 0.0, 1.0
    with slot():
        to = turned_onto(A, B, spread(comparison, key))
    values = _mean_p(comparison, key, [A + step * (to - A) for step in t], slot)
    return Line(t, values, len(asked_rows(comparison, key)), int(comparison.prepared.train.sum()))


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

    Returns
    -------
    tuple of ndarray
        The values of u and of v, (n_steps,), and f/n by v and u, (n_steps, n_steps).
    """
    t = np.linspace(-BEYOND, 1.0 + BEYOND, steps)
    with slot():
        factor = spread(comparison, key)
        first, second = turned_onto(A, B, factor) - A, turned_onto(A, C, factor) - A
    values = _mean_p(comparison, key, [A + u * first + v * second for v in t for u in t], slot)
    return t, values.reshape(steps, steps)


def asked_rows(comparison: Comparison, key: str) -> np.ndarray:
    """The training rows that f is told by between optima, (n_asked,)."""
    rows = np.flatnonzero(comparison.prepared.train)
    return rows[stratified_sample(comparison.panel(key).y[rows], MOST_ROWS, np.random.default_rng(0))]


def spread(comparison: Comparison, key: str) -> np.ndarray:
    """`spread_factor` of these rows."""
    return spread_factor(comparison.panel(key).X[asked_rows(comparison, key)])


def _mean_p(comparison: Comparison, key: str, matrices: list[np.ndarray], slot: Slot) -> np.ndarray:
    evaluator = evaluator_of(comparison, key, asked_rows(comparison, key))
    found = []
    for matrix in matrices:
        with slot():
            found.append(evaluator.evaluate(matrix).mean_p)
    return np.array(found)
