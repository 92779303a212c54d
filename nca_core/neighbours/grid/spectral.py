"""The spectral method, for one to three components: sums of Gaussians by way of a grid, in a time linear in n.

The grid's error is absolute, a share of the largest sum nearby. So the points with the smallest sums are
done exactly against a tree, as many as it takes to keep the summed error of log p and of the entropies in bounds, and
that of each Z_i alone.

Points are summed over in groups, each in a box of its own. Stray points would stretch one box over much empty space, so
each island has its own; small islands have none, their points are done exactly. An island that is too wide for one box,
as heavy tails make it, is cut into tiles: the crowded ones have a box each, and the points of the others are left to
the near pairs of a tree. Within a class, few points in a wide box are quicker summed pair by pair.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from nca_core.neighbours import pairs as loops
from nca_core.neighbours.base.sums import Classes, NeighbourSums, for_each_unit
from nca_core.neighbours.base.threads import each
from nca_core.neighbours.grid.grid_field import GridField, places_of
from nca_core.neighbours.grid.window import ERROR, FELT, SPACING
from nca_core.neighbours.pairs.tree import SHARE_LOST, Singly, Tree
from nca_core.neighbours.pairs.truncated import NearPairs, uncertain

APART = 6.0  # least distance between two islands; exp(−6²) ≈ 2e-16
_MOST_CELLS = 2.0**62
_SMALL_FOR_A_POINT = 4  # numbers up to so many for each of them have a table
_SMALL_ISLAND = 1_000
_TILE = {1: 1536.0, 2: 48.0, 3: 30.0}  # width of a tile; several times what points around it take up beside
_LEAF_POINT, _LEAF_PAIR = 600.0, {1: 1.7, 2: 2.2, 3: 3.4}  # ns of the pairs of a tree's leaves
_NEARBY = {1: 1.8, 2: 2.4, 3: 2.9}  # points within the cut, beside those of a cell that is APART wide
_PLACES_A_POINT = 4.0  # more than that in one box, and islands are looked for,
_MOST_PLACES = 16_000_000.0  # and of more than so many too: a grid takes 8 bytes for each
# ns on one thread, for sums and gradient together, by number of components
_PAIR = {1: 0.75, 2: 0.8, 3: 0.85}
_POINT = {1: 300.0, 2: 400.0, 3: 1200.0}
_PLACE = {1: 70.0, 2: 14.0, 3: 20.0}
_START = 2e5
_SEARCH = 800.0  # to look for islands and tiles, for each point
_GROUP = 2e4  # to hand one group to a thread, twice: what counts where classes are many and small

Members = slice | np.ndarray
Forces = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Group:
    """Points that are summed over together."""

    sources: Members  # their places, a slice or int64 (n_points,)
    places: float  # of their grid; 0 where they are summed pair by pair
    cost: float  # nanoseconds that their sums and one gradient are likely to take
    of_one_class: bool  # all of them are of one class
    # which of them have all their neighbours in the group, bool (n_points,), None for all; sums are found for these
    inside: np.ndarray | None = None

    def too_wide(self, n_points: int) -> bool:
        """Whether a grid of so many points has much empty space, or is too large."""
        return self.places > min(_PLACES_A_POINT * n_points, _MOST_PLACES)

    @property
    def members(self) -> Members:
        """Places of the points whose sums are found."""
        return self.sources if self.inside is None else np.asarray(self.sources)[self.inside]

    @staticmethod
    def of(Y: np.ndarray, sources: Members, of_one_class: bool, inside: np.ndarray | None = None) -> "Group":
        """The group of these points. Of a class pairs are summed where that is quicker; of all points they never are:
        the dense method does that better."""
        d = Y.shape[0]
        points = Y[:, sources]
        n = points.shape[1]
        places = float(np.prod(places_of(np.ptp(points, axis=1)).astype(np.float64)))
        by_grid = _START + _GROUP + n * _POINT[d] + places * _PLACE[d]
        by_pair = _GROUP + n * n * _PAIR[d]
        if of_one_class and by_pair < by_grid:
            return Group(sources, 0.0, by_pair, of_one_class, inside)
        return Group(sources, places, by_grid, of_one_class, inside)

    def at(self, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, Forces]:
        """The sums of the members over the other points of the group, where all points lie at Y.

        Returns total, beyond, Σ_j w_ij and Σ_j w_ij ‖y_i − y_j‖², each (n_members,); error, what each total may be
        wrong by, (n_members,); forces, weights, (n_points,) -> Σ_j w_ij (weights_i + weights_j) (y_j − y_i),
        (n_components, n_members).
        """
        points = np.ascontiguousarray(Y[:, self.sources])
        total, beyond, error, forces = _by_field(points) if self.places else _by_pairs(points)
        here = self.inside
        if here is None:
            return total, beyond, error, forces
        return total[here], beyond[here], error[here], lambda weights: forces(weights)[:, here]


def _by_pairs(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, Forces]:
    n = points.shape[1]
    none, both = np.zeros(n, dtype=np.int64), np.zeros((3, n))

    def add(known: np.ndarray, out: np.ndarray) -> None:
        loops.pair_kernels.over_strip(points, none, 0, n, known, np.empty(loops.pair_kernels.TILE), out)

    add(np.empty((2, 0)), both)

    def forces(weights: np.ndarray) -> np.ndarray:
        result = np.zeros(points.shape)
        if weights.any():
            add(np.stack([weights, weights]), result)
        return result

    return both[0], both[2], np.full(n, 1e-15 * (1.0 + float(both[0].max()))), forces


def _by_field(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, Forces]:
    field = GridField(points)
    total, beyond, found = field.sums()
    total = total - 1.0  # without the point itself, which adds 1 to this sum and nothing to the others
    error = field.errors(field.counts())
    # A copy, so that what is kept for the gradient does not hold the larger array.
    pulls = found.copy()

    def forces(weights: np.ndarray) -> np.ndarray:
        if not weights.any():
            return np.zeros(pulls.shape)
        result = field.pull(weights)
        for axis, pull in zip(result, pulls, strict=True):  # of many points each array counts
            axis += weights * pull
        return result

    return total, beyond, error, forces


@dataclass(frozen=True)
class Groups:
    """The groups that points are summed in, and the points in none of them."""

    # groups of all points, whose points see no point outside their group, and groups of points of one class each (a
    # class of one member has nothing to sum); those that take longest come first
    together: tuple[Group, ...]
    outside: np.ndarray  # bool (n_samples,), points of small islands, which are in no group
    sparse: np.ndarray  # the same, points of sparse tiles, which feel points in groups
    # nanoseconds that the sums of these and one gradient are likely to take, and to find out which they are
    sparse_cost: float = 0.0

    @staticmethod
    def of(Y: np.ndarray, classes: Classes) -> "Groups":
        """Y is (n_components, n_samples), sorted by class."""
        n = Y.shape[1]
        whole = Group.of(Y, slice(0, n), False)
        # Start and end of every class of two members or more.
        ranges = [(start, int(classes.end[start])) for start in np.unique(classes.start[classes.partners > 0]).tolist()]
        outside, sparse, sparse_cost = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool), 0.0
        if not whole.too_wide(n):
            found = [whole, *(Group.of(Y, slice(a, b), True) for a, b in ranges)]
            return Groups(_longest_first(found), outside, sparse)
        island, found = islands(Y), []
        is_large = np.bincount(island) >= min(_SMALL_ISLAND, n)
        outside = ~is_large[island]
        for number in np.flatnonzero(is_large):
            rows = np.flatnonzero(island == number)
            group = Group.of(Y, rows, False)
            parts: list[tuple[np.ndarray, np.ndarray | None]] = [(rows, None)]
            if group.too_wide(len(rows)):
                parts, left, cost = _tiles(Y, rows)
                sparse[left] = True
                sparse_cost += cost
            for sources, inside in parts:
                found.append(Group.of(Y, sources, False, inside))
                for a, b in ranges:
                    mine = slice(*np.searchsorted(sources, (a, b)))
                    here = None if inside is None else inside[mine]
                    if mine.stop > mine.start + 1 and (here is None or here.any()):
                        found.append(Group.of(Y, sources[mine], True, here))
        if sparse.any():  # points of sparse tiles feel those of small islands too
            outside, sparse = np.zeros(n, dtype=bool), sparse | outside
        return Groups(_longest_first(found), outside, sparse, sparse_cost + _SEARCH * n)

    @property
    def cost(self) -> float:
        """ns of their sums and one gradient on two threads."""
        costs = [group.cost for group in self.together] + [self.sparse_cost]
        return max(sum(costs) / 2.0, max(costs, default=0.0))

    @property
    def fit(self) -> bool:
        """Whether there are grids, and none is too large."""
        return 0.0 < max((group.places for group in self.together), default=0.0) <= _MOST_PLACES


def _longest_first(groups: list[Group]) -> tuple[Group, ...]:
    return tuple(sorted(groups, key=lambda group: -group.cost))


def _tiles(Y: np.ndarray, rows: np.ndarray) -> tuple[list[tuple[np.ndarray, np.ndarray | None]], np.ndarray, float]:
    """Crowded tiles of the points `rows`, rising: (those that points inside can feel, which of them are inside) of
    each; the points of all other tiles, and what the near pairs of these are likely to cost in ns.

    Tiles are counted from the median, so that a crowd in the middle is not cut.
    """
    d = len(Y)
    points = Y[:, rows]
    width = _TILE[d]
    low = np.median(points, axis=1)[:, None] - width / 2
    steps, tile, of_tile = _cells((points - low) / width)
    of_cell = _cells((points - low) / APART)[2]
    nearby = np.minimum(_NEARBY[d] * np.bincount(of_cell)[of_cell], len(rows))
    by_leaves = np.bincount(of_tile, _LEAF_POINT + _LEAF_PAIR[d] * nearby)
    by_rank = np.argsort(of_tile, kind="stable")
    ends = np.append(0, np.cumsum(np.bincount(of_tile)))
    offsets = [int(np.dot(offset, steps)) for offset in product((-1, 0, 1), repeat=d)]
    found: list[tuple[np.ndarray, np.ndarray | None]] = []
    is_left = np.ones(len(rows), dtype=bool)
    for number in np.flatnonzero(by_leaves > _START + _GROUP):
        around = tile[number] + np.array(offsets)
        there = np.minimum(np.searchsorted(tile, around), len(tile) - 1)
        chosen = np.concatenate([by_rank[ends[k] : ends[k + 1]] for k in there[tile[there] == around]])
        inside = by_rank[ends[number] : ends[number + 1]]
        box = np.stack([points[:, inside].min(axis=1) - FELT, points[:, inside].max(axis=1) + FELT])[:, :, None]
        felt = (points[:, chosen] > box[0]) & (points[:, chosen] < box[1])
        chosen = np.sort(chosen[felt.all(axis=0)])
        if Group.of(Y, rows[chosen], False).cost < by_leaves[number]:
            is_left[inside] = False
            found.append((rows[chosen], of_tile[chosen] == number))
    return found, rows[is_left], float(by_leaves[np.unique(of_tile[is_left])].sum())


def _cells(places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(step from a cell to the next one on each axis, numbers of the cells that hold points, rising, which of them each
    point is in) for cells of width 1, (n_components, n_points)."""
    numbers = np.floor(places).astype(np.int64)
    numbers -= numbers.min(axis=1)[:, None]
    widths = numbers.max(axis=1) + 3  # so that no step over an edge leads to a cell of another row
    steps = np.concatenate([np.cumprod(widths[1:][::-1])[::-1], [1]])
    occupied, of_point = _numbered(steps @ numbers)
    return steps, occupied, of_point


def least_cost(n_points: int, n_components: int, volume: float) -> float:
    """ns that no groups of so many points can undercut, where they take up such a volume."""
    places = volume / SPACING**n_components
    return _START + n_points * _POINT[n_components] + places * _PLACE[n_components]


def islands(Y: np.ndarray) -> np.ndarray:
    """Number of each point's island from 0, int64 (n_samples,); two islands are at least APART away from each other.

    Points are put into cells of that width; cells that touch, corners included, are of one island. Y is
    (n_components, n_samples), with finite values. Where cells are too many to be numbered all points are one island.
    """
    cells = np.stack([_places(axis) for axis in Y])  # (n_components, n_samples)
    widths = cells.max(axis=1) + 2  # one empty cell at the end keeps rows of cells apart
    if np.prod(widths.astype(np.float64)) > _MOST_CELLS:
        return np.zeros(Y.shape[1], dtype=np.int64)
    steps = np.concatenate([np.cumprod(widths[1:][::-1])[::-1], [1]])
    occupied, cell_of = _numbered(steps @ cells)
    pairs = []
    for offset in product((-1, 0, 1), repeat=len(Y)):
        step = int(np.dot(offset, steps))
        if step > 0:  # each pair of cells once
            place = np.minimum(np.searchsorted(occupied, occupied + step), len(occupied) - 1)
            touching = np.flatnonzero(occupied[place] == occupied + step)
            pairs.append(np.stack([touching, place[touching]]))
    one, other = np.concatenate(pairs, axis=1)
    from scipy.sparse import coo_array  # takes long to import, and a server that starts has no use for it yet
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(one)), (one, other)), shape=(len(occupied), len(occupied)))
    _, island_of_cell = connected_components(links, directed=False)
    return island_of_cell.astype(np.int64)[cell_of]


def _places(axis: np.ndarray) -> np.ndarray:
    """Cell of each point on an axis, from 0; of empty cells in a row only one is counted, so numbers stay small."""
    found, place = _numbered(np.floor((axis - axis.min()) / APART))
    steps = np.minimum(np.diff(found, prepend=found[0]), 2.0).astype(np.int64)
    return np.cumsum(steps)[place]


def _numbered(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different values, whole and from 0 on, in rising order, and which of them each is: as numpy's `unique`, but
    without sorting where they are small."""
    most = float(values.max())
    if most > _SMALL_FOR_A_POINT * len(values):
        return np.unique(values, return_inverse=True)
    numbers = values.astype(np.int64)
    there = np.zeros(int(most) + 1, dtype=bool)
    there[numbers] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[numbers]


_NOTHING = 1e-15  # error of a sum over no points: what others may add from afar
BUDGET = 1e-9  # summed error, relative to what it is an error of
EACH = 5e-10  # the same of each Z_i alone; Σ_j w_ij ‖y_i − y_j‖² is wrong by up to 60 times as much
_SHARE_ROUNDED = 1e-14  # error of a sum over near pairs
NEVER_ZERO = 1e-300


class Spectral:
    """The sums at one Y, (n_components, n_samples) sorted by class, and gradients of objectives from them; with `logs`
    log p_i is exact even where p_i is negligible."""

    name = "spectral"

    def __init__(self, Y: np.ndarray, classes: Classes, logs: bool = True, groups: Groups | None = None) -> None:
        n = Y.shape[1]
        self._Y = Y
        self._groups = groups = Groups.of(Y, classes) if groups is None else groups
        self._forces, Z, H, S, Z_error, S_error = _sums_of_groups(Y, groups)
        sparse, tree, few = groups.sparse, None, np.zeros((2, n), dtype=bool)
        self._near: NearPairs | None = None
        if sparse.any():
            tree = Tree.of(Y, classes.start)
            self._near = NearPairs(tree, sparse)
            found = self._near.sums()[:, sparse]
            Z[sparse], S[sparse], H[sparse], missed = found
            few[:, sparse] = uncertain(found[0], missed), uncertain(found[1], missed)
            felt = np.zeros(n, dtype=bool)  # by points of a grid, over which their own forces would lose digits
            for group in groups.together:
                felt[group.sources] = True
            Z_error[sparse], S_error[sparse] = np.where(
                felt[sparse], ERROR, np.maximum(_SHARE_ROUNDED * found[:2], NEVER_ZERO)
            )
        np.maximum(Z, 0.0, out=Z)
        np.maximum(S, 0.0, out=S)
        paired = classes.partners > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            likely_p = np.where(Z > 0, np.minimum(S / Z, 1.0), 0.0)
            # What a wrong Z_i does to Σ p_i goes with p_i, what it does to the mean entropy and to Σ log p_i does not.
            share = np.maximum(likely_p / max(float(likely_p.sum()), NEVER_ZERO), 10.0 / n)
            far = groups.outside | few[0] | _smallest(Z, Z_error, share) | (Z_error > EACH * Z)
            del share, Z_error  # of ten million points each array is 80 MB, and most come together here
            log_z, log_s = np.log(Z), np.log(S)
            entropy = np.divide(H, Z, out=H)
            entropy += log_z
            log_p = log_s - log_z
        distant = np.zeros(n, dtype=bool)
        if logs:
            with np.errstate(divide="ignore"):
                size = float(np.minimum(-np.log(likely_p[paired & (likely_p > 0)]), 10.0).sum())
            # Where nearly all p_i are 1 their logs add up to nothing, of which no share can be kept.
            distant = paired & (few[1] | _smallest(np.where(paired, S, np.inf), S_error, 1.0 / max(size, n / 20)))
        del Z, H, S, S_error, likely_p
        self._singly: Singly | None = None
        if far.any() or distant.any():
            self._singly = Singly(Y, classes, far, distant, SHARE_LOST, BUDGET if logs else None, tree)
            self._singly.put(log_z, log_s, log_p, entropy)
        log_s[~paired] = log_p[~paired] = -np.inf
        self.sums = NeighbourSums(log_z, log_s, np.minimum(log_p, 0.0), np.maximum(entropy, 0.0))

    @property
    def n_exact(self) -> int:
        """How many points were done exactly against the tree."""
        return 0 if self._singly is None else len(self._singly)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective whose derivatives in log S_i and log Z_i are given."""
        d_s, d_z = d_log_s.copy(), d_log_z.copy()
        result = np.zeros_like(self._Y) if self._singly is None else self._singly.take_gradient(d_s, d_z)
        same, all_weight = for_each_unit(d_s, self.sums.log_s), for_each_unit(d_z, self.sums.log_z)
        del d_s, d_z
        tasks = list(zip(self._groups.together, self._forces, strict=True))

        def work(task: tuple[Group, Forces]) -> np.ndarray:
            group, forces = task
            return forces((same if group.of_one_class else all_weight)[group.sources])

        for (group, _), found in zip(tasks, each(work, tasks), strict=True):
            result[:, group.members] += found
        if self._near is not None:
            sparse = self._groups.sparse
            result[:, sparse] += self._near.pull(same, all_weight)[:, sparse]
        result *= 2.0
        return result


def _sums_of_groups(
    Y: np.ndarray, groups: Groups
) -> tuple[list[Forces], np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What gives the forces of each group; Z, Σ_j w_ij ‖y_i − y_j‖² and S of all points, and what Z and S may be wrong
    by, each (n_samples,)."""
    n = Y.shape[1]
    Z, H, S = np.zeros(n), np.zeros(n), np.zeros(n)
    Z_error, S_error = np.full(n, _NOTHING), np.full(n, _NOTHING)

    def add(group: Group) -> Forces:
        total, beyond, error, forces = group.at(Y)
        if group.of_one_class:
            S[group.members], S_error[group.members] = total, error
        else:
            Z[group.members], H[group.members], Z_error[group.members] = total, beyond, error
        return forces

    return each(add, groups.together), Z, H, S, Z_error, S_error


def _smallest(total: np.ndarray, error: np.ndarray, share: np.ndarray | float) -> np.ndarray:
    """Bool (n,): the totals that are smallest against their errors, so many that Σ share error / total over the others
    stays within the budget."""
    with np.errstate(divide="ignore"):
        relative = share * (error / total)
    rising = np.sort(relative)
    kept = int(np.searchsorted(np.cumsum(rising), BUDGET, side="right"))  # so many stay within the budget together
    if kept == len(total):
        return np.zeros(len(total), dtype=bool)
    return (relative >= rising[kept]) & np.isfinite(total)
