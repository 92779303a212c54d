"""The truncated method, for one to ten components: p_ij falls off so quickly that near pairs are all that counts.

Each leaf of a tree looks at the leaves within a cut, which lies farther out where its points are sparse. What is
beyond is passed over, but what it could have added is summed into a bound for every point. Where that is not
negligible against the point's own sum, as for isolated points, the point is done again by itself with a radius that
suits it. So nothing is lost however the points lie. In up to three components the cost grows with n K; in more it does
where the points lie in clusters or near a surface of few dimensions, while the boxes of a round cloud all touch, and
`estimated_share` says so before.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours import pairs as loops
from nca_core.neighbours.base.sums import CUT, Classes, NeighbourSums, for_each_unit
from nca_core.neighbours.base.threads import parts_of, summed
from nca_core.neighbours.pairs.tree import SHARE_LOST, Singly, Tree, starts_of_leaves

_LOST = 1e-9  # share of a point's sum that may be passed over
_FARTHEST = 60.0  # squared distance beyond which no leaf looks for the sake of its own points
_TINY = 1e-250  # below it a sum holds what the loops take for exp of minus anything large
_LEAVES_FOR_A_THREAD = 16
_ASKED = 32
_LIKELY_MISSED = 1e-14  # sum below which a point is likely to be done again: about exp(CUT − _FARTHEST)
_SINGLY, _START_SINGLY = 4.0, 1_500.0  # of a point that is done singly, for each that it looks at and at all, in pairs


class Truncated:
    """The sums at one Y, (n_components, n_samples) sorted by class, and gradients of objectives from them; with `logs`
    log p_i is exact even where p_i is negligible."""

    name = "truncated"

    def __init__(self, Y: np.ndarray, classes: Classes, logs: bool = True, tree: Tree | None = None) -> None:
        tree = Tree.of(Y, classes.start) if tree is None else tree
        self._near = NearPairs(tree)
        Z, S, H, missed = self._near.sums()
        paired = classes.partners > 0
        far = uncertain(Z, missed)
        distant = paired & uncertain(S, missed) if logs else np.zeros(len(Z), dtype=bool)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_z, log_s = np.log(Z), np.log(S)
            entropy = log_z + H / Z
            log_p = log_s - log_z
        self._singly = Singly(Y, classes, far, distant, SHARE_LOST, _LOST if logs else None, tree)
        self._singly.put(log_z, log_s, log_p, entropy)
        log_s[~paired] = log_p[~paired] = -np.inf
        self.sums = NeighbourSums(log_z, log_s, np.minimum(log_p, 0.0), np.maximum(entropy, 0.0))

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective whose derivatives in log S_i and log Z_i are given."""
        d_s, d_z = d_log_s.copy(), d_log_z.copy()
        result = self._singly.take_gradient(d_s, d_z)
        # An objective's derivative is 0 where S_i is 0: there is no p_i that could change.
        result += self._near.pull(for_each_unit(d_s, self.sums.log_s), for_each_unit(d_z, self.sums.log_z))
        return 2.0 * result


class NearPairs:
    """Sums and forces of points over all others within the cuts of a tree's leaves.

    wanted: bool (n_samples,), points whose sums are wanted: others come out right or as zeros. None: all.
    """

    def __init__(self, tree: Tree, wanted: np.ndarray | None = None) -> None:
        self._tree = tree
        self._cuts = _cuts_of_nodes(tree)
        leaves = 1 << tree.depth
        self._parts = parts_of(leaves, _LEAVES_FOR_A_THREAD)
        if wanted is not None:
            first = starts_of_leaves(len(tree.order), tree.depth)
            visited = np.concatenate([[False], np.logical_or.reduceat(wanted[tree.order], first), [False]])
            runs = np.flatnonzero(visited[1:] != visited[:-1]).reshape(-1, 2)
            self._parts = [(a + i, a + j) for a, b in runs.tolist() for i, j in parts_of(b - a, _LEAVES_FOR_A_THREAD)]

    def sums(self) -> np.ndarray:
        """Z, S, Σ_j w_ij ‖y_i − y_j‖², and what each point can have missed at most, (4, n_samples)."""
        return self._over(self._tree.Y, 4)

    def pull(self, same: np.ndarray, all_weight: np.ndarray) -> np.ndarray:
        """½ ∂F/∂Y, (n_components, n_samples), of ∂F/∂S_i and ∂F/∂Z_i, each (n_samples,)."""
        Y, order = self._tree.Y, self._tree.order
        return self._over(np.vstack([Y, all_weight[order], same[order]]), len(Y))

    def _over(self, points: np.ndarray, n_rows: int) -> np.ndarray:
        tree = self._tree

        def work(start: int, stop: int, out: np.ndarray) -> None:
            d = len(tree.Y)
            own = loops.tree_kernels.block_arrays(d)
            loops.tree_kernels.over_leaves(
                points, d, tree.codes, tree.boxes, tree.depth, self._cuts, start, stop, *own, out
            )

        result = np.empty((n_rows, len(tree.order)))
        result[:, tree.order] = summed(self._parts, work, result.shape, apart=True)
        return result


def _cuts_of_nodes(tree: Tree) -> np.ndarray:
    """Squared distance from each node beyond which its points pass others over, (2 << depth,).

    Of a leaf it is CUT beyond the longest way of its points to the nearest other one in it, at most _FARTHEST in all:
    so the sums of sparse points lose as little as those of dense ones. Of other nodes it is the largest of their
    leaves.
    """
    n, leaves = len(tree.order), 1 << tree.depth
    nearest, cuts = np.full(n, np.inf), np.zeros(2 * leaves)
    loops.tree_kernels.nearest_in_leaves(tree.Y, tree.depth, nearest)
    longest = np.maximum.reduceat(nearest, starts_of_leaves(n, tree.depth))
    np.minimum(CUT + longest, _FARTHEST, out=cuts[leaves:])
    level = leaves // 2
    while level > 0:
        np.maximum(cuts[2 * level : 4 * level : 2], cuts[2 * level + 1 : 4 * level : 2], out=cuts[level : 2 * level])
        level //= 2
    return cuts


def estimated_share(tree: Tree) -> float:
    """What the truncated method is likely to cost at these points, as a share of the dense method's cost; from a few
    leaves, and from a few points that may have to be done singly."""
    d, n = tree.Y.shape
    n_leaves = 1 << tree.depth
    leaves = np.unique(np.linspace(0, n_leaves - 1, min(n_leaves, _ASKED)).astype(np.int64))
    own = loops.tree_kernels.block_arrays(d)
    cuts = _cuts_of_nodes(tree)
    seen = loops.tree_kernels.pairs_of_leaves(tree.Y, tree.codes, tree.boxes, tree.depth, cuts, leaves, *own)
    pairs = float(seen) * n_leaves / len(leaves) / (n * n)
    sample = np.linspace(0, n - 1, _ASKED).astype(np.int64)
    distances, gaps = np.zeros((_ASKED, n)), np.zeros((_ASKED, n_leaves))
    for axis, low, high in zip(tree.Y, tree.boxes[n_leaves:, :d].T, -tree.boxes[n_leaves:, d:].T, strict=True):
        here = axis[sample, None]
        distances += (here - axis) ** 2
        gaps += np.maximum(np.maximum(low - here, here - high), 0.0) ** 2
    distances[np.arange(_ASKED), sample] = np.inf
    singly = np.exp(-distances).sum(axis=1) < _LIKELY_MISSED
    # One that is done singly looks at the leaves within the margin beyond its nearest other point.
    looked_at = np.count_nonzero(gaps <= distances.min(axis=1)[:, None] + tree.margin, axis=1) * (n / n_leaves)
    by_itself = float(np.where(singly, _SINGLY * looked_at + _START_SINGLY, 0.0).mean()) / n
    # Short runs of pairs cost more each, less so where distances have many terms.
    return max(1.0, 2.4 - 0.14 * d) * pairs + by_itself


def uncertain(total: np.ndarray, missed: np.ndarray) -> np.ndarray:
    """Bool (n,): sums that may lack more than a billionth of themselves."""
    return (missed >= _LOST * total) | (total < _TINY)
