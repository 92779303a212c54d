"""How well a projection classifies: nearest neighbours, the stochastic rule, votes of K neighbours, and the best K."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from nca_core.features.rows import stratified_sample

_FARTHEST = 1e150  # squares beyond would overflow


def _blocks(n_queries: int, cells: int, at_once: int, least: int = 1) -> Iterator[slice]:
    """Ranges of queries: at most `at_once` numbers, `cells` for each query, but at least `least` queries."""
    size = max(least, at_once // cells)
    for first in range(0, n_queries, size):
        yield slice(first, min(first + size, n_queries))


_DIMENSIONS_OF_A_TREE = 9
_PRODUCT_CELLS, _LEAST_QUERIES = 1_000_000, 16  # queries times points; so that these are read once for several
_PART = 20_000  # points
_SPARE = 16  # candidates besides k
_FEWER_THAN_A_TREE = 4  # to look at every point for so few queries is quicker than to build a tree
_EXPONENT_RANGE = 300  # squares of values within 2^±300 neither overflow nor vanish
_SMALLEST_EXPONENT = -1000  # numbers below have lost digits themselves, and 1 / 2**-1074 is infinite
_ROUNDING = 4 * np.finfo(np.float64).eps


class NearestNeighbours:
    """Which rows of Y are nearest to a point, in Euclidean distance; Y is kept, and a tree once one is needed.

    Y: (n_samples, n_components), finite.
    """

    def __init__(self, Y: np.ndarray) -> None:
        Y = np.ascontiguousarray(Y, dtype=np.float64)
        largest = max(float(Y.max(initial=0.0)), -float(Y.min(initial=0.0)))
        # A power of two changes the size of the numbers, not their digits.
        exponent = max(int(np.frexp(largest)[1]), _SMALLEST_EXPONENT)
        self._unit = 2.0**-exponent if abs(exponent) > _EXPONENT_RANGE else 1.0
        self._Y = Y * self._unit if self._unit != 1.0 else Y

    def of(self, queries: np.ndarray, k: int) -> np.ndarray:
        """Row numbers of the k nearest, nearest first, (n_queries, k); 1 ≤ k ≤ n_samples."""
        # Farther away squares overflow, and all of Y is equally near.
        limit = _FARTHEST / self._unit
        queries = np.clip(np.asarray(queries, dtype=np.float64), -limit, limit) * self._unit
        if self._Y.shape[1] > _DIMENSIONS_OF_A_TREE:
            return self._by_products(queries, k)
        if "_tree" not in vars(self) and len(queries) <= _FEWER_THAN_A_TREE:
            return self._by_differences(queries, k)
        return np.asarray(self._tree.query(queries, k=np.arange(1, k + 1))[1])

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        # Halving boxes instead of points takes half the time to build and none to search.
        return cKDTree(self._Y, leafsize=32, balanced_tree=False, compact_nodes=False)

    @cached_property
    def _centred(self) -> tuple[np.ndarray, np.ndarray, float]:
        """The mean, the factors of products that give distances about it, and the largest squared norm."""
        mean = self._Y.mean(axis=0)
        centred = self._Y - mean
        norms = np.einsum("ij,ij->i", centred, centred)
        return mean, np.column_stack([-2.0 * centred, norms]), float(norms.max())

    def _by_differences(self, queries: np.ndarray, k: int) -> np.ndarray:
        found = np.empty((len(queries), k), dtype=np.int64)
        for row, query in enumerate(queries):
            distances = np.zeros(len(self._Y))
            for axis in range(self._Y.shape[1]):
                distances += (self._Y[:, axis] - query[axis]) ** 2
            part = np.argpartition(distances, k - 1)[:k]
            found[row] = part[np.argsort(distances[part], kind="stable")]
        return found

    def _by_products(self, queries: np.ndarray, k: int) -> np.ndarray:
        """Products of matrices about the mean find some more than k candidates, differences the nearest of these."""
        mean, factors, largest = self._centred
        d, m = self._Y.shape[1], min(k + _SPARE, len(self._Y))
        found = np.empty((len(queries), k), dtype=np.int64)
        for here in _blocks(len(queries), len(self._Y), _PRODUCT_CELLS, _LEAST_QUERIES):
            block = queries[here]
            centred = block - mean
            own = np.einsum("ij,ij->i", centred, centred)
            products = np.column_stack([centred, np.ones(len(block))]) @ factors.T  # (n_queries, n_samples)
            places = _smallest(products, m)
            farthest = products[np.arange(len(block)), places[:, -1]]
            places.sort(axis=1)
            squares = np.zeros(places.shape)
            for axis in range(d):
                squares += (self._Y[places, axis] - block[:, axis, None]) ** 2
            order = np.argsort(squares, axis=1, kind="stable")[:, :k]
            found[here] = np.take_along_axis(places, order, axis=1)
            if m < len(self._Y):
                # A point that is no candidate may be nearer than these where rounding is larger than the difference.
                rounding = _ROUNDING * (d + 4) * (own + largest)
                last = np.take_along_axis(squares, order[:, -1:], axis=1)[:, 0]
                doubtful = np.flatnonzero(last > farthest + own - rounding)
                found[here.start + doubtful] = self._by_differences(block[doubtful], k)
        return found


def _smallest(products: np.ndarray, m: int) -> np.ndarray:
    """Places of the m smallest numbers of each row, (n_queries, m), the largest of these last."""
    step = products.shape[1] // _PART
    if step < 2:
        return np.argpartition(products, m - 1, axis=1)[:, :m]
    # The m-th of a part is no less than that of all, and few are below it.
    bounds = np.partition(products[:, ::step], m - 1, axis=1)[:, m - 1]
    found = []
    for row, bound in zip(products, bounds, strict=True):
        few = np.flatnonzero(row <= bound)
        found.append(few[np.argpartition(row[few], m - 1)[:m]])
    return np.array(found)


def nearest_others(
    nearest: NearestNeighbours, kept: np.ndarray | None, queries: np.ndarray, rows: np.ndarray | None, k: int
) -> np.ndarray:
    """The k nearest of the points `kept` (all where None) that are not the query itself, (n_queries, k)."""
    found = nearest.of(queries, k if rows is None else k + 1)
    if kept is not None:
        found = kept[found]
    if rows is None:
        return found
    itself = found == rows[:, None]
    # Among many duplicates, or among fewer points, a point is not in its own list: then the farthest entry goes.
    itself[~itself.any(axis=1), -1] = True
    return found[~itself].reshape(len(queries), -1)


def k_mean_entropy(entropy: np.ndarray) -> float:
    """K̂ = exp(mean_i H_i), the geometric mean of the local perplexities (NCA paper, section 2)."""
    return float(np.exp(np.mean(entropy)))


def rounded_k(k: float) -> int:
    """The K of a nearest-neighbour rule that goes with an estimate: the next whole number, at least 1."""
    return max(1, round(k))


def k_mean_perplexity(entropy: np.ndarray) -> float:
    """The other average, mean_i exp(H_i)."""
    return float(np.mean(np.exp(entropy)))


_DISTANCE_CELLS = 2_000_000
_MOST_DIMENSIONS = 3  # in more, a share of all points that is worth a search is near
# The nearest are tried before all: so many, in turn, as long as they are a small part of all.
_TRIED = (64, 512, 4096)
_SMALL_PART = 50
_LOST = 32.0  # the rest is left out where it is less than exp(−32) = 1e-14 of the whole


def _softmax(distances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(exp(m − distances), distances − m) row by row, m the least of each; both like `distances`."""
    beyond = distances - distances.min(axis=1, keepdims=True)
    return np.exp(-beyond), beyond


def _distances(Y: np.ndarray, queries: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray | None, np.ndarray]]:
    """(rows of queries, their neighbours or None for all of Y, squared distances), in bounded memory.

    Neighbours are left out only where all that are left out together weigh less than exp(−32) of the whole.
    """
    queries = np.clip(queries, -_FARTHEST, _FARTHEST)
    left = np.arange(len(queries))
    if Y.shape[1] <= _MOST_DIMENSIONS:
        nearest = NearestNeighbours(Y)
        for many in _TRIED:
            if many * _SMALL_PART > len(Y):
                break
            undecided = []
            for block in _blocks(len(left), many, _DISTANCE_CELLS):
                rows = left[block]
                found = nearest.of(queries[rows], many)
                distances = _squared_distances(queries[rows], Y[found])  # (n_block, many)
                enough = distances[:, -1] - distances[:, 0] > _LOST + np.log(len(Y))
                yield rows[enough], found[enough], distances[enough]
                undecided.append(rows[~enough])
            left = np.concatenate(undecided) if undecided else left
    for block in _blocks(len(left), len(Y), _DISTANCE_CELLS):
        yield left[block], None, _squared_distances(queries[left[block]], Y[None])


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
    for rows, found, distances in _distances(Y, queries):
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
    right = 0
    for block in _blocks(len(queries), len(Y), _DISTANCE_CELLS):
        rows = queries[block]
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
    for rows, _, distances in _distances(Y, queries):
        w, beyond = _softmax(distances)
        total = w.sum(axis=1)
        result[rows] = total * np.exp(np.einsum("ij,ij->i", w, beyond) / total)
    return result


ACCURACIES = ("accuracy_1nn", "accuracy_knn", "held_out_1nn", "held_out_knn")  # as in `Numbers`
QUERIES = 2_000  # a fixed random sample of so many points is classified where there are more
_BLOCK_CELLS = 4_000_000
_LOOK_UPS = 200_000


def vote(neighbour_codes: np.ndarray, n_classes: int) -> np.ndarray:
    """The majority class of each row of codes, nearest first; of tied classes the one that is nearer wins."""
    n_queries, _ = neighbour_codes.shape
    cells = np.arange(n_queries)[:, None] * n_classes + neighbour_codes  # (n_queries, k)
    ballots = np.bincount(cells.ravel(), minlength=n_queries * n_classes)
    most = ballots.reshape(n_queries, n_classes).max(axis=1, initial=0)
    nearest_of_tied = (ballots[cells] == most[:, None]).argmax(axis=1)
    return neighbour_codes[np.arange(n_queries), nearest_of_tied]


def right_by_every_k(neighbour_codes: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Whether the K-nearest-neighbour rule gets each query right, for K = 1, 2, ..., k at once, bool (n_queries, k).

    One more ballot can only bring its own class to the front, so each K costs one comparison a query.

    neighbour_codes: codes of the neighbours, nearest first, (n_queries, k).
    y: the right codes, (n_queries,).
    """
    n_queries, k = neighbour_codes.shape
    # A class counts a little more the nearer its first member is: that settles ties, and never outweighs a ballot.
    ballots = np.zeros((n_queries, n_classes))
    leading = np.zeros(n_queries)
    leader = np.full(n_queries, -1)
    rows = np.arange(n_queries)
    right = np.empty((n_queries, k), dtype=bool)
    for rank in range(k):
        voted = neighbour_codes[:, rank]
        had = ballots[rows, voted]
        has = np.where(had > 0, had, (k - rank) / (k + 1.0)) + 1.0
        ballots[rows, voted] = has
        ahead = has > leading
        leader[ahead], leading[ahead] = voted[ahead], has[ahead]
        right[:, rank] = leader == y
    return right


def k_nearest_classes(Y: np.ndarray, y: np.ndarray, queries: np.ndarray, k: int, n_classes: int) -> np.ndarray:
    """The class that the k nearest rows of Y vote for, (n_queries,), in blocks of bounded memory.

    Y, y: projected training points, (n_samples, n_components), and their codes from 0.
    queries: projected new points, (n_queries, n_components).
    """
    return _votes_of_own_k(NearestNeighbours(Y), y, queries, None, np.full(len(queries), k), n_classes)


class Neighbourhood:
    """Labelled points and one search among them, for both accuracies of the same projection.

    Y: projected points, (n_samples, n_components).
    y: class codes, (n_samples,); negative ones (unlabelled) are left out.
    max_queries: a fixed random sample of so many points is classified where there are more; all stay neighbours. Where
        K is so large that more than 200,000 neighbours would be searched, a random share of the points is searched with
        the same share of K. None: no sampling.
    every_k: cache the accuracies of every K up to the greatest so far; `held_out` is then always of the same points.
    """

    def __init__(
        self,
        Y: np.ndarray,
        y: np.ndarray,
        *,
        max_queries: int | None = None,
        random_state: int = 0,
        every_k: bool = False,
    ) -> None:
        labelled = y >= 0
        self._Y, y = (Y, y) if labelled.all() else (Y[labelled], y[labelled])
        self._codes, self._y = np.unique(y, return_inverse=True)  # codes may be large numbers
        self._max_queries, self._random_state = max_queries, random_state
        self._nearest = NearestNeighbours(self._Y)
        self._by_k: dict[bool, np.ndarray] | None = {} if every_k else None

    def leave_one_out(self, ks: Sequence[int]) -> tuple[float, ...]:
        """Share of points that their K nearest other points classify correctly, for each K in ks.

        A point is never its own neighbour, duplicates of it are. K is cut to the number of other points.
        """
        if len(self._y) < 2:
            return tuple(float("nan") for _ in ks)
        sample = self._sample(len(self._y))
        return self._accuracies(self._Y[sample], self._y[sample], sample, ks)

    def held_out(self, Y_test: np.ndarray, y_test: np.ndarray, ks: Sequence[int]) -> tuple[float, ...]:
        """Share of new points, (n_test, n_components), that their K nearest points classify correctly, for each K;
        those with a negative code in y_test, (n_test,), are left out."""
        labelled = np.flatnonzero(y_test >= 0)
        if len(self._y) == 0 or len(labelled) == 0:
            return tuple(float("nan") for _ in ks)
        sample = labelled[self._sample(len(labelled))]
        right = np.searchsorted(self._codes, y_test[sample])
        right[~np.isin(y_test[sample], self._codes)] = -1  # a class without training points is never voted for
        return self._accuracies(Y_test[sample], right, None, ks)

    def accuracies(self, held_out: tuple[np.ndarray, np.ndarray] | None, k: int) -> dict[str, float]:
        """The accuracies by their names in `Numbers`; NaN without points.

        held_out: projected points that were not trained on, (n_test, n_components), and their codes, (n_test,).
        k: neighbours that vote beside the nearest one; 0 for none.
        """
        ks = (1, k) if k else (1,)
        found = dict.fromkeys(ACCURACIES, float("nan"))
        found |= zip(ACCURACIES[:2], self.leave_one_out(ks), strict=False)
        if held_out is not None and len(held_out[0]):
            found |= zip(ACCURACIES[2:], self.held_out(*held_out, ks), strict=False)
        return found

    def _sample(self, n: int) -> np.ndarray:
        if self._max_queries is None or n <= self._max_queries:
            return np.arange(n)
        return np.random.default_rng(self._random_state).choice(n, self._max_queries, replace=False)

    def _accuracies(
        self, queries: np.ndarray, right: np.ndarray, rows: np.ndarray | None, ks: Sequence[int]
    ) -> tuple[float, ...]:
        """`rows` are the places of the queries among the points where they are not to be their own neighbours."""
        n = len(self._y)
        most = n if rows is None else n - 1
        wanted = [min(max(1, int(k)), most) for k in ks]
        sampled = self._max_queries is not None and n > self._max_queries
        limit = max(1, _LOOK_UPS // len(queries)) if sampled else most
        if self._by_k is not None and max(wanted) <= limit:
            held_out = rows is None
            by_k = self._by_k.get(held_out, np.empty(0))
            if max(wanted) > len(by_k):
                # K̂ falls as a rule, so the first search goes no farther than it must.
                k = min(2 * max(wanted), limit) if len(by_k) else max(wanted)
                # What is cached may be replaced by a shorter array of another thread.
                self._by_k[held_out] = by_k = self._accuracy_by_k(queries, right, rows, k)
            return tuple(by_k[np.array(wanted) - 1].tolist())
        # One search for all that are small enough, and one among fewer points for each of the others.
        searches = [[k for k in wanted if k <= limit], *([k] for k in sorted({k for k in wanted if k > limit}))]
        accuracy: dict[int, float] = {}
        for same_search in filter(None, searches):
            nearest, kept, counts = self._nearest, None, [min(k, limit) for k in same_search]
            if same_search[0] > limit:
                rng, many = np.random.default_rng([self._random_state, 1]), round(limit / same_search[0] * n)
                kept = np.sort(rng.choice(n, max(limit + 1, many), replace=False))
                nearest = NearestNeighbours(self._Y[kept])
            hits = np.zeros(len(counts))
            for block in _blocks(len(queries), max(*counts, len(self._codes)), _BLOCK_CELLS):
                own = None if rows is None else rows[block]
                codes = self._y[nearest_others(nearest, kept, queries[block], own, max(counts))]
                hits += [np.count_nonzero(vote(codes[:, :k], len(self._codes)) == right[block]) for k in counts]
            accuracy.update(zip(same_search, (hits / len(queries)).tolist(), strict=True))
        return tuple(accuracy[k] for k in wanted)

    def _accuracy_by_k(self, queries: np.ndarray, right: np.ndarray, rows: np.ndarray | None, k: int) -> np.ndarray:
        hits = np.zeros(k)
        for block in _blocks(len(queries), max(k, len(self._codes)), _BLOCK_CELLS):
            own = None if rows is None else rows[block]
            codes = self._y[nearest_others(self._nearest, None, queries[block], own, k)]
            hits += right_by_every_k(codes, right[block], len(self._codes)).sum(axis=0)
        return hits / len(queries)


def leave_one_out_curve(Y: np.ndarray, y: np.ndarray, largest_k: int) -> np.ndarray:
    """Leave-one-out accuracy for every K from 1 to `largest_k`, (largest_k,); NaN with fewer than 2 labelled points."""
    points = Neighbourhood(Y, y)
    n = len(points._y)
    largest_k = min(largest_k, n - 1)
    if n < 2:
        return np.full(max(largest_k, 1), np.nan)
    return points._accuracy_by_k(points._Y, points._y, np.arange(n), largest_k)


def local_k_classes(
    Y: np.ndarray, y: np.ndarray, queries: np.ndarray, n_classes: int, largest_k: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest-neighbour votes in which every query brings its own K = round(exp(H_x)), the perplexity of its p_x·.

    Y, y: projected training points, (n_samples, n_components), and their codes from 0.
    queries: projected new points, (n_queries, n_components).
    largest_k: K is cut to it where given, so that the vote stays cheap where the neighbours are all alike.

    Returns classes (n_queries,), and the local perplexities exp(H_x) (n_queries,), not rounded.
    """
    perplexity = perplexity_of_queries(Y, queries)
    ks = _own_k(perplexity, min(largest_k or len(Y), len(Y)))
    return _votes_of_own_k(NearestNeighbours(Y), y, queries, None, ks, n_classes), perplexity


def leave_one_out_local_k(
    Y: np.ndarray, y: np.ndarray, perplexity: np.ndarray, largest_k: int | None = None
) -> tuple[np.ndarray, float]:
    """Each point's class by a vote of its own K = round(exp(H_i)) nearest other points, and the share that is right.

    Y, y: projected points, (n_samples, n_components), and their codes; negative ones (unlabelled) do not vote. They are
        classified, but count neither as right nor as wrong.
    perplexity: exp(H_i) of every point, (n_samples,), of an evaluation's entropies; NaN for a point to leave out.
    largest_k: K is cut to it where given.

    Returns codes (n_samples,), −1 for points that were left out, and the accuracy, NaN with fewer than 2 labelled
    points.
    """
    labelled, queries = np.flatnonzero(y >= 0), np.flatnonzero(~np.isnan(perplexity))
    found = np.full(len(y), -1)
    if len(labelled) < 2:
        return found, float("nan")
    present, codes = np.unique(y[labelled], return_inverse=True)
    most = min(largest_k or len(labelled), len(labelled) - 1)
    place = np.full(len(y), -1)  # an unlabelled point is not among those that vote
    place[labelled] = np.arange(len(labelled))
    ks = _own_k(perplexity[queries], most)
    found[queries] = present[
        _votes_of_own_k(NearestNeighbours(Y[labelled]), codes, Y[queries], place[queries], ks, len(present))
    ]
    known = queries[y[queries] >= 0]
    return found, float(np.mean(found[known] == y[known]))


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
        own = None if rows is None else rows[block]
        codes = y[nearest_others(nearest, None, queries[block], own, int(ks[block[-1]]))]
        for k in np.unique(ks[block]):
            here = ks[block] == k
            classes[block[here]] = vote(codes[here, :k], n_classes)
        done += len(block)
    return classes


_DECIDING = 5_000  # points whose leave-one-out accuracy decides
_FEWEST_KS = 15  # values of K that are tried, where there are as many points


def k_by_leave_one_out(Y: np.ndarray, y: np.ndarray) -> int:
    """The K of the best leave-one-out accuracy, of equally good ones the middle; up to 15 or 2 √n are tried.

    Y: places, (n_samples, n_components).
    y: class codes, (n_samples,).
    """
    rows = stratified_sample(y, _DECIDING, np.random.default_rng(0))
    if len(rows) < 2:
        return 1
    accuracy = leave_one_out_curve(Y[rows], y[rows], min(len(rows) - 1, max(_FEWEST_KS, round(2 * len(rows) ** 0.5))))
    best = np.flatnonzero(accuracy >= np.max(accuracy)) + 1
    return min(int(best[(len(best) - 1) // 2]), len(Y))
