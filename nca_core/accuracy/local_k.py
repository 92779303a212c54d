"""The vote of nearest neighbours where every point brings its own K, the perplexity of its neighbour distribution."""

from __future__ import annotations

import numpy as np

from nca_core.accuracy.evaluation import vote
from nca_core.accuracy.nearest import NearestNeighbours, nearest_others
from nca_core.accuracy.stochastic_rule import perplexity_of_queries

_BLOCK_CELLS = 4_000_000


def local_k_classes(
    Y: np.ndarray, y: np.ndarray, queries: np.ndarray, n_classes: int, largest_k: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest-neighbour votes in which every query brings its own K = round(exp(H_x)), the perplexity of its p_x·.

    Parameters
    ----------
    Y, y : ndarray
        Projected training points, (n_samples, n_components), and their codes from 0.
    queries : ndarray
        Projected new points, (n_queries, n_components).
    largest_k : int or None
        K is cut to it where given, so that the vote stays cheap where the neighbours are all alike.

    Returns
    -------
    tuple[ndarray, ndarray]
        Classes (n_queries,), and the local perplexities exp(H_x) (n_queries,), not rounded.
    """
    perplexity = perplexity_of_queries(Y, queries)
    ks = _own_k(perplexity, min(largest_k or len(Y), len(Y)))
    return _votes_of_own_k(NearestNeighbours(Y), y, queries, None, ks, n_classes), perplexity


def leave_one_out_local_k(
    Y: np.ndarray, y: np.ndarray, perplexity: np.ndarray, largest_k: int | None = None
) -> tuple[np.ndarray, float]:
    """Each point's class by a vote of its own K = round(exp(H_i)) nearest other points, and the share that is right.

    Parameters
    ----------
    Y, y : ndarray
        Projected points, (n_samples, n_components), and their codes; negative ones (unlabelled) do not vote, and are
        told by the others, but count neither as right nor as wrong.
    perplexity : ndarray
        exp(H_i) of every point, (n_samples,): `local_perplexity` of an evaluation's entropies.
    largest_k : int or None
        K is cut to it where given.

    Returns
    -------
    tuple[ndarray, float]
        Codes (n_samples,), and the accuracy, NaN with fewer than 2 labelled points.
    """
    labelled = np.flatnonzero(y >= 0)
    if len(labelled) < 2:
        return np.full(len(y), -1), float("nan")
    present, codes = np.unique(y[labelled], return_inverse=True)
    most = min(largest_k or len(labelled), len(labelled) - 1)
    place = np.full(len(y), -1)  # an unlabelled point is not among those that vote
    place[labelled] = np.arange(len(labelled))
    voted = _votes_of_own_k(NearestNeighbours(Y[labelled]), codes, Y, place, _own_k(perplexity, most), len(present))
    found = present[voted]
    return found, float(np.mean(found[labelled] == y[labelled]))


def _own_k(perplexity: np.ndarray, most: int) -> np.ndarray:
    return np.clip(np.rint(perplexity), 1, most).astype(np.int64)


def _votes_of_own_k(
    nearest: NearestNeighbours,
    y: np.ndarray,
    queries: np.ndarray,
    rows: np.ndarray | None,
    ks: np.ndarray,
    n_classes: int,
) -> np.ndarray:
    """The class voted for each query with its own K, (n_queries,); `rows` as in `nearest_others`."""
    classes = np.empty(len(queries), dtype=np.int64)
    by_k = np.argsort(ks, kind="stable")  # queries with a similar K share a search
    done = 0
    while done < len(by_k):
        # As many queries as fit beside the largest K among them, found from a K that can only grow.
        many = max(1, _BLOCK_CELLS // max(int(ks[by_k[done]]), n_classes))
        block = by_k[done : done + many]
        block = block[: max(1, _BLOCK_CELLS // max(int(ks[block[-1]]), n_classes))]
        codes = y[
            nearest_others(nearest, None, queries[block], None if rows is None else rows[block], int(ks[block[-1]]))
        ]
        for k in np.unique(ks[block]):
            here = ks[block] == k
            classes[block[here]] = vote(codes[here, :k], n_classes)
        done += len(block)
    return classes
