"""k-nearest-neighbour accuracy of a projection: leave-one-out and held-out, by tree search for few dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

_TREE_DIMENSIONS = 9
_BLOCK_CELLS = 4_000_000
_PROGRESS_QUERIES = 10_000


def nearest_neighbours(Y: np.ndarray, queries: np.ndarray, k: int) -> np.ndarray:
    """Indices of the k rows of Y nearest to each query, nearest first, (n_queries, k)."""
    if Y.shape[1] <= _TREE_DIMENSIONS:
        from scipy.spatial import cKDTree

        return np.asarray(cKDTree(Y).query(queries, k=np.arange(1, k + 1))[1])
    found = np.empty((len(queries), k), dtype=np.int64)
    norms = np.einsum("ij,ij->i", Y, Y)
    size = max(1, _BLOCK_CELLS // len(Y))
    for first in range(0, len(queries), size):
        block = queries[first : first + size]
        distances = norms[None, :] - 2.0 * block @ Y.T  # (n_block, n_samples)
        part = np.argpartition(distances, k - 1, axis=1)[:, :k]
        order = np.argsort(np.take_along_axis(distances, part, axis=1), axis=1, kind="stable")
        found[first : first + size] = np.take_along_axis(part, order, axis=1)
    return found


def vote(neighbour_codes: np.ndarray, n_classes: int) -> np.ndarray:
    """The majority class of each row of codes, nearest first; of tied classes the one that is nearer wins."""
    n_queries, _ = neighbour_codes.shape
    cells = np.arange(n_queries)[:, None] * n_classes + neighbour_codes  # (n_queries, k)
    ballots = np.bincount(cells.ravel(), minlength=n_queries * n_classes)
    most = ballots.reshape(n_queries, n_classes).max(axis=1, initial=0)
    nearest_of_tied = (ballots[cells] == most[:, None]).argmax(axis=1)
    return neighbour_codes[np.arange(n_queries), nearest_of_tied]


def right_for_every_k(neighbour_codes: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """How many queries the K-nearest-neighbour rule gets right, for K = 1, 2, ..., k at once, (k,).

    One more ballot can only bring its own class to the front, so each K costs one comparison a query.

    Parameters:
        neighbour_codes: codes of the neighbours, nearest first, (n_queries, k).
        y: the right codes, (n_queries,).
    """
    n_queries, k = neighbour_codes.shape
    # A class counts a little more the nearer its first member is: that settles ties, and never outweighs a ballot.
    ballots = np.zeros((n_queries, n_classes))
    leading = np.zeros(n_queries)
    leader = np.full(n_queries, -1)
    rows = np.arange(n_queries)
    right = np.empty(k, dtype=np.int64)
    for rank in range(k):
        voted = neighbour_codes[:, rank]
        had = ballots[rows, voted]
        has = np.where(had > 0, had, (k - rank) / (k + 1.0)) + 1.0
        ballots[rows, voted] = has
        ahead = has > leading
        leader[ahead], leading[ahead] = voted[ahead], has[ahead]
        right[rank] = np.count_nonzero(leader == y)
    return right


def k_nearest_classes(Y: np.ndarray, y: np.ndarray, queries: np.ndarray, k: int, n_classes: int) -> np.ndarray:
    """The class that the k nearest rows of Y vote for, (n_queries,), in blocks of bounded memory.

    Parameters:
        Y, y: projected training points, (n_samples, n_components), and their codes from 0.
        queries: projected new points, (n_queries, n_components).
    """
    classes = np.empty(len(queries), dtype=np.int64)
    size = max(1, _BLOCK_CELLS // k)
    for first in range(0, len(queries), size):
        codes = y[nearest_neighbours(Y, queries[first : first + size], k)]
        classes[first : first + size] = vote(codes, n_classes)
    return classes


def held_out_accuracy(
    Y: np.ndarray, y: np.ndarray, Y_test: np.ndarray, y_test: np.ndarray, ks: Sequence[int]
) -> tuple[float, ...]:
    """Share of test points that the K-nearest-neighbour rule on (Y, y) classifies correctly, for each K in ks.

    Parameters:
        Y, Y_test: projected points, (n_samples, n_components) and (n_test, n_components).
        y, y_test: class codes from 0; negative ones (unlabelled) are left out on both sides.
        ks: numbers of neighbours, each cut to the number of points there are.
    """
    labelled, asked = y >= 0, y_test >= 0
    Y, y, Y_test, y_test = Y[labelled], y[labelled], Y_test[asked], y_test[asked]
    if len(Y) == 0 or len(Y_test) == 0:
        return tuple(float("nan") for _ in ks)
    ks = [min(max(1, int(k)), len(Y)) for k in ks]
    codes = y[nearest_neighbours(Y, Y_test, max(ks))]
    n_classes = int(max(y.max(), y_test.max())) + 1
    return tuple(float(np.mean(vote(codes[:, :k], n_classes) == y_test)) for k in ks)


def leave_one_out_accuracy(
    Y: np.ndarray,
    y: np.ndarray,
    ks: Sequence[int],
    *,
    max_queries: int | None = None,
    random_state: int = 0,
) -> tuple[float, ...]:
    """Share of points that their K nearest other points classify correctly, for each K in ks.

    A point is never its own neighbour, duplicates of it are. With `max_queries` a fixed random sample of points is
    asked (all points stay neighbours). Parameters else as in `held_out_accuracy`.
    """
    labelled = y >= 0
    Y, y = Y[labelled], y[labelled]
    n = len(Y)
    if n < 2:
        return tuple(float("nan") for _ in ks)
    ks = [min(max(1, int(k)), n - 1) for k in ks]
    asked = np.arange(n)
    if max_queries is not None and n > max_queries:
        asked = np.random.default_rng(random_state).choice(n, max_queries, replace=False)
    codes = y[_others(Y, asked, max(ks))]
    n_classes = int(y.max()) + 1
    return tuple(float(np.mean(vote(codes[:, :k], n_classes) == y[asked])) for k in ks)


def leave_one_out_curve(
    Y: np.ndarray,
    y: np.ndarray,
    largest_k: int,
    *,
    on_progress: Callable[[int, int], None] | None = None,
) -> np.ndarray:
    """Leave-one-out accuracy for every K from 1 to `largest_k`, (largest_k,), in blocks of queries.

    Parameters:
        Y, y: as in `leave_one_out_accuracy`.
        on_progress: called with the number of points done and of all; raising StopIteration in it cancels.

    Returns:
        The accuracies; where it was cancelled, those over the points that were done. NaN without any.
    """
    labelled = y >= 0
    Y, y = Y[labelled], y[labelled]
    n = len(Y)
    largest_k = min(largest_k, n - 1)
    if n < 2:
        return np.full(max(largest_k, 1), np.nan)
    right, n_classes = np.zeros(largest_k, dtype=np.int64), int(y.max()) + 1
    done = 0
    for first in range(0, n, _PROGRESS_QUERIES):
        asked = np.arange(first, min(first + _PROGRESS_QUERIES, n))
        right += right_for_every_k(y[_others(Y, asked, largest_k)], y[asked], n_classes)
        done += len(asked)
        if on_progress is not None:
            try:
                on_progress(done, n)
            except StopIteration:
                break
    return right / done


def _others(Y: np.ndarray, asked: np.ndarray, k: int) -> np.ndarray:
    """The k nearest other rows of each row asked, nearest first, (n_asked, k)."""
    found = nearest_neighbours(Y, Y[asked], k + 1)
    itself = found == asked[:, None]
    # Among many duplicates a point may not be in its own list: then the farthest entry goes.
    itself[~itself.any(axis=1), -1] = True
    return found[~itself].reshape(len(asked), -1)


def class_probabilities(Y: np.ndarray, y: np.ndarray, queries: np.ndarray, n_classes: int) -> np.ndarray:
    """The stochastic rule for new points, P(c | x) = Σ_{j: y_j = c} p_xj with
    p_xj ∝ exp(−‖x − y_j‖²) (NCA paper, eq. 1 and 2).

    Parameters:
        Y: projected training points, (n_samples, n_components), with codes y in 0..n_classes − 1; negative: left out.
        queries: projected new points, (n_queries, n_components).

    Returns:
        (n_queries, n_classes); rows sum to 1, however far away a query is.
    """
    Y, y = Y[y >= 0], y[y >= 0]
    if len(Y) == 0:
        raise ValueError("y has no labelled point; the stochastic rule needs at least one.")
    order = np.argsort(y, kind="stable")
    Y, codes = Y[order], y[order]
    present, first_member = np.unique(codes, return_index=True)
    result = np.zeros((len(queries), n_classes))
    size = max(1, _BLOCK_CELLS // len(Y))
    for first in range(0, len(queries), size):
        block = queries[first : first + size]
        distances = np.zeros((len(block), len(Y)))  # (n_block, n_samples), by differences: no cancellation
        for axis in range(Y.shape[1]):
            distances += (block[:, axis, None] - Y[None, :, axis]) ** 2
        w = np.exp(distances.min(axis=1, keepdims=True) - distances)
        result[first : first + size, present] = np.add.reduceat(w, first_member, axis=1)
    return result / result.sum(axis=1, keepdims=True)


def local_k_classes(
    Y: np.ndarray, y: np.ndarray, queries: np.ndarray, n_classes: int, largest_k: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest-neighbour votes in which every query brings its own K = round(exp(H_x)), the perplexity of its p_x·.

    Parameters:
        Y, y: projected training points, (n_samples, n_components), and their codes from 0.
        queries: projected new points, (n_queries, n_components).
        largest_k: K is cut to it where given, so that the vote stays cheap where the neighbours are all alike.

    Returns:
        classes (n_queries,), and the local perplexities exp(H_x) (n_queries,), not rounded.
    """
    perplexity = perplexity_of_queries(Y, queries)
    ks = np.clip(np.rint(perplexity), 1, min(largest_k or len(Y), len(Y))).astype(np.int64)  # (n_queries,)
    classes = np.empty(len(queries), dtype=np.int64)
    by_k = np.argsort(ks, kind="stable")  # queries with a similar K share a search
    done = 0
    while done < len(by_k):
        # As many queries as fit beside the largest K among them, found from a K that can only grow.
        many = max(1, _BLOCK_CELLS // int(ks[by_k[done]]))
        block = by_k[done : done + many]
        block = block[: max(1, _BLOCK_CELLS // int(ks[block[-1]]))]
        codes = y[nearest_neighbours(Y, queries[block], int(ks[block[-1]]))]
        for k in np.unique(ks[block]):
            rows = ks[block] == k
            classes[block[rows]] = vote(codes[rows, :k], n_classes)
        done += len(block)
    return classes, perplexity


def perplexity_of_queries(Y: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """exp(H_x) of p_xj ∝ exp(−‖x − y_j‖²) for new points x, (n_queries,); exp of their mean log is K̂ held out."""
    result = np.empty(len(queries))
    size = max(1, _BLOCK_CELLS // len(Y))
    for first in range(0, len(queries), size):
        block = queries[first : first + size]
        distances = np.zeros((len(block), len(Y)))  # (n_block, n_samples)
        for axis in range(Y.shape[1]):
            distances += (block[:, axis, None] - Y[None, :, axis]) ** 2
        distances -= distances.min(axis=1, keepdims=True)
        w = np.exp(-distances)
        total = w.sum(axis=1)
        result[first : first + size] = total * np.exp((w * distances).sum(axis=1) / total)
    return result
