"""What a training has learnt: its K (both averages, each row's own, the accuracy for every other K) and its metric."""

from dataclasses import dataclass

import numpy as np

from datasets.base.words import percent
from datasets.preparation import Prepared
from nca_core.accuracy import (
    NearestNeighbours,
    k_mean_entropy,
    k_mean_perplexity,
    leave_one_out_curve,
    nearest_others,
    right_by_every_k,
    rounded_k,
)
from nca_core.objectives.evaluator import Evaluator
from nca_core.snapshot import Snapshot, Trajectory
from study.compare import Comparison
from study.inference import MARGIN, Conclusion, CurveTest, curve_against_current
from study.measure import CHOSEN, projection

FLAT = 0.1  # of the largest singular value: one below it adds less than a hundredth to a squared distance


@dataclass(frozen=True)
class KCurve:
    """K of one training at one iteration."""

    title: str
    local: np.ndarray  # (n_train,); exp(H_i), each training row's own K
    # (n_ks,); accuracy of the K-nearest-neighbour rule for K = 1, 2, ...: training rows by the others, and held-out
    # rows; the second is empty where none is held out
    leave_one_out: np.ndarray
    held_out: np.ndarray
    # every K against round(K̂) on the held-out rows, or without any on the training rows; None where round(K̂) lies
    # beyond the curve
    test: CurveTest | None = None

    @property
    def mean_entropy(self) -> float:
        """K̂ = exp(mean_i H_i)."""
        return k_mean_entropy(np.log(self.local))

    @property
    def mean_perplexity(self) -> float:
        """The other average, mean_i exp(H_i)."""
        return k_mean_perplexity(np.log(self.local))

    @property
    def k(self) -> int:
        """round(K̂), the K that accuracies are measured with."""
        return rounded_k(self.mean_entropy)

    @property
    def sentence(self) -> str:
        """Whether the estimate is good here, on rows that nothing was fitted to where there are any."""
        curve = self.held_out if len(self.held_out) else self.leave_one_out
        rows = "held-out rows" if len(self.held_out) else "training rows (leave-one-out)"
        low, high = float(self.local.min()), float(self.local.max())
        mean = f"the geometric mean of the rows' own K ({low:.1f} to {high:.1f})"
        estimate = f"{self.title}: K̂ = {self.mean_entropy:.1f}, {mean},"
        best = int(np.argmax(curve)) + 1
        test = self.test
        if test is None:
            return (
                f"{estimate} lies beyond K = {len(curve)}; of these, K = {best} is best: it classifies "
                f"{percent(curve[best - 1], 1)} of {rows} correctly."
            )
        here = float(curve[self.k - 1])
        said = f"{estimate} gives K = {self.k}, which classifies {percent(here, 1)} of {rows} correctly"
        if here == curve[best - 1]:
            return f"{said}. No K from 1 to {len(curve)} does better."
        better = [k for k, one in enumerate(test.differences) if one.estimate > 0]
        surest = min(better, key=lambda k: test.differences[k].corrected_p)
        p = test.differences[surest].corrected_p
        chosen = f", {CHOSEN}" if len(self.held_out) else ""
        beside = f"K = {surest + 1} reaches {percent(curve[surest], 1)}{chosen}"
        tested = f"on the same rows, corrected for {len(curve)} K"
        if test.answer is Conclusion.BETTER:
            return f"{said}. {beside}: it is better here (p = {p:.3f} {tested})."
        if test.answer is Conclusion.WITHIN_MARGIN:
            return f"{said}. {beside}: no K is better by more than {100 * MARGIN:.0f} points."
        return f"{said}. {beside}: whether another K is better cannot be told (p = {p:.2f} {tested})."


def k_curve(comparison: Comparison, key: str, snapshot: Snapshot, largest: int = 50) -> KCurve:
    """Both sides of K in the panel `key` at an iteration of its training.

    largest: the largest K; cut to the number of other training rows.

    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, section 2.
    """
    at = projection(comparison, key, snapshot)
    train, new = at.labelled()
    largest = min(largest, len(train) - 1)
    Y, y = at.Y, at.y
    nearest = NearestNeighbours(Y[train])
    queries, others = (new, nearest.of(Y[new], largest)) if len(new) else (train, None)
    if others is None:
        others = nearest_others(nearest, None, Y[train], np.arange(len(train)), largest)
    right = right_by_every_k(y[train][others], y[queries], comparison.prepared.dataset.n_classes)
    held_out = right.mean(axis=0) if len(new) else np.empty(0)
    entropy = Evaluator(Y[train], y[train]).evaluate_embedding(Y[train]).entropy
    own = leave_one_out_curve(Y[train], y[train], largest)
    k = rounded_k(k_mean_entropy(entropy))
    test = curve_against_current(right, k - 1) if k <= largest else None
    return KCurve(at.title, np.exp(entropy), own, held_out, test)


@dataclass(frozen=True)
class MetricHistory:
    """Of each snapshot of a training."""

    title: str
    iterations: np.ndarray  # (n_snapshots,); their numbers
    # (n_snapshots, n_components); of A, the largest first: the square roots of the eigenvalues of AᵀA that are not 0 by
    # its rank
    singular_values: np.ndarray

    @property
    def norms(self) -> np.ndarray:
        """The Frobenius norm ‖A‖ of each snapshot, (n_snapshots,)."""
        return np.linalg.norm(self.singular_values, axis=1)

    @property
    def sentence(self) -> str:
        """How much A grew, and in how many directions it counts."""
        first, last = float(self.norms[0]), float(self.norms[-1])
        values = self.singular_values[-1]
        grown = f"{self.title}: ‖A‖ is {last:.3g}"
        if len(self.norms) > 1 and first > 0:
            grown += f", {last / first:.3g} times that of the start"
        if not values[0] > 0:
            return f"{grown}; all points fall into one place."
        counting = int(np.count_nonzero(values >= FLAT * values[0]))
        listed = ", ".join(f"{value:.3g}" for value in values)
        if counting < len(values):
            only = "1 counts" if counting == 1 else f"{counting} count"
            shape = "a line" if counting == 1 else "flat"
            return f"{grown}; of its singular values ({listed}) only {only}: the picture is nearly {shape}."
        return f"{grown}; its singular values are {listed}, so every axis of the picture counts."


def metric_history(title: str, trajectory: Trajectory) -> MetricHistory:
    """From the A of each snapshot; of a network, of the matrix over its hidden units."""
    snapshots = trajectory.snapshots
    values = np.array([np.linalg.svd(at.transformation, compute_uv=False) for at in snapshots])
    return MetricHistory(title, np.array([at.iteration for at in snapshots]), values)


def weights_of_features(ready: Prepared, transformation: np.ndarray, per_deviation: bool) -> np.ndarray:
    """The weight of each original feature in each row of A.

    ready: the prepared data that `transformation` was trained on.
    transformation: A, (n_components, n_features of the prepared data).
    per_deviation: per standard deviation of the feature over the training rows, which makes units comparable; else per
        unit.

    Returns (n_components, n_features of the raw data).
    """
    weights = ready.back_to_features(transformation)
    if per_deviation:
        weights = weights * ready.raw.X[ready.train].std(axis=0)
    return weights
