"""What the spectral method sums over: groups of points, each in a box of its own, and the points that stay outside.

Stray points would stretch one box over much empty space, so each island has its own; small islands have none, their
points are done exactly. Within a class, few points in a wide box are quicker summed pair by pair.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.grid.grid_field import GridField, places_of
from nca_core.neighbours.grid.islands import islands
from nca_core.neighbours.grid.window import ERROR, SPACING

_SMALL_ISLAND = 1_000
_SHARE = 20 * ERROR  # of a sum; r² exp(−r²) is wrong by up to 1e-11
_PLACES_A_POINT = 4.0  # more than that in one box, and islands are looked for,
_MOST_PLACES = 16_000_000.0  # and of more than so many too: a grid takes 8 bytes for each
# ns on one thread, for sums and gradient together, by number of components
_PAIR = {1: 0.75, 2: 0.8, 3: 0.85}
_POINT = {1: 300.0, 2: 400.0, 3: 1200.0}
_PLACE = {1: 70.0, 2: 14.0, 3: 20.0}
_START = 2e5
_GROUP = 2e4  # to hand one group to a thread, twice: what counts where classes are many and small

Members = slice | np.ndarray


@dataclass(frozen=True)
class Group:
    """Points that are summed over together.

    Attributes
    ----------
    members : Members
        Their places, a slice or int64 (n_points,).
    places : float
        Of their grid; 0 where they are summed pair by pair.
    cost : float
        Nanoseconds that their sums and one gradient are likely to take.
    of_one_class : bool
        All of them are of one class.
    """

    members: Members
    places: float
    cost: float
    of_one_class: bool

    @staticmethod
    def of(Y: np.ndarray, members: Members, of_one_class: bool) -> Group:
        """The group of these points. Of a class pairs are summed where that is quicker; of all points they never are:
        the dense method does that better."""
        d = Y.shape[0]
        points = Y[:, members]
        n = points.shape[1]
        places = float(np.prod(places_of(np.ptp(points, axis=1)).astype(np.float64)))
        by_grid = _START + _GROUP + n * _POINT[d] + places * _PLACE[d]
        by_pair = _GROUP + n * n * _PAIR[d]
        if of_one_class and by_pair < by_grid:
            return Group(members, 0.0, by_pair, of_one_class)
        return Group(members, places, by_grid, of_one_class)

    def at(self, Y: np.ndarray) -> tuple[GroupSums, GroupForces]:
        """The sums over the other points of the group, where all points lie at Y, and what gives forces there."""
        from nca_core.neighbours.pairs import pair_kernels

        points = np.ascontiguousarray(Y[:, self.members])
        n = points.shape[1]
        if not self.places:
            both = np.zeros((3, n))
            pair_kernels.sums_of_strip(points, np.zeros(n, dtype=np.int64), 0, n, both)
            error = np.full(n, 1e-15 * (1.0 + float(both[0].max())))
            return GroupSums(both[0], both[2], error), PairForces(points)
        field = GridField(points)
        total, beyond, pull = field.sums()
        total = total - 1.0  # without the point itself, which adds 1 to this sum and nothing to the others
        error = _SHARE * (1.0 + field.largest_nearby(total))
        # A copy, since what is kept till the gradient is asked for should not hold all that was read with it.
        return GroupSums(total, beyond, error), FieldForces(field, pull.copy())


@dataclass(frozen=True)
class GroupSums:
    """The sums of a group at one Y.

    Attributes
    ----------
    total, beyond : ndarray
        Σ_j w_ij and Σ_j w_ij ‖y_i − y_j‖² over the other points, each (n_points,).
    error : ndarray
        What each total may be wrong by, (n_points,).
    """

    total: np.ndarray
    beyond: np.ndarray
    error: np.ndarray


@dataclass(frozen=True)
class PairForces:
    """Forces in a group whose pairs are summed; its points lie at `points`, (n_components, n_points)."""

    points: np.ndarray

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        """Σ_j w_ij (weights_i + weights_j) (y_j − y_i), (n_components, n_points); weights are (n_points,)."""
        from nca_core.neighbours.pairs import pair_kernels

        result, n = np.zeros(self.points.shape), len(weights)
        if weights.any():
            none = np.zeros(n, dtype=np.int64)
            pair_kernels.gradient_of_strip(self.points, none, np.zeros(n), weights, 0, n, result)
        return result


@dataclass(frozen=True)
class FieldForces:
    """Forces in a group with a grid, where Σ_j w_ij (y_j − y_i) is `pull`, (n_components, n_points)."""

    field: GridField
    pull: np.ndarray

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        """As those of pairs."""
        if not weights.any():
            return np.zeros(self.pull.shape)
        result = self.field.pull(weights)
        for axis, pull in zip(result, self.pull, strict=True):  # of many points each array counts
            axis += weights * pull
        return result


GroupForces = PairForces | FieldForces


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
        if whole.places > min(_PLACES_A_POINT * n, _MOST_PLACES):
            island = islands(Y)
            is_large = np.bincount(island) >= min(_SMALL_ISLAND, n)
            outside = ~is_large[island]
            if np.count_nonzero(is_large) > 1 or outside.any():
                found = [Group.of(Y, np.flatnonzero(island == number), False) for number in np.flatnonzero(is_large)]
                for a, b in ranges:
                    several = np.bincount(island[a:b], minlength=len(is_large)) > 1
                    for number in np.flatnonzero(is_large & several):
                        found.append(Group.of(Y, a + np.flatnonzero(island[a:b] == number), True))
                return Groups(_longest_first(found), outside)
        found = [whole, *(Group.of(Y, slice(a, b), True) for a, b in ranges)]
        return Groups(_longest_first(found), np.zeros(n, dtype=bool))

    @property
    def cost(self) -> float:
        """ns of their sums and one gradient on two threads."""
        costs = [group.cost for group in self.together]
        return max(sum(costs) / 2.0, max(costs, default=0.0))

    @property
    def fit(self) -> bool:
        """Whether none of their grids is too large."""
        return max((group.places for group in self.together), default=0.0) <= _MOST_PLACES


def _longest_first(groups: list[Group]) -> tuple[Group, ...]:
    return tuple(sorted(groups, key=lambda group: -group.cost))


def least_cost(n_points: int, n_components: int, volume: float) -> float:
    """ns that no groups of so many points can undercut, where they take up such a volume."""
    places = volume / SPACING**n_components
    return _START + n_points * _POINT[n_components] + places * _PLACE[n_components]


def _ranges(classes: Classes) -> list[tuple[int, int]]:
    """Start and end of every class of two members or more."""
    starts = np.unique(classes.start[classes.end > classes.start + 1])
    return [(int(start), int(classes.end[start])) for start in starts]
