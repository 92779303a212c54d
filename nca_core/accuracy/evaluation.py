"""k-nearest-neighbour accuracy of a projection: leave-one-out and held-out, by a vote of K neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from nca_core.accuracy.counted_vote import UNDECIDED, counted_vote, is_quicker
from nca_core.accuracy.nearest import NearestNeighbours, nearest_others
from nca_core.accuracy.remembered import RememberedCodes

Progress = Callable[[int, int], None]

_BLOCK_CELLS = 4_000_000
_PROGRESS_QUERIES = 10_000
_LOOK_UPS = 200_000


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

    Parameters
    ----------
    neighbour_codes : ndarray
        Codes of the neighbours, nearest first, (n_queries, k).
    y : ndarray
        The right codes, (n_queries,).
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

    Parameters
    ----------
    Y, y : ndarray
        Projected training points, (n_samples, n_components), and their codes from 0.
    queries : ndarray
        Projected new points, (n_queries, n_components).
    """
    nearest = NearestNeighbours(Y)
    classes = np.empty(len(queries), dtype=np.int64)
    for block in _blocks(len(queries), max(k, n_classes)):
        classes[block] = vote(y[nearest.of(queries[block], k)], n_classes)
    return classes


class Neighbourhood:
    """Labelled points and one search among them, for both accuracies of the same projection.

    Parameters
    ----------
    Y : ndarray
        Projected points, (n_samples, n_components).
    y : ndarray
        Class codes, (n_samples,); negative ones (unlabelled) are left out.
    max_queries : int or None
        Of more points a fixed random sample of so many is asked; all points stay neighbours. Where their K is so large
        that more than 200,000 neighbours would be looked up, a random share of the points is, with the same share of
        K. None asks and looks up all, whatever it takes.
    random_state : int
        Seed of these samples.
    remember : bool
        Keep the neighbours that were found, some bytes for each, as the same points will be asked with another K.
    """

    def __init__(
        self,
        Y: np.ndarray,
        y: np.ndarray,
        *,
        max_queries: int | None = None,
        random_state: int = 0,
        remember: bool = False,
    ) -> None:
        labelled = y >= 0
        self._Y, y = (Y, y) if labelled.all() else (Y[labelled], y[labelled])
        self._codes, self._y = np.unique(y, return_inverse=True)  # codes may be large numbers
        self._max_queries, self._random_state = max_queries, random_state
        self._nearest = NearestNeighbours(self._Y)
        self._fewer: tuple[int, np.ndarray, NearestNeighbours] | None = None
        self._remember = remember and self._nearest.by_tree
        self._remembered: dict[bool, RememberedCodes] = {}  # of held-out points, and of its own

    def leave_one_out(self, ks: Sequence[int], on_progress: Progress | None = None) -> tuple[float, ...]:
        """As `leave_one_out_accuracy`."""
        if len(self._y) < 2:
            return tuple(float("nan") for _ in ks)
        asked = self._sample(len(self._y))
        return self._accuracies(self._Y[asked], self._y[asked], asked, ks, on_progress)

    def held_out(
        self, Y_test: np.ndarray, y_test: np.ndarray, ks: Sequence[int], on_progress: Progress | None = None
    ) -> tuple[float, ...]:
        """As `held_out_accuracy`."""
        labelled = np.flatnonzero(y_test >= 0)
        if len(self._y) == 0 or len(labelled) == 0:
            return tuple(float("nan") for _ in ks)
        asked = labelled[self._sample(len(labelled))]
        right = np.searchsorted(self._codes, y_test[asked])
        right[~np.isin(y_test[asked], self._codes)] = -1  # a class without training points is never voted for
        return self._accuracies(Y_test[asked], right, None, ks, on_progress)

    def _sample(self, n: int) -> np.ndarray:
        if self._max_queries is None or n <= self._max_queries:
            return np.arange(n)
        return np.random.default_rng(self._random_state).choice(n, self._max_queries, replace=False)

    def _among_fewer(self, many: int) -> tuple[np.ndarray, NearestNeighbours]:
        """So many points drawn at random, and a search among them; the last is kept."""
        fewer = self._fewer  # another thread may ask for another number meanwhile
        if fewer is None or fewer[0] != many:
            rng = np.random.default_rng([self._random_state, 1])
            kept = np.sort(rng.choice(len(self._y), many, replace=False))
            fewer = self._fewer = many, kept, NearestNeighbours(self._Y[kept])
        return fewer[1:]

    def _nearest_codes(
        self,
        nearest: NearestNeighbours,
        kept: np.ndarray | None,
        queries: np.ndarray,
        rows: np.ndarray | None,
        k: int,
    ) -> np.ndarray:
        if not self._remember or kept is not None or k < 2:
            return self._y[nearest_others(nearest, kept, queries, rows, k)]
        known = self._remembered.get(rows is None)
        if known is None or not known.are_of(queries, rows):
            known = self._remembered[rows is None] = RememberedCodes(nearest, self._y, queries, rows)
        return known.of(k)

    def _votes(
        self,
        nearest: NearestNeighbours,
        kept: np.ndarray | None,
        queries: np.ndarray,
        rows: np.ndarray | None,
        ks: Sequence[int],
    ) -> list[np.ndarray]:
        """The classes that the k nearest vote for, for each k."""
        n_classes = len(self._codes)
        n, d = self._Y.shape
        sorted_ks = [k for k in ks if kept is not None or not is_quicker(n, d, k)]
        votes: dict[int, np.ndarray] = {}
        if sorted_ks:
            codes = self._nearest_codes(nearest, kept, queries, rows, max(sorted_ks))
            votes = {k: vote(codes[:, :k], n_classes) for k in sorted_ks}
        for k in ks:
            if k not in votes:
                votes[k] = counted_vote(self._Y, self._y, queries, rows, k)
                open_ = np.flatnonzero(votes[k] == UNDECIDED)
                if len(open_):
                    found = nearest_others(nearest, None, queries[open_], None if rows is None else rows[open_], k)
                    votes[k][open_] = vote(self._y[found], n_classes)
        return [votes[k] for k in ks]

    def _accuracies(
        self,
        queries: np.ndarray,
        right: np.ndarray,
        rows: np.ndarray | None,
        ks: Sequence[int],
        on_progress: Progress | None,
    ) -> tuple[float, ...]:
        """`rows` are the places of the queries among the points where they are not to be their own neighbours."""
        n = len(self._y)
        most = n if rows is None else n - 1
        wanted = [min(max(1, int(k)), most) for k in ks]
        sampled = self._max_queries is not None and n > self._max_queries
        limit = max(1, _LOOK_UPS // len(queries)) if sampled else most
        # One search for all that are small enough, and one among fewer points for each of the others.
        searches = [(sorted({k for k in wanted if k <= limit}), 1.0)]
        searches += [([k], limit / k) for k in sorted({k for k in wanted if k > limit})]
        searches = [search for search in searches if search[0]]
        n_classes = len(self._codes)
        accuracy = dict.fromkeys(wanted, float("nan"))
        done, total = 0, len(queries) * len(searches)
        for same_search, share in searches:
            nearest, kept = self._nearest, None
            if share < 1.0:
                kept, nearest = self._among_fewer(max(limit + 1, round(share * n)))
            hits, seen = np.zeros(len(same_search)), 0
            counts = [min(k, limit) for k in same_search]
            for block in _blocks(len(queries), max(*counts, n_classes)):
                own = None if rows is None else rows[block]
                hits += [
                    np.count_nonzero(voted == right[block])
                    for voted in self._votes(nearest, kept, queries[block], own, counts)
                ]
                seen += len(queries[block])
                done += len(queries[block])
                accuracy.update(zip(same_search, (hits / seen).tolist(), strict=True))
                if on_progress is not None:
                    try:
                        on_progress(done, total)
                    except StopIteration:
                        return tuple(accuracy[k] for k in wanted)
        return tuple(accuracy[k] for k in wanted)


def _blocks(n_queries: int, cells: int) -> Iterator[slice]:
    """Ranges of queries, `cells` numbers for each of which fit into memory, and progress is told often enough."""
    size = max(1, min(_PROGRESS_QUERIES, _BLOCK_CELLS // cells))
    for first in range(0, n_queries, size):
        yield slice(first, min(first + size, n_queries))


def leave_one_out_accuracy(
    Y: np.ndarray,
    y: np.ndarray,
    ks: Sequence[int],
    *,
    max_queries: int | None = None,
    random_state: int = 0,
    on_progress: Progress | None = None,
) -> tuple[float, ...]:
    """Share of points that their K nearest other points classify correctly, for each K in ks.

    A point is never its own neighbour, duplicates of it are.

    Parameters
    ----------
    Y, y, max_queries, random_state
        As in `Neighbourhood`.
    ks : Sequence[int]
        Numbers of neighbours, each cut to the number of other points there are.
    on_progress : Progress or None
        Called with the number of queries done and of all; raising StopIteration in it cancels, and the accuracies are
        those of the queries that were done, NaN without any.
    """
    return Neighbourhood(Y, y, max_queries=max_queries, random_state=random_state).leave_one_out(ks, on_progress)


def held_out_accuracy(
    Y: np.ndarray,
    y: np.ndarray,
    Y_test: np.ndarray,
    y_test: np.ndarray,
    ks: Sequence[int],
    *,
    max_queries: int | None = None,
    random_state: int = 0,
    on_progress: Progress | None = None,
) -> tuple[float, ...]:
    """Share of test points that the K-nearest-neighbour rule on (Y, y) classifies correctly, for each K in ks.

    Parameters
    ----------
    Y, Y_test : ndarray
        Projected points, (n_samples, n_components) and (n_test, n_components).
    y, y_test : ndarray
        Class codes; negative ones (unlabelled) are left out on both sides.
    ks, max_queries, random_state, on_progress
        As in `leave_one_out_accuracy`.
    """
    points = Neighbourhood(Y, y, max_queries=max_queries, random_state=random_state)
    return points.held_out(Y_test, y_test, ks, on_progress)


def leave_one_out_curve(
    Y: np.ndarray, y: np.ndarray, largest_k: int, *, on_progress: Progress | None = None
) -> np.ndarray:
    """Leave-one-out accuracy for every K from 1 to `largest_k`, (largest_k,), in blocks of queries.

    Parameters
    ----------
    Y, y : ndarray
        As in `leave_one_out_accuracy`.
    on_progress : Progress or None
        Called with the number of points done and of all; raising StopIteration in it cancels.

    Returns
    -------
    ndarray
        The accuracies; where it was cancelled, those over the points that were done. NaN without any.
    """
    labelled = y >= 0
    Y, y = Y[labelled], np.unique(y[labelled], return_inverse=True)[1]
    n = len(Y)
    largest_k = min(largest_k, n - 1)
    if n < 2:
        return np.full(max(largest_k, 1), np.nan)
    nearest = NearestNeighbours(Y)
    right, n_classes = np.zeros(largest_k, dtype=np.int64), int(y.max()) + 1
    done = 0
    for block in _blocks(n, max(largest_k, n_classes)):
        asked = np.arange(block.start, block.stop)
        codes = y[nearest_others(nearest, None, Y[block], asked, largest_k)]
        right += right_for_every_k(codes, y[block], n_classes)
        done += len(asked)
        if on_progress is not None:
            try:
                on_progress(done, n)
            except StopIteration:
                break
    return right / done
