"""Points that a quick summation method cannot do well enough, done singly and exactly against a tree.

FarRows and DistantMates are in the order of the tree's points, Singly joins them in the order of Y.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.pairs.class_ranges import ClassRanges
from nca_core.neighbours.pairs.tree import SHARE_LOST, RowSums, Tree

_LOST, _KNOWN = 1e-16, 1e-6
_SMALL_CLASS = 1_000  # members up to which looking at each is quicker than a tree of them


class FarRows:
    """Points whose whole neighbourhood is taken singly: the isolated ones, far from everybody.

    Parameters
    ----------
    tree : Tree
        All points.
    rows : ndarray
        Their places in it, (n_rows,).
    """

    def __init__(self, tree: Tree, rows: np.ndarray) -> None:
        self.rows = rows
        self._tree = tree
        self._sums = tree.row_sums(rows)

    def known_same(self, share: float) -> np.ndarray:
        """Bool (n_rows,): the sum over i's own class is at least `share` of all, so that it has lost nothing."""
        return self._sums.same > share * self._sums.total

    def put(self, log_z: np.ndarray, log_s: np.ndarray, log_p: np.ndarray, entropy: np.ndarray) -> None:
        """Write their values over those of the quick method."""
        rows, sums = self.rows, self._sums
        alone = ~np.isfinite(sums.nearest)
        total = np.where(alone, 1.0, sums.total)
        nearest = np.where(alone, 0.0, sums.nearest)
        with np.errstate(divide="ignore"):
            log_z[rows] = np.log(total) - nearest
            log_s[rows] = np.log(sums.same) - nearest
            log_p[rows] = np.log(sums.same / total)  # by a quotient: far out both logs are huge and nearly equal
        entropy[rows] = np.log(total) + sums.beyond / total

    def log_p_of(self, rows: np.ndarray, mates: RowSums) -> np.ndarray:
        """log p_i of those of its points that are in `rows`, from the sums over their class mates."""
        place = np.searchsorted(self.rows, rows)
        all_sums = self._sums
        return np.log(mates.total) - np.log(all_sums.total[place]) - (mates.nearest - all_sums.nearest[place])

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """Their part of ½ ∂F/∂Y, (n_components, n_samples), of an objective with these derivatives, (n_samples,)."""
        sums = self._sums
        with np.errstate(divide="ignore", invalid="ignore"):
            everybody = np.where(sums.total > 0, d_log_z[self.rows] / sums.total, 0.0)
            same = np.where(sums.same > 0, d_log_s[self.rows] / sums.same, 0.0)
        return self._tree.row_gradient(self.rows, sums, everybody, same)


@dataclass(frozen=True)
class _Mates:
    """Points and those they are summed over: places of both in the tree of all, where the former stand among the
    latter, and their sums."""

    wanted: np.ndarray
    members: np.ndarray
    own: Tree | ClassRanges
    places: np.ndarray
    sums: RowSums


class DistantMates:
    """Points far from their own class only: Σ over class mates, against a tree of that class alone where it is large.

    Parameters
    ----------
    tree : Tree
        All points.
    rows : ndarray
        Places in it of points that have class mates, (n_rows,).
    share_lost : float
        As for Tree.of.
    """

    def __init__(self, tree: Tree, rows: np.ndarray, share_lost: float = SHARE_LOST) -> None:
        self._shape = tree.Y.shape
        self._groups: list[_Mates] = []
        self.rows = np.empty(0, dtype=np.int64)
        if not rows.size:
            return
        by_class = np.argsort(tree.codes, kind="stable")
        codes = tree.codes[by_class]
        start, end = np.searchsorted(codes, codes), np.searchsorted(codes, codes, "right")
        place = np.empty_like(by_class)
        place[by_class] = np.arange(len(by_class))
        asked = place[rows]  # among the points by class
        small = (end - start)[asked] <= _SMALL_CLASS
        if small.any():
            ranges = ClassRanges(np.ascontiguousarray(tree.Y[:, by_class]), start, end)
            places = asked[small]
            self._groups.append(_Mates(rows[small], by_class, ranges, places, ranges.row_sums(places)))
        for first in np.unique(start[asked[~small]]):
            here = start[asked] == first
            members = by_class[first : end[first]]
            own = Tree.of(tree.Y[:, members], np.zeros(len(members), dtype=np.int64), share_lost)
            place = np.empty(len(members), dtype=np.int64)
            place[own.order] = np.arange(len(members))
            places = place[asked[here] - first]
            self._groups.append(_Mates(rows[here], members[own.order], own, places, own.row_sums(places)))
        self.rows = np.concatenate([group.wanted for group in self._groups])

    def put(self, log_z: np.ndarray, log_s: np.ndarray, log_p: np.ndarray, far: FarRows) -> None:
        """Write log S_i and log p_i of these points, given log Z and the points that are far from everybody."""
        for group in self._groups:
            wanted, sums = group.wanted, group.sums
            log_s[wanted] = np.log(sums.total) - sums.nearest
            log_p[wanted] = log_s[wanted] - log_z[wanted]
            both = np.isin(wanted, far.rows)
            if both.any():
                part = RowSums(*(values[both] for values in (sums.nearest, sums.total, sums.same, sums.beyond)))
                log_p[wanted[both]] = far.log_p_of(wanted[both], part)

    def gradient(self, d_log_s: np.ndarray) -> np.ndarray:
        """Their part of ½ ∂F/∂Y through log S, (n_components, n_samples)."""
        result = np.zeros(self._shape)
        for group in self._groups:
            weights = d_log_s[group.wanted] / group.sums.total
            nothing = np.zeros(len(weights))
            result[:, group.members] += group.own.row_gradient(group.places, group.sums, weights, nothing)
        return result


class Singly:
    """Both kinds of points together, in the order of Y.

    Parameters
    ----------
    Y : ndarray
        (n_components, n_samples), sorted by class.
    classes : Classes
        Of these points.
    far : ndarray
        Bool (n_samples,), points whose whole neighbourhood is taken singly.
    distant : ndarray
        The same, points with class mates of which only those are.
    share_lost : float
        What each sum may miss of itself.
    share_known : float or None
        Where class mates are at least that share of a far point's sum, they need not be taken again; None where that
        sum will do however small it is.

    Left out, both leave sums as exact as float64 has them.
    """

    def __init__(
        self,
        Y: np.ndarray,
        classes: Classes,
        far: np.ndarray,
        distant: np.ndarray,
        share_lost: float = _LOST,
        share_known: float | None = _KNOWN,
    ) -> None:
        tree = Tree.of(Y, classes.start, share_lost)
        self._order = tree.order
        self._rows = FarRows(tree, np.flatnonzero(far[tree.order]))
        wanted = distant[tree.order]
        if share_known is not None:
            paired = classes.partners[tree.order] > 0
            wanted[self._rows.rows] = paired[self._rows.rows] & ~self._rows.known_same(share_known)
        self._mates = DistantMates(tree, np.flatnonzero(wanted), share_lost)

    def __len__(self) -> int:
        return len(self._rows.rows) + len(self._mates.rows)

    def put(self, log_z: np.ndarray, log_s: np.ndarray, log_p: np.ndarray, entropy: np.ndarray) -> None:
        """Write their values over those of the quick method, each (n_samples,)."""
        z, s, p, h = (values[self._order] for values in (log_z, log_s, log_p, entropy))
        self._rows.put(z, s, p, h)
        self._mates.put(z, s, p, self._rows)
        log_z[self._order], log_s[self._order], log_p[self._order], entropy[self._order] = z, s, p, h

    def take_gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """Their part of ½ ∂F/∂Y, (n_components, n_samples); their derivatives become 0 in what was given."""
        s, z = d_log_s[self._order], d_log_z[self._order]
        part = self._mates.gradient(s)
        s[self._mates.rows] = 0.0
        part += self._rows.gradient(s, z)
        s[self._rows.rows] = z[self._rows.rows] = 0.0
        d_log_s[self._order], d_log_z[self._order] = s, z
        result = np.empty_like(part)
        result[:, self._order] = part
        return result
