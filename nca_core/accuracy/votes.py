"""Votes of the K nearest neighbours: a K of each point's own, the best K, and the accuracies of a projection."""

from collections.abc import Iterator, Sequence

import numpy as np

from nca_core.accuracy.nearest import NearestNeighbours, nearest_others
from nca_core.accuracy.stochastic_rule import perplexity_of_queries
from nca_core.features.rows import stratified_sample

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
            if max(wanted) > len(self._by_k.get(held_out, ())):
                # K̂ falls as a rule, so the first search goes no farther than it must.
                k = min(2 * max(wanted), limit) if held_out in self._by_k else max(wanted)
                self._by_k[held_out] = self._accuracy_by_k(queries, right, rows, k)
            return tuple(self._by_k[held_out][np.array(wanted) - 1].tolist())
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
            for block in _blocks(len(queries), max(*counts, len(self._codes))):
                own = None if rows is None else rows[block]
                codes = self._y[nearest_others(nearest, kept, queries[block], own, max(counts))]
                hits += [np.count_nonzero(vote(codes[:, :k], len(self._codes)) == right[block]) for k in counts]
            accuracy.update(zip(same_search, (hits / len(queries)).tolist(), strict=True))
        return tuple(accuracy[k] for k in wanted)

    def _accuracy_by_k(self, queries: np.ndarray, right: np.ndarray, rows: np.ndarray | None, k: int) -> np.ndarray:
        hits = np.zeros(k)
        for block in _blocks(len(queries), max(k, len(self._codes))):
            own = None if rows is None else rows[block]
            codes = self._y[nearest_others(self._nearest, None, queries[block], own, k)]
            hits += right_by_every_k(codes, right[block], len(self._codes)).sum(axis=0)
        return hits / len(queries)


def _blocks(n_queries: int, cells: int) -> Iterator[slice]:
    """Ranges of queries, `cells` numbers for each of which fit into memory."""
    size = max(1, _BLOCK_CELLS // cells)
    for first in range(0, n_queries, size):
        yield slice(first, min(first + size, n_queries))


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
