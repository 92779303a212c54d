"""scores_of: everything that a table says of one projection, measured in one way whatever the method.

Training rows are asked leave-one-out: the projection was fitted to them, so these numbers flatter. Held-out rows were
seen by nobody.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from sklearn.manifold import trustworthiness

from nca_core.accuracy.accuracies import QUERIES, accuracies_of
from nca_core.accuracy.k_estimate import rounded_k
from nca_core.accuracy.local_k import leave_one_out_local_k, local_k_classes
from nca_core.accuracy.stochastic_rule import class_probabilities, leave_one_out_stochastic
from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.measure import own_p_and_k, places_of, scale_at, true_where_none

NEIGHBOURS = 5  # whose ranks trustworthiness looks at, as in scikit-learn
MOST_OWN_K = 1_000  # a point's own K is cut to it, so that the vote of a very flat p_ij stays cheap
_NOTHING = float("nan")


@dataclass(frozen=True)
class Scores:
    """The numbers of one projection; NaN where one does not apply.

    Attributes
    ----------
    mean_p : float
        f/n of the NCA paper, eq. 3. NaN, as all that depends on the scale of A, where the scale was not learnt.
    k_mean_entropy, k_mean_perplexity : float
        K̂ by both averages.
    k : float
        The K of `held_out_knn` and `own_knn`: round(K̂) of a training, for the others what they were asked with.
    held_out_1nn, held_out_knn, held_out_local, held_out_stochastic : float
        Accuracy on held-out rows by one neighbour, K neighbours, each row's own K, and the most probable class.
    own_1nn, own_knn, own_local, own_stochastic : float
        The same on training rows, leave-one-out.
    trustworthiness : float
        Of the training rows (Venna and Kaski 2001), with 5 neighbours; at most 2,000 rows are asked.
    seconds : float
        Of computing.
    """

    mean_p: float = _NOTHING
    k_mean_entropy: float = _NOTHING
    k_mean_perplexity: float = _NOTHING
    k: float = _NOTHING
    held_out_1nn: float = _NOTHING
    held_out_knn: float = _NOTHING
    held_out_local: float = _NOTHING
    held_out_stochastic: float = _NOTHING
    own_1nn: float = _NOTHING
    own_knn: float = _NOTHING
    own_local: float = _NOTHING
    own_stochastic: float = _NOTHING
    trustworthiness: float = _NOTHING
    seconds: float = _NOTHING

    def as_row(self) -> np.ndarray:
        """The numbers in the order of NAMES."""
        return np.array([getattr(self, name) for name in NAMES], dtype=np.float64)


NAMES: tuple[str, ...] = tuple(field.name for field in fields(Scores))


class Side(NamedTuple):
    """Projected rows and the labels that count, (n, n_components) and (n,)."""

    Y: np.ndarray
    y: np.ndarray


def sides(comparison: Comparison, key: str, transformation: np.ndarray | None = None) -> tuple[Side, Side | None]:
    """The training rows of a panel and the held-out rows, projected by `transformation` or else as fitted.

    Held-out rows are None where there are none, and for an embedding: it placed them along with the others, which is
    no answer for new rows.
    """
    return _sides_at(comparison, key, comparison.panel(key).projected(transformation))


def _sides_at(comparison: Comparison, key: str, Y: np.ndarray) -> tuple[Side, Side | None]:
    panel, prepared = comparison.panel(key), comparison.prepared
    y = true_where_none(comparison, panel)
    new = Side(Y[prepared.held_out], y[prepared.held_out])
    placed = prepared.held_out.any() and panel.recipe.method.kind != "embedding"
    return Side(Y[prepared.train], y[prepared.train]), new if placed else None


def _features(comparison: Comparison) -> np.ndarray:
    return comparison.prepared.dataset.X[comparison.prepared.train]


class _Rules(NamedTuple):
    local: float = _NOTHING
    stochastic: float = _NOTHING


def scores_of(comparison: Comparison, key: str, snapshot: Snapshot | None = None, *, k: int = 0) -> Scores:
    """The numbers of the panel `key`.

    Parameters
    ----------
    snapshot : Snapshot, optional
        The iteration of its training that is measured; of a method that is solved in one go, none.
    k : int, optional
        The K of a method without a K̂ of its own; 0 for none.

    Raises
    ------
    ValueError
        For a panel with a problem, and one that trains without a snapshot.
    """
    panel = comparison.panel(key)
    if panel.problem or (snapshot is None) == (panel.config is not None):
        raise ValueError(f"{key} has nothing to measure: {panel.problem or 'it needs an iteration of its training'}")
    own, new = _sides_at(comparison, key, places_of(comparison, key, snapshot).Y)
    scale = None if snapshot is None else scale_at(comparison, key, snapshot)
    k = k if scale is None else rounded_k(scale[1])
    found = accuracies_of(*own, new, k, panel.recipe.random_state)
    numbers = Scores(
        k=k or _NOTHING,
        own_1nn=found.leave_one_out_1nn,
        own_knn=found.leave_one_out_knn,
        held_out_1nn=found.held_out_1nn,
        held_out_knn=found.held_out_knn,
        trustworthiness=_trustworthiness(_features(comparison), own.Y, panel.recipe.random_state),
        seconds=panel.seconds,
    )
    if snapshot is None or scale is None:
        return numbers
    own_k = own_p_and_k(comparison, key, snapshot)[1]
    of_own, of_new = _own_rules(*own, own_k, panel.recipe.random_state), _new_rules(*own, new)
    learnt = {
        "mean_p": scale[0],
        "k_mean_entropy": scale[1],
        "k_mean_perplexity": scale[2],
        "own_local": of_own.local,
        "own_stochastic": of_own.stochastic,
        "held_out_local": of_new.local,
        "held_out_stochastic": of_new.stochastic,
        "seconds": snapshot.seconds,
    }
    return replace(numbers, **learnt)


def _own_rules(Y: np.ndarray, y: np.ndarray, own_k: np.ndarray, random_state: int) -> _Rules:
    """Leave-one-out by each point's own K and by the most probable class."""
    codes = np.unique(y, return_inverse=True)[1]
    local = leave_one_out_local_k(Y, codes, own_k, min(MOST_OWN_K, len(Y)))[1]
    return _Rules(local, leave_one_out_stochastic(Y, codes, _sample(len(Y), random_state)))


def _new_rules(Y: np.ndarray, y: np.ndarray, new: Side | None) -> _Rules:
    if new is None:
        return _Rules()
    present, codes = np.unique(y, return_inverse=True)
    voted = local_k_classes(Y, codes, new.Y, len(present), min(MOST_OWN_K, len(Y)))[0]
    likeliest = class_probabilities(Y, codes, new.Y, len(present)).argmax(axis=1)
    return _Rules(float(np.mean(present[voted] == new.y)), float(np.mean(present[likeliest] == new.y)))


def _trustworthiness(X: np.ndarray, Y: np.ndarray, random_state: int) -> float:
    asked = _sample(len(X), random_state)
    if len(asked) <= 2 * NEIGHBOURS or not np.isfinite(Y[asked]).all():
        return _NOTHING
    return float(trustworthiness(X[asked], Y[asked], n_neighbors=NEIGHBOURS))


def _sample(n: int, random_state: int) -> np.ndarray:
    """Row numbers of at most QUERIES of n rows, drawn at random, rising."""
    if n <= QUERIES:
        return np.arange(n)
    return np.sort(np.random.default_rng(random_state).choice(n, QUERIES, replace=False))
