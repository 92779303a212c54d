"""What the spectral method sums over: groups of points, each in a box of its own, and the points that stay outside.

Stray points would stretch one box over much empty space, so each island has its own; small islands have none, their
points are done exactly. Within a class, few points in a wide box are quicker summed pair by pair.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.fourier.fourier_field import FourierField, n_modes
from nca_core.neighbours.fourier.islands import islands

TOLERANCE = 1e-12
_CLOSE = 0.1  # in so small an extent differences of points are small against the error of the transforms,
_FINER = 1e-14  # so it is made smaller
_SMALL_ISLAND = 1_000
_MODES_A_POINT = 2.0  # more than that in one box, and islands are looked for
# ns on one thread, for sums and gradient together, by number of components
_PAIR = {1: 1.2, 2: 1.3, 3: 1.4}
_POINT = {1: 300.0, 2: 470.0, 3: 2100.0}
_MODE = {1: 100.0, 2: 120.0, 3: 280.0}
_START = 5e5
_GROUP = 2e4  # to hand one group to a thread, twice: what counts where classes are many and small

Members = slice | np.ndarray


@dataclass(frozen=True)
class Group:
    """Points that are summed over together.

    Attributes
    ----------
    members : Members
        Their places, a slice or int64 (n_points,).
    modes : float
        Of their transforms; 0 where they are summed pair by pair.
    cost : float
        Nanoseconds that their sums and one gradient are likely to take.
    of_one_class : bool
        All of them are of one class.
    """

    members: Members
    modes: float
    cost: float
    of_one_class: bool

    @staticmethod
    def of(Y: np.ndarray, members: Members, of_one_class: bool) -> Group:
        """The group of these points. Of a class pairs are summed where that is quicker; of all points they never are:
        the dense method does that better."""
        d = Y.shape[0]
        points = Y[:, members]
        n = points.shape[1]
        modes = float(np.prod(n_modes(np.ptp(points, axis=1), TOLERANCE).astype(np.float64)))
        by_transform = _START + _GROUP + n * _POINT[d] + modes * _MODE[d]
        by_pair = _GROUP + n * n * _PAIR[d]
        if of_one_class and by_pair < by_transform:
            return Group(members, 0.0, by_pair, of_one_class)
        return Group(members, modes, by_transform, of_one_class)

    def sums(self, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Σ_j w_ij and Σ_j w_ij ‖y_i − y_j‖² over the other points of the group, each (n_points,)."""
        from nca_core.neighbours.pairs import pair_kernels

        points = np.ascontiguousarray(Y[:, self.members])
        n = points.shape[1]
        if not self.modes:
            both = np.zeros((3, n))
            pair_kernels.sums_of_strip(points, np.zeros(n, dtype=np.int64), 0, n, both)
            return both[0], both[2]
        field = _field(points)
        packed = field.at_points(field.pack_squared(field.smooth(field.modes_of(np.ones(n)))))
        return packed.real - 1.0, packed.imag  # without the point itself, which adds 1 and 0

    def forces(self, Y: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Σ_j w_ij (weights_i + weights_j) (y_j − y_i) over the group, (n_components, n_points); weights of all."""
        from nca_core.neighbours.pairs import pair_kernels

        points, own = np.ascontiguousarray(Y[:, self.members]), weights[self.members]
        result = np.zeros(points.shape)
        if not own.any():
            return result
        n = points.shape[1]
        if not self.modes:
            none = np.zeros(n, dtype=np.int64)
            pair_kernels.gradient_of_strip(points, none, np.zeros(n), np.ascontiguousarray(own), 0, n, result)
            return result
        field = _field(points)
        # Strengths 1 and weights_j travel as real and imaginary part of one transform.
        modes = field.smooth(field.modes_of(1.0 + 1j * own))
        for axis in range(points.shape[0]):
            pull = field.at_points(modes * field.along(axis))
            result[axis] = own * pull.real + pull.imag
        return result

    def error(self, total: np.ndarray) -> float:
        """What a sum of this group, of which `total` are some, may be wrong by."""
        share = 4 * TOLERANCE if self.modes else 1e-15  # measured: at most 2 tolerances of the largest sum
        return share * (1.0 + float(total.max(initial=0.0)))


@dataclass(frozen=True)
class Groups:
    """The groups that points are summed in, and the points in none of them.

    Attributes
    ----------
    together : tuple[Group, ...]
        Groups of all points, whose points see no point outside their group, and groups of points of one class each (a
        class of one member has nothing to sum); those that take longest come first.
    outside : ndarray
        bool (n_samples,), points of small islands, which are in no group.
    """

    together: tuple[Group, ...]
    outside: np.ndarray

    @staticmethod
    def of(Y: np.ndarray, classes: Classes) -> Groups:
        """Y is (n_components, n_samples), sorted by class."""
        n = Y.shape[1]
        whole = Group.of(Y, slice(0, n), False)
        ranges = _ranges(classes)
        if whole.modes > _MODES_A_POINT * n:
            island = islands(Y)
            large = np.flatnonzero(np.bincount(island) >= min(_SMALL_ISLAND, n))
            outside = ~np.isin(island, large)
            if len(large) > 1 or outside.any():
                found = [Group.of(Y, np.flatnonzero(island == number), False) for number in large]
                found += [
                    Group.of(Y, members, True)
                    for a, b in ranges
                    for number in np.intersect1d(large, island[a:b])
                    for members in (a + np.flatnonzero(island[a:b] == number),)
                    if len(members) > 1
                ]
                return Groups(_longest_first(found), outside)
        found = [whole, *(Group.of(Y, slice(a, b), True) for a, b in ranges)]
        return Groups(_longest_first(found), np.zeros(n, dtype=bool))

    @property
    def cost(self) -> float:
        """ns of their sums and one gradient on two threads."""
        costs = [group.cost for group in self.together]
        return max(sum(costs) / 2.0, max(costs, default=0.0))

    @property
    def most_modes(self) -> float:
        return max((group.modes for group in self.together), default=0.0)


def _longest_first(groups: list[Group]) -> tuple[Group, ...]:
    return tuple(sorted(groups, key=lambda group: -group.cost))


def least_cost(n_points: int, n_components: int, volume: float) -> float:
    """ns that no groups of so many points can undercut, where they take up such a volume."""
    modes = volume * (2.0 * np.sqrt(-np.log(TOLERANCE)) / np.pi) ** n_components
    return _START + n_points * _POINT[n_components] + modes * _MODE[n_components]


def _field(points: np.ndarray) -> FourierField:
    close = float(np.ptp(points, axis=1).max(initial=0.0)) < _CLOSE
    return FourierField(points, _FINER if close else TOLERANCE)


def _ranges(classes: Classes) -> list[tuple[int, int]]:
    """Start and end of every class of two members or more."""
    starts = np.unique(classes.start[classes.end > classes.start + 1])
    return [(int(start), int(classes.end[start])) for start in starts]
