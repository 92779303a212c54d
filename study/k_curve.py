"""Where K comes from, and whether it is good: both averages, each row's own K, and the accuracy for every other K."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.base.words import percent
from nca_core.accuracy.nearest import NearestNeighbours
from nca_core.accuracy.stochastic_rule import k_mean_entropy, k_mean_perplexity, local_perplexity, rounded_k
from nca_core.accuracy.votes import leave_one_out_curve, right_for_every_k
from nca_core.objectives.evaluator import Evaluator
from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.measure import projection

LARGEST_K = 50


@dataclass(frozen=True)
class KCurve:
    """K of one training at one iteration.

    Attributes
    ----------
    title : str
        The panel.
    iteration : int
        Of its training.
    local : ndarray of shape (n_train,)
        exp(H_i), each training row's own K.
    leave_one_out, held_out : ndarray of shape (n_ks,)
        Accuracy of the K-nearest-neighbour rule for K = 1, 2, ...: training rows by the others, and held-out rows; the
        second is empty where none is held out.
    n_held_out : int
        Labelled held-out rows.
    """

    title: str
    iteration: int
    local: np.ndarray
    leave_one_out: np.ndarray
    held_out: np.ndarray
    n_held_out: int

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
        n = self.n_held_out if len(self.held_out) else len(self.local)
        low, high = float(self.local.min()), float(self.local.max())
        mean = f"the geometric mean of the rows' own K ({low:.1f} to {high:.1f})"
        estimate = f"{self.title}: K̂ = {self.mean_entropy:.1f}, {mean},"
        best = int(np.argmax(curve)) + 1
        if self.k > len(curve):
            return (
                f"{estimate} lies beyond K = {len(curve)}; of these, K = {best} is best: it classifies "
                f"{percent(curve[best - 1], 1)} of {rows} correctly."
            )
        here, most = float(curve[self.k - 1]), float(curve[best - 1])
        said = f"{estimate} gives K = {self.k}, which classifies {percent(here, 1)} of {rows} correctly"
        if here == most:
            return f"{said}. No K from 1 to {len(curve)} does better."
        error = float(np.sqrt((here * (1.0 - here) + most * (1.0 - most)) / n))  # of the difference
        beside = f"K = {best} reaches {percent(most, 1)}"
        than = f"one standard error of the difference ({100 * error:.1f} points)"
        if most - here <= error:
            return f"{said}. {beside}: within {than}, so the estimate is as good as any."
        return f"{said}. {beside}: beyond {than}, so another K would be better here."


def k_curve(comparison: Comparison, key: str, snapshot: Snapshot, largest: int = LARGEST_K) -> KCurve:
    """Both sides of K in the panel `key` at an iteration of its training.

    Parameters
    ----------
    comparison : Comparison
        What is compared.
    key : str
        Key of the panel.
    snapshot : Snapshot
        The iteration.
    largest : int
        The largest K; cut to the number of other training rows.

    References
    ----------
    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, section 2.
    """
    at = projection(comparison, key, snapshot)
    Y, y = at.Y, at.y
    train, new = at.labelled()
    largest = min(largest, len(train) - 1)
    held_out = np.empty(0)
    if len(new):
        codes = y[train][NearestNeighbours(Y[train]).of(Y[new], largest)]
        held_out = right_for_every_k(codes, y[new], comparison.prepared.dataset.n_classes) / len(new)
    entropy = Evaluator(Y[train], y[train]).evaluate_places(Y[train]).entropy
    own = leave_one_out_curve(Y[train], y[train], largest)
    return KCurve(at.title, snapshot.iteration, local_perplexity(entropy), own, held_out, len(new))
