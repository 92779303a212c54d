"""What can be said of each row in one panel: where it lies, p_i, its own K, and what its neighbours take it for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from export.subject import Subject
from nca_core.accuracy.evaluation import k_nearest_classes
from nca_core.accuracy.local_k import leave_one_out_local_k
from nca_core.accuracy.stochastic_rule import class_probabilities, perplexity_of_queries
from study.measure import own_p_and_k, true_where_none


@dataclass(frozen=True)
class RowNumbers:
    """One entry for each row; training rows are asked leave-one-out, the others by the training rows.

    Attributes
    ----------
    Y : ndarray of shape (n_samples, n_components)
        Where it lies.
    p : ndarray of shape (n_samples,)
        p_i, the probability that the stochastic rule tells its class; NaN without a label, and where the scale of the
        projection was not learnt.
    local_k : ndarray of shape (n_samples,)
        exp(H_i); NaN where the scale was not learnt.
    told_1nn, told_knn : ndarray of shape (n_samples,)
        The class by one neighbour and by K; −1 for none: new rows of an embedding, K where there is none.
    """

    Y: np.ndarray
    p: np.ndarray
    local_k: np.ndarray
    told_1nn: np.ndarray
    told_knn: np.ndarray


def row_numbers(subject: Subject, key: str) -> RowNumbers:
    """Those of the panel `key`, at the iteration that is shown."""
    comparison, snapshot = subject.comparison, subject.at(key)
    panel, train = comparison.panel(key), comparison.prepared.train
    y, Y = true_where_none(comparison, panel), subject.places(key)
    n = len(Y)
    p, local_k = np.full(n, np.nan), np.full(n, np.nan)
    placed = np.isfinite(Y).all(axis=1)
    own, new = train & placed, ~train & placed
    if snapshot is not None:
        p[train], local_k[train] = own_p_and_k(comparison, key, snapshot)
        if new.any():
            local_k[new] = perplexity_of_queries(Y[own], Y[new])
        labelled = new & (y >= 0)
        if labelled.any() and (panel.config is None or panel.config.target_similarity is None):
            shares = class_probabilities(Y[own], y[own], Y[labelled], int(y.max()) + 1)
            p[labelled] = shares[np.arange(len(shares)), y[labelled]]
    if panel.recipe.method.kind == "embedding":
        new = np.zeros(n, dtype=bool)
    return RowNumbers(Y, p, local_k, _told(Y, y, own, new, 1), _told(Y, y, own, new, subject.k_of(key)))


def _told(Y: np.ndarray, y: np.ndarray, own: np.ndarray, new: np.ndarray, k: int) -> np.ndarray:
    told = np.full(len(Y), -1, dtype=np.int64)
    k = min(k, int(own.sum()) - 1)
    if k < 1:
        return told
    told[own] = leave_one_out_local_k(Y[own], y[own], np.full(int(own.sum()), float(k)))[0]
    if new.any():
        present, codes = np.unique(y[own], return_inverse=True)
        told[new] = present[k_nearest_classes(Y[own], codes, Y[new], k, len(present))]
    return told
