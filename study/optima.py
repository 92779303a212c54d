"""Is this the only answer? The same training from many starts: which optima they reach, and how far these are apart."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice

import numpy as np
from scipy.sparse.csgraph import connected_components
from sklearn.manifold import ClassicalMDS

from datasets.base.counted import counted
from datasets.base.percent import percent
from nca_core.initialisation import start_transformation
from nca_core.run import Slot
from study.compare import Comparison
from study.measure import scale_at

NAMED = ("pca", "lda", "whitening", "pooled_whitening", "identity")
DRAWN = ("random", "uniform")
SCALES = (1.0, 3.0, 0.3)
AS_GOOD = 0.005  # of f/n, within which an optimum is as good as another
ALIKE = 0.1  # Procrustes distance, of at most √2, within which two optima are the same


@dataclass(frozen=True)
class Trial:
    """A start: its name in INITIALISATIONS, the seed it is drawn with, and how much larger than that it begins."""

    start: str
    seed: int
    scale: float


@dataclass(frozen=True)
class Reached:
    """What a training from one start came to.

    Attributes
    ----------
    trial : Trial
        The start.
    initial, transformation : ndarray of shape (n_components, n_features)
        A at the start and at the end.
    mean_p : float
        f/n at the end.
    iterations : int
        How many it took.
    """

    trial: Trial
    initial: np.ndarray
    transformation: np.ndarray
    mean_p: float
    iterations: int


@dataclass(frozen=True)
class Optima:
    """What many starts of one panel reached.

    Attributes
    ----------
    title : str
        The panel.
    wanted : int
        How many starts there shall be.
    reached : tuple of Reached
        In the order of their starts.
    """

    title: str
    wanted: int
    reached: tuple[Reached, ...]

    @property
    def mean_p(self) -> np.ndarray:
        """f/n of each, (n_reached,)."""
        return np.array([one.mean_p for one in self.reached])

    @cached_property
    def distances(self) -> np.ndarray:
        """Procrustes distances between the A's, (n_reached, n_reached), as `procrustes_distances`."""
        return procrustes_distances([one.transformation for one in self.reached])

    @cached_property
    def groups(self) -> np.ndarray:
        """The number of each one's group of equal optima, (n_reached,): 0 holds the best.

        Two are equal where their A's are (`ALIKE`) and f/n is (`AS_GOOD`); what is equal to an equal one is, too.
        """
        near = np.abs(self.mean_p[:, None] - self.mean_p[None, :]) <= AS_GOOD
        found = connected_components(near & (self.distances <= ALIKE), directed=False)[1]
        best = [self.mean_p[found == group].max() for group in range(found.max() + 1)]
        rank = np.empty(len(best), dtype=np.int64)
        rank[np.argsort(-np.array(best), kind="stable")] = np.arange(len(best))
        return rank[found]

    @cached_property
    def map(self) -> np.ndarray:
        """The distances laid out in two dimensions, (n_reached, 2), by classical scaling."""
        if len(self.reached) < 3 or not self.distances.any():
            places = np.zeros((len(self.reached), 2))
            places[:, 0] = self.distances[0]
            return places
        return np.asarray(ClassicalMDS(n_components=2, metric="precomputed").fit_transform(self.distances))

    @property
    def best(self) -> int:
        """Which one has the greatest f/n."""
        return int(self.mean_p.argmax())

    @property
    def best_of_groups(self) -> list[int]:
        """The best of each group of equal optima, the best group first."""
        groups = [np.flatnonzero(self.groups == group) for group in range(int(self.groups.max()) + 1)]
        return [int(those[self.mean_p[those].argmax()]) for those in groups]

    @property
    def as_good(self) -> int:
        """How many come within AS_GOOD of the best."""
        return int(np.count_nonzero(self.mean_p >= self.mean_p.max() - AS_GOOD))

    @property
    def sentence(self) -> str:
        """Whether this is the only answer."""
        n = len(self.reached)
        how = (
            f"{self.title}: {counted(n, 'start')} of {self.wanted}" if n < self.wanted else f"{self.title}: {n} starts"
        )
        many = int(self.groups.max()) + 1
        low, high = float(self.mean_p.min()), float(self.mean_p.max())
        if many == 1:
            return f"{how} all reach one optimum, f/n = {high:.3f}: no other answer was found."
        share = f"{self.as_good} of {n} ({percent(self.as_good / n)}) come within {AS_GOOD} of the best"
        if high - low <= AS_GOOD:
            return (
                f"{how} reach {many} different views, all about as good (f/n from {low:.3f} to {high:.3f}): the answer "
                "is not the only one, but none is better."
            )
        return (
            f"{how} reach {many} different optima, f/n from {low:.3f} to {high:.3f}. {share}; start {self.best + 1} "
            "found it. This is not the only answer."
        )


def trials(n: int, random_state: int = 0) -> list[Trial]:
    """The first n starts: those with a name at every scale, then drawn ones with a seed each."""
    named = [Trial(name, random_state, scale) for scale in SCALES for name in NAMED]
    drawn = (
        Trial(
            DRAWN[k % len(DRAWN)], random_state + k // (len(DRAWN) * len(SCALES)), SCALES[k // len(DRAWN) % len(SCALES)]
        )
        for k in count()
    )
    return [*named, *islice(drawn, max(0, n - len(named)))][:n]


def many_starts(comparison: Comparison, key: str, n: int, slot: Slot = nullcontext) -> Generator[Optima, None, None]:
    """Train the panel `key` from n starts; gives what there is after each.

    Parameters
    ----------
    comparison : Comparison
        With the panel, whose other settings hold for all.
    key : str
        A panel that trains, and whose projection is a matrix.
    n : int
        How many starts, at least 1.
    slot : callable
        Entered around each piece of work; what it raises to end the work comes out of here.

    Raises
    ------
    ValueError
        For a panel without such a training.
    """
    panel = comparison.panel(key)
    if not panel.trains or not panel.recipe.gives_frames or panel.config is None:
        raise ValueError(f"{panel.recipe.shown_title} has no A that a training from many starts could lead to.")
    rows, d = comparison.prepared.train, panel.config.n_components
    title = panel.recipe.shown_title
    reached: list[Reached] = []
    for trial in trials(n, panel.recipe.random_state):
        with slot():
            start = start_transformation(panel.X[rows], panel.y[rows], d, trial.start, trial.seed) * trial.scale
        snapshots = comparison.trained(key, slot, start).snapshots
        end = snapshots[-1]
        with slot():
            mean_p = scale_at(comparison, key, end)[0]
        reached.append(Reached(trial, start, end.transformation, mean_p, end.iteration))
        yield Optima(title, n, tuple(reached))


def procrustes_distances(matrices: Sequence[np.ndarray]) -> np.ndarray:
    """min over orthogonal R of ‖A/‖A‖ − R B/‖B‖‖ for each two, (n, n): 0 for views that are rotated or scaled copies.

    Parameters
    ----------
    matrices : sequence of ndarray of shape (n_components, n_features)

    References
    ----------
    Schönemann (1966), A generalized solution of the orthogonal Procrustes problem, Psychometrika 31.
    """
    A = np.array([matrix / (np.linalg.norm(matrix) or 1.0) for matrix in matrices])  # (n, d, D)
    n = len(A)
    distances = np.zeros((n, n))
    for i in range(n - 1):
        # The best rotation leaves 2 − 2 Σ σ, σ the singular values of A Bᵀ.
        overlap = np.linalg.svd(A[i] @ A[i + 1 :].transpose(0, 2, 1), compute_uv=False).sum(axis=1)
        distances[i, i + 1 :] = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * overlap))
    return distances + distances.T


def turned_onto(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """B rotated and reflected as near to A as it can be, which changes no distance in its view."""
    u, _, vt = np.linalg.svd(A @ B.T)
    return np.asarray(u @ vt @ B)
