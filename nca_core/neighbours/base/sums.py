"""What every summation method takes and gives: points sorted by class, and the sums over their neighbours in logs."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

CUT = 28.0  # squared distance beyond which the truncated method only bounds what pairs add; exp(−28) ≈ 7e-13


@dataclass(frozen=True)
class Classes:
    """Class membership of points that are sorted by class."""

    # int64 (n_samples,), the range start[i]..end[i] of columns that share the class of point i; an unlabelled point has
    # the empty range i..i
    start: np.ndarray
    end: np.ndarray  # (n_samples,)

    @staticmethod
    def of(sorted_codes: np.ndarray) -> "Classes":
        """From sorted class codes; negative codes are unlabelled and share no class."""
        start = np.searchsorted(sorted_codes, sorted_codes, side="left").astype(np.int64)
        end = np.searchsorted(sorted_codes, sorted_codes, side="right").astype(np.int64)
        alone = np.flatnonzero(sorted_codes < 0)
        start[alone] = end[alone] = alone
        return Classes(start, end)

    @cached_property
    def partners(self) -> np.ndarray:
        """Number of other members of each point's class, (n_samples,)."""
        return np.maximum(self.end - self.start - 1, 0)

    @cached_property
    def members(self) -> np.ndarray:
        """Number of members of each class in turn, an unlabelled point being a class of its own, (n_classes,)."""
        return np.diff(np.unique(np.append(self.start, len(self.start))))

    def sums(self, values: np.ndarray) -> np.ndarray:
        """The sum of values, (..., n_samples), over each point's class, at every point."""
        first = np.cumsum(self.members) - self.members
        return np.repeat(np.add.reduceat(values, first, axis=-1), self.members, axis=-1)

    def block(self, rows: np.ndarray) -> np.ndarray:
        """1 where two points share a class, else 0, of the rows against all, (n_rows, n_samples), with zeros on the
        diagonal."""
        place = np.arange(len(self.start))
        inside = (place >= self.start[rows, None]) & (place < self.end[rows, None]) & (place != rows[:, None])
        return inside.astype(np.float64)

    @cached_property
    def same(self) -> np.ndarray:
        """`block` of all points, (n_samples, n_samples), for a few hundred."""
        return self.block(np.arange(len(self.start)))


@dataclass(frozen=True)
class NeighbourSums:
    """The softmax sums of every point, in logs so that isolated points stay finite."""

    log_z: np.ndarray  # log Σ_{j≠i} w_ij with w_ij = exp(−‖y_i − y_j‖²)
    log_s: np.ndarray  # log of the same sum over j of i's class; −inf where the class has no other member
    log_p: np.ndarray  # log p_i = log S_i − log Z_i ≤ 0, kept apart because the two can be huge and nearly equal
    entropy: np.ndarray  # H_i = −Σ_j p_ij log p_ij = log Z_i + Σ_j p_ij ‖y_i − y_j‖², in nats


def for_each_unit(d_log: np.ndarray, log_sum: np.ndarray) -> np.ndarray:
    """∂F/∂S_i from ∂F/∂log S_i: divided by S_i, (n_samples,); 0 where the derivative is, however small S_i may be."""
    return d_log * np.exp(-np.where(d_log == 0.0, 0.0, log_sum))
