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

from nca_core.neighbours.base.sums import CUT, Classes, NeighbourSums, for_each_unit
from nca_core.neighbours.base.threads import parts_of, summed
from nca_core.neighbours.pairs.exact_rows import Singly
from nca_core.neighbours.pairs.tree import SHARE_LOST, Tree

_LOST = 1e-9  # share of a point's sum that may be passed over
_FARTHEST = 60.0  # squared distance beyond which no leaf looks for the sake of its own points
_TINY = 1e-250  # below it a sum holds what the loops take for exp of minus anything large
_LEAVES_FOR_A_THREAD = 16
_ASKED = 32
_LIKELY_MISSED = 1e-14  # sum below which a point is likely to be done again: about exp(CUT − _FARTHEST)
_SINGLY = 1.5  # of a point that is done singly, against the dense method's


class Truncated:
    """The sums at one Y, and gradients of objectives from them.

    Parameters
    ----------
    Y : ndarray
        (n_components, n_samples), sorted by class.
    classes : Classes
        Of these points.
    logs : bool
        Compute log p_i exactly even where p_i is negligible.
    tree : Tree or None
        Of these points, where there is one already.
    """

    name = "truncated"

    def __init__(self, Y: np.ndarray, classes: Classes, logs: bool = True, tree: Tree | None = None) -> None:
        from nca_core.neighbours.pairs import leaf_kernels

        self._tree = tree = Tree.of(Y, classes.start) if tree is None else tree
        n = Y.shape[1]
        self._cuts = cuts = leaf_kernels.cuts_of_nodes(tree.Y, tree.depth, CUT, _FARTHEST)

        def work(start: int, stop: int, out: np.ndarray) -> None:
            leaf_kernels.sums_of_leaves(
                tree.Y, tree.codes, tree.lowest, tree.highest, tree.depth, cuts, start, stop, out[:3], out[3]
            )

        found = summed(self._leaf_parts(), work, (4, n), apart=True)
        Z, S, H, missed = values = np.empty((4, n))
        values[:, tree.order] = found
        paired = classes.partners > 0
        far = _uncertain(Z, missed)
        distant = paired & _uncertain(S, missed) if logs else np.zeros(n, dtype=bool)
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
        from nca_core.neighbours.pairs import leaf_kernels

        tree, cuts = self._tree, self._cuts
        d_s, d_z = d_log_s.copy(), d_log_z.copy()
        result = self._singly.take_gradient(d_s, d_z)
        # An objective's derivative is 0 where S_i is 0: there is no p_i that could change.
        same = for_each_unit(d_s, self.sums.log_s)[tree.order]
        everybody = for_each_unit(d_z, self.sums.log_z)[tree.order]

        def work(start: int, stop: int, out: np.ndarray) -> None:
            leaf_kernels.gradient_of_leaves(
                tree.Y, tree.codes, tree.lowest, tree.highest, tree.depth, cuts, same, everybody, start, stop, out
            )

        result[:, tree.order] += summed(self._leaf_parts(), work, tree.Y.shape, apart=True)
        return 2.0 * result

    def _leaf_parts(self) -> list[tuple[int, int]]:
        return parts_of(1 << self._tree.depth, _LEAVES_FOR_A_THREAD)


def estimated_share(tree: Tree) -> float:
    """What the truncated method is likely to cost at these points, as a share of the dense method's cost; from a few
    leaves, and from a few points that may have to be done singly."""
    from nca_core.neighbours.pairs import leaf_kernels

    d, n = tree.Y.shape
    n_leaves = 1 << tree.depth
    leaves = np.unique(np.linspace(0, n_leaves - 1, min(n_leaves, _ASKED)).astype(np.int64))
    cuts = leaf_kernels.cuts_of_nodes(tree.Y, tree.depth, CUT, _FARTHEST)
    seen = leaf_kernels.pairs_of_leaves(tree.lowest, tree.highest, tree.depth, n, cuts, leaves)
    pairs = float(seen) * n_leaves / len(leaves) / (n * n)
    asked = np.linspace(0, n - 1, _ASKED).astype(np.int64)
    distances = np.zeros((_ASKED, n))
    for axis in tree.Y:
        distances += (axis[asked, None] - axis[None, :]) ** 2
    distances[np.arange(_ASKED), asked] = np.inf
    Z = np.exp(-distances).sum(axis=1)
    singly = float(np.count_nonzero(_LIKELY_MISSED > Z) / _ASKED)
    # Short runs of pairs cost more each, less so where distances have many terms.
    return max(1.0, 2.4 - 0.14 * d) * pairs + _SINGLY * singly


def _uncertain(total: np.ndarray, missed: np.ndarray) -> np.ndarray:
    return (missed >= _LOST * total) | (total < _TINY)
