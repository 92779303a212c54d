"""The stochastic rule p_xj ∝ exp(−‖x − y_j‖²): class probabilities, perplexities, and K̂ from the entropies of p_i·."""

from collections.abc import Iterator

import numpy as np

from nca_core.accuracy.nearest import NearestNeighbours


def k_mean_entropy(entropy: np.ndarray) -> float:
    """K̂ = exp(mean_i H_i), the geometric mean of the local perplexities (NCA paper, section 2)."""
    return float(np.exp(np.mean(entropy)))


def rounded_k(k: float) -> int:
    """The K of a nearest-neighbour rule that goes with an estimate: the next whole number, at least 1."""
    return max(1, round(k))


def k_mean_perplexity(entropy: np.ndarray) -> float:
    """The other average, mean_i exp(H_i)."""
    return float(np.mean(np.exp(entropy)))


_BLOCK_CELLS = 2_000_000
_TREE_DIMENSIONS = 3  # in more, a share of all points that is worth a search is near
# The nearest are tried before all: so many, in turn, as long as they are a small part of all.
_TRIED = (64, 512, 4096)
_SMALL_PART = 50
_FARTHEST = 1e150  # squares beyond would overflow
_LOST = 32.0  # the rest is left out where it is less than exp(−32) = 1e-14 of the whole


def _softmax(distances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(exp(m − distances), distances − m) row by row, m the least of each; both like `distances`."""
    beyond = distances - distances.min(axis=1, keepdims=True)
    return np.exp(-beyond), beyond


def _blocks(Y: np.ndarray, queries: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray | None, np.ndarray]]:
    """(rows of queries, their neighbours or None for all of Y, squared distances), in bounded memory.

    Neighbours are left out only where all that are left out together weigh less than exp(−32) of the whole.
    """
    queries = np.clip(queries, -_FARTHEST, _FARTHEST)
    left = np.arange(len(queries))
    if Y.shape[1] <= _TREE_DIMENSIONS:
        nearest = NearestNeighbours(Y)
        for many in _TRIED:
            if many * _SMALL_PART > len(Y):
                break
            size = _BLOCK_CELLS // many
            undecided = []
            for first in range(0, len(left), size):
                rows = left[first : first + size]
                found = nearest.of(queries[rows], many)
                distances = _squared_distances(queries[rows], Y[found])  # (n_block, many)
                enough = distances[:, -1] - distances[:, 0] > _LOST + np.log(len(Y))
                yield rows[enough], found[enough], distances[enough]
                undecided.append(rows[~enough])
            left = np.concatenate(undecided) if undecided else left
    size = max(1, _BLOCK_CELLS // len(Y))
    for first in range(0, len(left), size):
        rows = left[first : first + size]
        yield rows, None, _squared_distances(queries[rows], Y[None])


def _squared_distances(queries: np.ndarray, points: np.ndarray) -> np.ndarray:
    """‖x − y‖² by differences, so that nothing cancels: (m, d) and (m or 1, n, d) give (m, n)."""
    distances = np.zeros((len(queries), points.shape[1]))
    for axis in range(queries.shape[1]):
        distances += (queries[:, axis, None] - points[:, :, axis]) ** 2
    return distances


def class_probabilities(Y: np.ndarray, y: np.ndarray, queries: np.ndarray, n_classes: int) -> np.ndarray:
    """The stochastic rule for new points, P(c | x) = Σ_{j: y_j = c} p_xj with
    p_xj ∝ exp(−‖x − y_j‖²) (NCA paper, eq. 1 and 2).

    Y: projected training points, (n_samples, n_components), with codes y in 0..n_classes − 1; negative: left out.
    queries: projected new points, (n_queries, n_components).

    Returns (n_queries, n_classes); rows sum to 1, however far away a query is.
    """
    Y, y = Y[y >= 0], y[y >= 0]
    if len(Y) == 0:
        raise ValueError("y has no labelled point; the stochastic rule needs at least one.")
    order = np.argsort(y, kind="stable")
    Y, codes = Y[order], y[order]
    present, first_member = np.unique(codes, return_index=True)
    result = np.zeros((len(queries), n_classes))
    for rows, found, distances in _blocks(Y, queries):
        w, _ = _softmax(distances)
        if found is None:
            result[np.ix_(rows, present)] = np.add.reduceat(w, first_member, axis=1)
        else:
            np.add.at(result, (rows[:, None], codes[found]), w)
    return result / result.sum(axis=1, keepdims=True)


def leave_one_out_stochastic(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> float:
    """Share of the points `queries`, row numbers, whose most probable class Σ_{j: y_j = c} p_ij, j ≠ i, is their own.

    Y, y: projected points, (n_samples, n_components), all labelled with codes from 0.
    queries: row numbers, (n_queries,); NaN without any, or without other points.
    """
    if len(Y) < 2 or not len(queries):
        return float("nan")
    order = np.argsort(y, kind="stable")
    present, first_member = np.unique(y[order], return_index=True)
    place = np.empty(len(y), dtype=np.int64)
    place[order] = np.arange(len(y))
    right, size = 0, max(1, _BLOCK_CELLS // len(Y))
    for first in range(0, len(queries), size):
        rows = queries[first : first + size]
        distances = _squared_distances(Y[rows], Y[order][None])
        distances[np.arange(len(rows)), place[rows]] = np.inf
        shares = np.add.reduceat(_softmax(distances)[0], first_member, axis=1)
        right += int(np.count_nonzero(present[shares.argmax(axis=1)] == y[rows]))
    return right / len(queries)


def perplexity_of_queries(Y: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """exp(H_x) of p_xj ∝ exp(−‖x − y_j‖²) for new points x, (n_queries,).

    Y: projected training points, (n_samples, n_components).
    queries: projected new points, (n_queries, n_components).
    """
    result = np.empty(len(queries))
    for rows, _, distances in _blocks(Y, queries):
        w, beyond = _softmax(distances)
        total = w.sum(axis=1)
        result[rows] = total * np.exp(np.einsum("ij,ij->i", w, beyond) / total)
    return result
