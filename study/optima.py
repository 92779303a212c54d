"""Is this the only answer? Trainings from many starts: which optima they reach, and how far these are apart."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from sklearn.manifold import ClassicalMDS

from datasets.base.words import counted, percent
from nca_core.training.run import Slot
from nca_core.training.starts import scaled_start
from study.compare import Comparison
from study.differences import evaluated_rows, predictions
from study.landscape import AS_GOOD, LevelWays, procrustes_distances
from study.measure import accuracy_labels, scale_at
from study.pieces import Spread, in_turn

NAMED = ("pca", "lda", "whitening", "pooled_whitening", "identity")
DRAWN = ("random", "uniform")
SCALES = (1.0, 3.0, 0.3)


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
    # (n_components, n_rows); the places of the training rows, or what stands for them in `procrustes_distances`
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
        if not len(self.right):
            return np.full(len(self.reached), np.nan)
        return np.array([np.mean(one.predicted == self.right) for one in self.reached])

    @cached_property
    def like_the_best(self) -> np.ndarray:
        """Share of the evaluated rows that 1-NN takes for the same class as in the best one, (n_reached,)."""
        if not len(self.right):
            return np.full(len(self.reached), np.nan)
        best = self.reached[self.best].predicted
        return np.array([np.mean(one.predicted == best) for one in self.reached])

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
            order = np.argsort(-self.mean_p, kind="stable")
            second = int(order[1])
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
    slot: entered around each piece of work; what it raises to end the work comes out of here.
    spread: how the trainings are carried out: one after the other, or several at a time.

    Raises ValueError for a panel without such a training.
    """
    panel = comparison.panel(key)
    if not panel.trains or not panel.recipe.gives_frames or panel.config is None:
        raise ValueError(f"{panel.recipe.shown_title} has no A that a training from many starts could lead to.")
    reached: list[Reached] = []
    ways = LevelWays(comparison, key, slot)
    y = accuracy_labels(comparison, panel)
    tried = trials(n, panel.recipe.random_state)
    for one in spread(_arrive, (comparison, key, panel.config.n_components), tried, slot):
        A, evaluated = one.transformation, evaluated_rows(comparison, one.predicted)
        reached.append(replace(one, view=ways.view(A), predicted=one.predicted[evaluated].astype(np.int32)))
        held_out = bool(comparison.prepared.held_out[evaluated].all())
        yield Optima(panel.recipe.shown_title, n, tuple(reached), ways.join(A), y[evaluated], held_out)


def _arrive(shared: tuple[Comparison, str, int], trial: Trial, slot: Slot) -> Reached:
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
