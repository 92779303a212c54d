"""Is this the only answer? Trainings from many starts: the optima they reach, how far apart, and what lies between."""

from collections.abc import Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from sklearn.manifold import ClassicalMDS

from datasets.base.words import counted, percent
from nca_core.features.covariance import turned_towards
from nca_core.features.rows import stratified_sample
from nca_core.training.run import Slot
from nca_core.training.starts import scaled_start
from study.compare import Comparison
from study.differences import evaluated_rows, predictions
from study.measure import accuracy_labels, panel_evaluator, scale_at
from study.pieces import Spread, in_order, in_turn

NAMED = ("pca", "lda", "whitening", "pooled_whitening", "identity")
DRAWN = ("random", "uniform")
SCALES = (1.0, 3.0, 0.3)
AS_GOOD = 0.005  # of f/n: what a level way may fall by, and within which one end is as good as another
BEYOND = 0.25  # of the way, on both sides
STEPS, STEPS_ON_PLANE = 61, 23
MOST_ROWS = 4_000  # of the training rows, on which f is measured
_STEPS = (0.5, 0.25, 0.75)  # of the way; valleys are deepest in the middle
_MOST_WAYS = 8  # tried from each, to the nearest views that are as good


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


@dataclass(frozen=True)
class Trial:
    """A start: its name in INITIALISATIONS, the seed it is drawn with, and how much larger than that it begins."""

    start: str
    seed: int
    scale: float


@dataclass(frozen=True)
class Reached:
    """What a training from one start came to."""

    trial: Trial
    initial: np.ndarray  # (n_components, n_features); A at the start and at the end
    transformation: np.ndarray
    mean_p: float  # f/n at the end
    iterations: int  # how many it took
    cut_off: bool  # it was still climbing at the maximum of iterations
    # (n_components, n_rows); the projected training rows, or an equivalent for `procrustes_distances`
    view: np.ndarray
    # (n_queries,); the class that 1-NN takes each labelled held-out row for, or where none is held out each training
    # row by the others
    predicted: np.ndarray


@dataclass(frozen=True)
class Optima:
    """What many starts of one panel reached."""

    title: str
    wanted: int  # how many starts there shall be
    reached: tuple[Reached, ...]  # in the order of their starts
    joined: tuple[int, ...]  # the same number for those that came to one answer, as `LevelWays`
    right: np.ndarray  # (n_queries,); the classes of the rows that `Reached.predicted` is of
    held_out: bool  # whether these rows are held out

    @property
    def done(self) -> int:
        return len(self.reached)

    @property
    def mean_p(self) -> np.ndarray:
        """f/n of each, (n_reached,)."""
        return np.array([one.mean_p for one in self.reached])

    @cached_property
    def accuracy(self) -> np.ndarray:
        """Share of the evaluated rows that 1-NN is right on, (n_reached,); NaN without such rows."""
        return self._share(self.right)

    @cached_property
    def like_the_best(self) -> np.ndarray:
        """Share of the evaluated rows that 1-NN takes for the same class as in the best one, (n_reached,)."""
        return self._share(self.reached[self.best].predicted)

    def _share(self, codes: np.ndarray) -> np.ndarray:
        return np.array([np.mean(one.predicted == codes) if len(codes) else np.nan for one in self.reached])

    @cached_property
    def distances(self) -> np.ndarray:
        """Procrustes distances between the views, (n_reached, n_reached), as `procrustes_distances`."""
        return procrustes_distances([one.view for one in self.reached])

    @cached_property
    def groups(self) -> np.ndarray:
        """The number of each one's answer, (n_reached,): 0 has most of those as good as the best; then by f/n."""
        found = np.unique(self.joined, return_inverse=True)[1]
        best = np.array([self.mean_p[found == group].max() for group in range(found.max() + 1)])
        size = np.where(best >= best.max() - AS_GOOD, np.bincount(found), 0)
        rank = np.empty(len(best), dtype=np.int64)
        rank[np.lexsort([-best, -size])] = np.arange(len(best))
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
        """The best of each answer, in the order of `groups`."""
        groups = [np.flatnonzero(self.groups == group) for group in range(int(self.groups.max()) + 1)]
        return [int(those[self.mean_p[those].argmax()]) for those in groups]

    @property
    def as_good(self) -> np.ndarray:
        """Which come within AS_GOOD of the best, (n_reached,)."""
        return self.mean_p >= self.mean_p.max() - AS_GOOD

    @property
    def sentence(self) -> str:
        """Whether this is the only answer."""
        n, many = len(self.reached), int(self.groups.max()) + 1
        starts = counted(n, "start") + (f" of {self.wanted}" if n < self.wanted else "")
        low, high = float(self.mean_p.min()), float(self.mean_p.max())
        if many == 1:
            return f"As far as {starts} can tell, yes: {self.title} comes to one answer from all, f/n = {high:.3f}."
        there, good = int(np.count_nonzero(self.groups == 0)), int(np.count_nonzero(self.as_good))
        if good == n:
            said = f"{starts} of {self.title} lead to {many} different answers"
            return f"No, but none is better: {said}, all with f/n near {high:.3f}."
        come = "comes" if good == 1 else "come"
        alike = f", {there} of them to one answer" if 1 < there < good else ""
        return (
            f"No: {starts} of {self.title} lead to {many} different answers, f/n from {low:.3f} to {high:.3f}; {good} "
            f"({percent(good / n)}) {come} within {AS_GOOD} of the best{alike}."
        )

    @property
    def worth(self) -> str:
        """How much it matters which of the best is taken; empty where there is nothing to compare."""
        others = np.flatnonzero(self.as_good & (np.arange(len(self.reached)) != self.best))
        if not len(self.right) or len(self.reached) < 2:
            return ""
        rows = "held-out rows" if self.held_out else "training rows (leave-one-out)"
        if not len(others):
            second = int(np.argsort(-self.mean_p, kind="stable")[1])
            return (
                f"The next best (f/n = {self.mean_p[second]:.3f}) takes {percent(self.like_the_best[second])} of the "
                f"{rows} for the same class as the best; 1-NN classifies {percent(self.accuracy[second])} of them "
                f"correctly, {percent(self.accuracy[self.best])} in the best."
            )
        low, high = (percent(share(self.accuracy[self.as_good])) for share in (np.min, np.max))
        alike = float(np.median(self.like_the_best[others]))
        right = low if low == high else f"{low} to {high}"
        return (
            f"Those as good take {percent(alike)} of the {rows} for the same class as the best (the median); 1-NN "
            f"classifies {right} of them correctly, {percent(self.accuracy[self.best])} in the best."
        )

    @property
    def unfinished(self) -> str:
        """How many had not arrived; empty where all had."""
        cut = [one.iterations for one in self.reached if one.cut_off]
        if not cut:
            return ""
        which = f"{len(cut)} of {len(self.reached)} were" if len(cut) > 1 else f"1 of {len(self.reached)} was"
        return f"{which} still climbing at the limit of {max(cut)} iterations: with more, some may come together."


def trials(n: int, random_state: int = 0) -> list[Trial]:
    """The first n starts: those with a name at every scale, then drawn ones with a seed each."""
    named = [Trial(name, random_state, scale) for scale in SCALES for name in NAMED]
    drawn = [Trial(name, random_state + seed, scale) for seed in range(n) for scale in SCALES for name in DRAWN]
    return [*named, *drawn][:n]


def many_starts(
    comparison: Comparison, key: str, n: int, slot: Slot = nullcontext, spread: Spread = in_turn
) -> Generator[Optima, None, None]:
    """Train the panel `key` from n starts; gives what there is after each.

    comparison: with the panel, whose other settings hold for all.
    key: a panel that trains, and whose projection is a matrix.
    n: how many starts, at least 1.

    Raises ValueError for a panel without such a training.
    """
    panel = comparison.panel(key)
    if not panel.trains or not panel.recipe.gives_frames or panel.config is None:
        raise ValueError(f"{panel.recipe.shown_title} has no A that a training from many starts could lead to.")
    reached: list[Reached] = []
    ways = LevelWays(comparison, key, slot)
    y = accuracy_labels(comparison, panel)
    tried = trials(n, panel.recipe.random_state)
    for one in in_order(spread, _train_from, (comparison, key, panel.config.n_components), tried, slot):
        A, evaluated = one.transformation, evaluated_rows(comparison, one.predicted)
        reached.append(replace(one, view=ways.view(A), predicted=one.predicted[evaluated].astype(np.int32)))
        held_out = bool(comparison.prepared.held_out[evaluated].all())
        yield Optima(panel.recipe.shown_title, n, tuple(reached), ways.join(A), y[evaluated], held_out)


def _train_from(shared: tuple[Comparison, str, int], trial: Trial, slot: Slot) -> Reached:
    """What a training from one start came to; still without its view, and with what 1-NN takes every row for."""
    comparison, key, d = shared
    panel, rows = comparison.panel(key), comparison.prepared.train
    with slot():
        start = scaled_start(panel.X[rows], panel.y[rows], d, trial.start, trial.seed).transformation * trial.scale
    trajectory = comparison.trained(key, slot, start)
    end = trajectory.snapshots[-1]
    with slot():
        mean_p = scale_at(comparison, key, end)[0]
    with slot():
        predicted = predictions(comparison, key, end)
    cut_off = trajectory.ended == "max_iter"
    return Reached(trial, start, end.transformation, mean_p, end.iteration, cut_off, np.empty((d, 0)), predicted)


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

    B is turned onto A first, so that the rows lie as near as they can: a turned view is the same view.

    A, B: the optima, (n_components, n_features).
    steps: how many places on the line, ends included; an odd number.
    """
    t = np.linspace(-BEYOND, 1.0 + BEYOND, steps)
    t[[np.argmin(np.abs(t)), np.argmin(np.abs(t - 1.0))]] = 0.0, 1.0
    ways = LevelWays(comparison, key, slot)
    to = turned_towards(B, A, ways.factor)
    values = np.array([ways.mean_p(A + step * (to - A)) for step in t])
    return LineBetween(t, values, ways.n_queries, int(comparison.prepared.train.sum()))


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
    ways = LevelWays(comparison, key, slot)
    first, second = (turned_towards(other, A, ways.factor) - A for other in (B, C))
    return t, np.array([[ways.mean_p(A + u * first + v * second) for u in t] for v in t])


class LevelWays:
    """f/n between matrices A, which it groups one by one: a whole plateau of different views may be equally good.

    Two are in one group where both are as good, and f/n at a quarter, a half and three quarters of the straight way
    between them, one turned onto the other, is nowhere more than AS_GOOD below the lower. Groups are transitive.
    """

    def __init__(self, comparison: Comparison, key: str, slot: Slot = nullcontext) -> None:
        panel, rows = comparison.panel(key), np.flatnonzero(comparison.prepared.train)
        rows = rows[stratified_sample(panel.y[rows], MOST_ROWS, np.random.default_rng(0))]
        with slot():
            self.factor = spread_factor(panel.X[rows])
            self._evaluator = panel_evaluator(comparison, key, rows)
        self._slot = slot
        self.n_queries = len(rows)  # training rows that f is measured on
        self._found: list[tuple[np.ndarray, float]] = []  # A and f/n
        self._groups: list[int] = []

    def mean_p(self, A: np.ndarray) -> float:
        with self._slot():
            return self._evaluator.evaluate(A).mean_p

    def view(self, A: np.ndarray) -> np.ndarray:
        """A Rᵀ, (n_components, n_rows): two are as far apart as the places of the training rows are."""
        return np.asarray(A @ self.factor.T)

    def join(self, A: np.ndarray) -> tuple[int, ...]:
        """The number of each one's group so far, this one being the last."""
        value, number = self.mean_p(A), len(self._found)
        as_good = [k for k, (_, other) in enumerate(self._found) if abs(other - value) <= AS_GOOD]
        apart = [procrustes_distances([self.view(A), self.view(self._found[k][0])])[0, 1] for k in as_good]
        self._found.append((A, value))
        self._groups.append(number)
        for k in [as_good[place] for place in np.argsort(apart, kind="stable")[:_MOST_WAYS]]:
            mine, other = self._groups[number], self._groups[k]
            if mine == other:
                continue
            B, f = self._found[k]
            to, least = turned_towards(B, A, self.factor), min(value, f) - AS_GOOD
            if all(self.mean_p(A + step * (to - A)) >= least for step in _STEPS):
                self._groups = [mine if group == other else group for group in self._groups]
        return tuple(self._groups)
