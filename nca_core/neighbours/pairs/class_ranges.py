"""ClassRanges: sums of single points over their own class, by looking at each of its members."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nca_core.neighbours.base.threads import parts_of, summed
from nca_core.neighbours.pairs.tree import RowSums

_ROWS_FOR_A_THREAD = 256


@dataclass(frozen=True)
class ClassRanges:
    """Small classes side by side: for a few hundred members a tree costs more than it saves, and thousands of trees
    cost seconds. Asked the same way as a Tree.

    Attributes
    ----------
    Y : ndarray
        (n_components, n_samples), sorted by class.
    start, end : ndarray
        Range of columns that share the class of each point, (n_samples,).
    """

    Y: np.ndarray
    start: np.ndarray
    end: np.ndarray

    def row_sums(self, rows: np.ndarray) -> RowSums:
        """Exact sums of the points `rows`, (n_rows,), over the other members of their class."""
        from nca_core.neighbours.pairs import row_kernels

        def work(first: int, last: int, out: np.ndarray) -> None:
            row_kernels.sums_in_ranges(self.Y, self.start, self.end, rows, first, last, out)

        nearest, total, beyond = summed(parts_of(len(rows), _ROWS_FOR_A_THREAD), work, (3, len(rows)))
        return RowSums(nearest, total, total, beyond)

    def row_gradient(
        self, rows: np.ndarray, sums: RowSums, all_weight: np.ndarray, same_weight: np.ndarray
    ) -> np.ndarray:
        """Σ_i Σ_j e_ij (all_weight_i + same_weight_i) (y_j − y_i) over i's class, at both ends, (n_components, n)."""
        from nca_core.neighbours.pairs import row_kernels

        weights = all_weight + same_weight

        def work(first: int, last: int, out: np.ndarray) -> None:
            here = slice(first, last)
            row_kernels.gradient_in_ranges(
                self.Y, self.start, self.end, rows[here], sums.nearest[here], weights[here], out
            )

        return summed(parts_of(len(rows), _ROWS_FOR_A_THREAD), work, self.Y.shape)
