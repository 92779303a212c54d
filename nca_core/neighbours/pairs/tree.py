"""Tree: points in the order of a balanced tree, and exact sums for single points. Singly: the points that a quick
summation method cannot do well enough, done against it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nca_core.neighbours import pairs as loops
from nca_core.neighbours.base.sums import Classes, NeighbourSums
from nca_core.neighbours.base.threads import each, parts_of, summed, workers

_LEAF = 24
_ROWS_FOR_A_THREAD = 64
SHARE_LOST = 1e-10


@dataclass(frozen=True)
class RowSums:
    """Sums of single points, each (n_rows,), with e_ij = exp(m_i² − ‖y_i − y_j‖²)."""

    nearest: np.ndarray  # m_i², the squared distance of the nearest other point; infinite where there is none
    total: np.ndarray  # Σ_j e_ij; same: Σ_j e_ij over i's own class; beyond: Σ_j e_ij (‖y_i − y_j‖² − m_i²)
    same: np.ndarray
    beyond: np.ndarray


@dataclass(frozen=True)
class Tree:
    """Points in the leaves of a balanced binary tree of boxes."""

    Y: np.ndarray  # (n_components, n_samples), in the order of the leaves
    codes: np.ndarray  # class codes in that order, (n_samples,)
    order: np.ndarray  # place of each of them in the array that was given
    boxes: np.ndarray  # each node's least coordinates, then minus its largest, (2 << depth, 2 n_components)
    depth: int  # the level of the leaves
    margin: float  # what is farther than this beyond the nearest squared distance is left out of a sum

    @staticmethod
    def of(Y: np.ndarray, codes: np.ndarray, share_lost: float = SHARE_LOST) -> Tree:
        """Y is (n_components, n_samples), codes int64 (n_samples,), unique for every unlabelled point; sums of single
        points may miss less than `share_lost`."""
        n = Y.shape[1]
        depth = max(0, int(np.ceil(np.log2(max(n, 1) / _LEAF))))
        points, order = np.array(Y, dtype=np.float64, order="C"), np.arange(n)
        top = min(depth, workers().bit_length() - 1)  # nodes of this level are arranged side by side
        boxes = np.zeros((2 << depth, 2 * len(points)))
        arrange = loops.tree_kernels.arrange
        for level in range(top):
            for place in range(1 << level):
                arrange(points, order, depth, level, level + 1, place, boxes)
        each(lambda place: arrange(points, order, depth, top, depth + 1, place, boxes), range(1 << top))
        # n points beyond the margin add less than n exp(−margin) to a sum whose largest part is 1.
        margin = float(np.log(max(n, 2)) - np.log(share_lost))
        return Tree(points, codes[order], order, boxes, depth, margin)

    def row_sums(self, rows: np.ndarray) -> RowSums:
        """Exact sums of the points at the places `rows` of this tree's order."""
        return RowSums(*self._over(rows, np.empty((3, 0)), (4, len(rows))))

    def row_gradient(
        self, rows: np.ndarray, sums: RowSums, all_weight: np.ndarray, same_weight: np.ndarray
    ) -> np.ndarray:
        """Σ_i Σ_j e_ij (all_weight_i + 1(same class) same_weight_i) (y_j − y_i), at both ends, (n_components, n)."""
        return self._over(rows, np.stack([sums.nearest, all_weight, same_weight]), self.Y.shape)

    def _over(self, rows: np.ndarray, known: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        def work(start: int, stop: int, out: np.ndarray) -> None:
            own = loops.tree_kernels.stack_and_buffer((len(self.order) >> self.depth) + 1)
            loops.tree_kernels.over_rows(
                self.Y, self.codes, self.boxes, self.depth, rows, start, stop, self.margin, known, *own, out
            )

        return summed(parts_of(len(rows), _ROWS_FOR_A_THREAD), work, shape)


def starts_of_leaves(n: int, depth: int) -> np.ndarray:
    """The first point of each leaf, (1 << depth,)."""
    return (np.arange(1 << depth) * n) >> depth


_LOST, _KNOWN = 1e-16, 1e-6
_SMALL_CLASS = 1_000  # members up to which looking at each is quicker than a tree of them
_IN_RANGES_FOR_A_THREAD = 256


class Singly:
    """Single points done exactly: over all others, or over their class mates alone.

    Y: (n_components, n_samples), sorted by class.
    far: bool (n_samples,), points whose whole neighbourhood is taken singly.
    distant: the same, points with class mates of which only those are.
    share_lost: what each sum may miss of itself.
    share_known: where class mates are at least that share of a far point's sum, they need not be taken again; None
        where that sum will do however small it is.

    With the defaults both leave sums as exact as float64 has them.
    """

    def __init__(
        self,
        Y: np.ndarray,
        classes: Classes,
        far: np.ndarray,
        distant: np.ndarray,
        share_lost: float = _LOST,
        share_known: float | None = _KNOWN,
        tree: Tree | None = None,
    ) -> None:
        self._tree = tree = Tree.of(Y, classes.start, share_lost) if tree is None else tree
        # Rows are places in the order of the tree.
        self._rows = rows = np.flatnonzero(far[tree.order])
        self._sums = tree.row_sums(rows)
        wanted = distant[tree.order]
        if share_known is not None:
            paired = classes.partners[tree.order] > 0
            wanted[rows] = paired[rows] & ~(self._sums.same > share_known * self._sums.total)
        self._mates = _mates(tree, np.flatnonzero(wanted), share_lost)

    def __len__(self) -> int:
        return len(self._rows) + sum(len(mates.wanted) for mates in self._mates)

    def put(self, log_z: np.ndarray, log_s: np.ndarray, log_p: np.ndarray, entropy: np.ndarray) -> None:
        """Write their values over those of the quick method, each (n_samples,)."""
        order, rows, sums = self._tree.order, self._rows, self._sums
        z, s, p, h = (values[order] for values in (log_z, log_s, log_p, entropy))
        alone = ~np.isfinite(sums.nearest)
        total = np.where(alone, 1.0, sums.total)
        nearest = np.where(alone, 0.0, sums.nearest)
        with np.errstate(divide="ignore"):
            z[rows] = np.log(total) - nearest
            s[rows] = np.log(sums.same) - nearest
            p[rows] = np.log(sums.same / total)  # by a quotient: far out both logs are huge and nearly equal
        h[rows] = np.log(total) + sums.beyond / total
        for mates in self._mates:
            wanted, own = mates.wanted, mates.sums
            s[wanted] = np.log(own.total) - own.nearest
            p[wanted] = s[wanted] - z[wanted]
            both = np.isin(wanted, rows)
            place = np.searchsorted(rows, wanted[both])
            p[wanted[both]] = (
                np.log(own.total[both]) - np.log(sums.total[place]) - (own.nearest[both] - sums.nearest[place])
            )
        log_z[order], log_s[order], log_p[order], entropy[order] = z, s, p, h

    def take_gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """Their part of ½ ∂F/∂Y, (n_components, n_samples); their derivatives become 0 in what was given."""
        tree, rows, sums = self._tree, self._rows, self._sums
        s, z = d_log_s[tree.order], d_log_z[tree.order]
        part = np.zeros(tree.Y.shape)
        for mates in self._mates:
            weights = s[mates.wanted] / mates.sums.total
            part[:, mates.members] += mates.own.row_gradient(mates.places, mates.sums, weights, np.zeros_like(weights))
        for mates in self._mates:
            s[mates.wanted] = 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            all_weight = np.where(sums.total > 0, z[rows] / sums.total, 0.0)
            same = np.where(sums.same > 0, s[rows] / sums.same, 0.0)
        part += tree.row_gradient(rows, sums, all_weight, same)
        s[rows] = z[rows] = 0.0
        d_log_s[tree.order], d_log_z[tree.order] = s, z
        result = np.empty_like(part)
        result[:, tree.order] = part
        return result


@dataclass(frozen=True)
class _Mates:
    """Points and those they are summed over: places of both in the tree of all, where the former stand among the
    latter, and their sums."""

    wanted: np.ndarray
    members: np.ndarray
    own: Tree | ClassRanges
    places: np.ndarray
    sums: RowSums


def _mates(tree: Tree, rows: np.ndarray, share_lost: float) -> list[_Mates]:
    """Sums of the points at places `rows` over their class mates, against a tree of that class alone where it is
    large."""
    found: list[_Mates] = []
    if not rows.size:
        return found
    by_class = np.argsort(tree.codes, kind="stable")
    codes = tree.codes[by_class]
    start, end = np.searchsorted(codes, codes), np.searchsorted(codes, codes, "right")
    place = np.empty_like(by_class)
    place[by_class] = np.arange(len(by_class))
    by_rank = place[rows]  # among the points by class
    small = (end - start)[by_rank] <= _SMALL_CLASS
    if small.any():
        ranges = ClassRanges(np.ascontiguousarray(tree.Y[:, by_class]), start, end)
        places = by_rank[small]
        found.append(_Mates(rows[small], by_class, ranges, places, ranges.row_sums(places)))
    for first in np.unique(start[by_rank[~small]]):
        here = start[by_rank] == first
        members = by_class[first : end[first]]
        own = Tree.of(tree.Y[:, members], np.zeros(len(members), dtype=np.int64), share_lost)
        place = np.empty(len(members), dtype=np.int64)
        place[own.order] = np.arange(len(members))
        places = place[by_rank[here] - first]
        found.append(_Mates(rows[here], members[own.order], own, places, own.row_sums(places)))
    return found


@dataclass(frozen=True)
class ClassRanges:
    """Small classes side by side: for a few hundred members a tree costs more than it saves, and thousands of trees
    cost seconds. Asked the same way as a Tree.
    """

    Y: np.ndarray  # (n_components, n_samples), sorted by class
    start: np.ndarray  # range of columns that share the class of each point, (n_samples,)
    end: np.ndarray

    def row_sums(self, rows: np.ndarray) -> RowSums:
        """Exact sums of the points `rows`, (n_rows,), over the other members of their class."""
        nearest, total, beyond = self._over(rows, np.empty((2, 0)), (3, len(rows)))
        return RowSums(nearest, total, total, beyond)

    def row_gradient(
        self, rows: np.ndarray, sums: RowSums, all_weight: np.ndarray, same_weight: np.ndarray
    ) -> np.ndarray:
        """Σ_i Σ_j e_ij (all_weight_i + same_weight_i) (y_j − y_i) over i's class, at both ends, (n_components, n)."""
        return self._over(rows, np.stack([sums.nearest, all_weight + same_weight]), self.Y.shape)

    def _over(self, rows: np.ndarray, known: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        def work(start: int, stop: int, out: np.ndarray) -> None:
            codes = np.zeros(int((self.end - self.start).max()), dtype=np.int64)
            own = codes, np.empty(len(codes))
            loops.tree_kernels.over_ranges(self.Y, self.start, self.end, rows, start, stop, known, *own, out)

        return summed(parts_of(len(rows), _IN_RANGES_FOR_A_THREAD), work, shape)


class Queries:
    """The sums of some points over all others, each exactly by itself, and gradients from them.

    Y: (n_components, n_samples), sorted by class.
    rows: places of the queries, rising, (n_queries,).

    sums: of the queries, each (n_queries,).
    """

    name = "queries"

    def __init__(self, Y: np.ndarray, classes: Classes, rows: np.ndarray) -> None:
        n = Y.shape[1]
        self._rows, self._n = rows, n
        is_query = np.zeros(n, dtype=bool)
        is_query[rows] = True
        self._singly = Singly(Y, classes, is_query, np.zeros(n, dtype=bool))
        values = np.full((4, n), -np.inf)
        self._singly.put(*values)
        log_z, log_s, log_p, entropy = values[:, rows]
        unpaired = classes.partners[rows] == 0
        log_s[unpaired] = log_p[unpaired] = -np.inf
        self.sums = NeighbourSums(log_z, log_s, np.minimum(log_p, 0.0), np.maximum(entropy, 0.0))

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective with these derivatives for the queries, (n_queries,)."""
        d_s, d_z = np.zeros((2, self._n))
        d_s[self._rows], d_z[self._rows] = d_log_s, d_log_z
        return 2.0 * self._singly.take_gradient(d_s, d_z)
