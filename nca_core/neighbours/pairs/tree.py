"""Tree: points in the order of a balanced tree, and exact sums for single points; quick in few dimensions, right in
any number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
    lowest: np.ndarray  # corners of each node's box, (2 << depth, n_components)
    highest: np.ndarray
    depth: int  # the level of the leaves
    margin: float  # what is farther than this beyond the nearest squared distance is left out of a sum

    @staticmethod
    def of(Y: np.ndarray, codes: np.ndarray, share_lost: float = SHARE_LOST) -> Tree:
        """Y is (n_components, n_samples), codes int64 (n_samples,), unique for every unlabelled point; sums of single
        points may miss less than `share_lost`."""
        from nca_core.neighbours.pairs import tree_kernels

        n = Y.shape[1]
        depth = max(0, int(np.ceil(np.log2(max(n, 1) / _LEAF))))
        points, order = np.array(Y, dtype=np.float64, order="C"), np.arange(n)
        top = min(depth, workers().bit_length() - 1)  # nodes of this level are arranged side by side
        _arrange(points, order, depth, top)
        lowest, highest = tree_kernels.bounding_boxes(points, depth)
        # n points beyond the margin add less than n exp(−margin) to a sum whose largest part is 1.
        margin = float(np.log(max(n, 2)) - np.log(share_lost))
        return Tree(points, codes[order], order, lowest, highest, depth, margin)

    def row_sums(self, rows: np.ndarray) -> RowSums:
        """Exact sums of the points at the places `rows` of this tree's order."""
        from nca_core.neighbours.pairs import row_kernels

        def work(start: int, stop: int, out: np.ndarray) -> None:
            row_kernels.sums_of_rows(
                self.Y, self.codes, self.lowest, self.highest, self.depth, rows, start, stop, self.margin, out
            )  # fmt: skip

        return RowSums(*summed(parts_of(len(rows), _ROWS_FOR_A_THREAD), work, (4, len(rows))))

    def row_gradient(
        self, rows: np.ndarray, sums: RowSums, all_weight: np.ndarray, same_weight: np.ndarray
    ) -> np.ndarray:
        """Σ_i Σ_j e_ij (all_weight_i + 1(same class) same_weight_i) (y_j − y_i), at both ends, (n_components, n)."""
        from nca_core.neighbours.pairs import row_kernels

        def work(start: int, stop: int, out: np.ndarray) -> None:
            here = slice(start, stop)
            row_kernels.gradient_of_rows(
                self.Y, self.codes, self.lowest, self.highest, self.depth, rows[here], self.margin,
                sums.nearest[here], all_weight[here], same_weight[here], out,
            )  # fmt: skip

        return summed(parts_of(len(rows), _ROWS_FOR_A_THREAD), work, self.Y.shape)


def _arrange(points: np.ndarray, order: np.ndarray, depth: int, top: int) -> None:
    from nca_core.neighbours.pairs import tree_kernels

    for level in range(top):
        for place in range(1 << level):
            tree_kernels.arrange_node(points, order, depth, level, place)
    each(lambda place: tree_kernels.arrange(points, order, depth, top, place), range(1 << top))
