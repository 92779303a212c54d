"""An evaluation whose points stay on the workers of Dask: each adds its own to the grids, and the grids are added up.

The spectral method (`nca_core.neighbours.grid.spectral`) in one box, for objectives that are sums over points. What a
lost worker held is computed again by another.

The caller's process takes at most 0.45 GB + 1 MB for each part + 12 n bytes for labels of int64: 8 a row for y, 1 for
the codes, 1 for the codes as they are sent, and up to 2 for a moment. Sample weights take 8 more. Y, p_i and the
entropies stay with the workers. The 0.45 GB are the interpreter with its libraries, and at most 50,000 points that no
grid is exact enough for; the 1 MB are tasks, with Dask's scheduler in the same process. Grids, at most 0.5 GB together,
are on workers alone. Processor time: of an evaluation the workers do all that grows with n, the caller and Dask's
scheduler about 20 tasks of 1 ms for each part of X.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np

from nca_core.neighbours.base.sums import NeighbourSums, for_each_unit
from nca_core.neighbours.grid.grid_field import GridField, places_of, smooth
from nca_core.neighbours.grid.spectral import BUDGET, EACH, NEVER_ZERO
from nca_core.neighbours.pairs.tree import RowSums, Tree
from nca_core.parts.dask_chunks import current_client, lazy_concatenation, retry_lost_workers
from nca_core.parts.features_in_parts import OrderedParts, gradient_in_features, project
from nca_core.parts.sources import classes_of, members_of

_LEAST_ROWS = 500_000
_MOST_PLACES, _MOST_OF_ALL = 16_000_000, 62_500_000  # of a grid, and of all: 0.5 GB
_MOST_CLASSES = 100
_MOST_FAR = 50_000  # points of all parts that are done one by one
_AT_ONCE = 8  # grids that wait to be added up
_SHARE_LOST = 1e-13

Box = tuple[np.ndarray, np.ndarray]
Groups = list[tuple[int, Box]]  # a class and the box of its points; last _ALL with that of all
_ALL = -1
_none: Any = None


def on_workers(n_samples: int) -> bool:
    """Whether the sums over so many points are worth carrying by the workers of the client that there is."""
    return n_samples >= _LEAST_ROWS and current_client() is not None


@dataclass
class _Part:
    """The points of a part, sorted by class, and what is known of them; each array's last axis is theirs."""

    Y: np.ndarray
    order: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    fields: list[GridField] = field(default_factory=list)
    Z: np.ndarray = _none
    H: np.ndarray = _none
    S: np.ndarray = _none
    pulls: list[np.ndarray] = field(default_factory=list)
    relative: np.ndarray = _none  # error of Z as a share of the budget's
    far: np.ndarray = _none  # bool: done exactly, against all other points
    tree: Tree | None = _none  # of the other points, then the far ones of all parts, which stand at the places `rows`
    rows: np.ndarray = _none
    row_sums: RowSums = _none
    numbers: np.ndarray = _none  # the objective, Σ ω p, Σ H, Σ exp(H), and how many points are not `certain`
    p_and_entropy: np.ndarray = _none  # in the order of the part, (2, n_points)
    same: np.ndarray = _none  # ∂F/∂S and ∂F/∂Z
    all_weight: np.ndarray = _none
    d_Y: np.ndarray = _none  # ½ ∂F/∂Y of far points' terms
    d_far: np.ndarray = _none  # the same at the far points of all parts

    @staticmethod
    def of(blocks: Any, n_rows: int, frame: Any, A: np.ndarray, codes: np.ndarray, weights: Any) -> "_Part":
        order = np.argsort(codes, kind="stable")
        Y, weights = project(blocks, n_rows, frame, A), np.ones(n_rows) if weights is None else weights
        return _Part(np.take(Y, order, axis=1), order, codes[order], weights[order])

    def places(self, code: int) -> slice:
        return slice(None) if code == _ALL else slice(*np.searchsorted(self.codes, (code, code + 1)))

    def __sizeof__(self) -> int:  # by which Dask leaves a part where it is, rather than a grid
        return 20 * self.Y.nbytes

    def __setstate__(self, state: dict[str, Any]) -> None:
        # What Dask unpacks is read-only: compiled loops would be compiled once more for it.
        for value in (state["tree"], *state["fields"]):
            if value is not None:
                value.__dict__.update(_owned(value.__dict__))
        self.__dict__.update(_owned(state))

    # Each of the following is done by the worker that holds the part

    def boxes(self, codes: list[int]) -> list[Box]:
        far = np.full((len(self.Y), 1), np.inf)
        found = [self.Y[:, self.places(code)] for code in codes]
        return [(np.hstack([Y, far]).min(axis=1), np.hstack([Y, -far]).max(axis=1)) for Y in found]

    def with_fields(self, groups: Groups) -> "_Part":
        fields = [GridField(np.ascontiguousarray(self.Y[:, self.places(g)]), box) for g, box in groups]
        return replace(self, fields=fields)

    def spread(self, groups: Groups) -> list[np.ndarray]:
        ones = np.ones(self.Y.shape[1])
        same, all_weight = (ones, ones) if self.same is None else (self.same, self.all_weight)
        pairs = zip(self.fields, groups, strict=True)
        return [field.spread((all_weight if g == _ALL else same)[self.places(g)].copy()) for field, (g, _) in pairs]

    def with_sums(self, groups: Groups, grids: list[np.ndarray]) -> "_Part":
        found, S, pulls = _none, np.zeros(self.Y.shape[1]), []
        for field_of, (g, _), grid in zip(self.fields, groups, grids, strict=True):
            found = field_of.sums_from(np.require(grid, requirements="W"))
            if g != _ALL:
                S[self.places(g)] = np.maximum(found[0] - 1.0, 0.0)
            pulls.append(found[2].copy())
        return replace(self, Z=np.maximum(found[0] - 1.0, 0.0), H=found[1].copy(), S=S, pulls=pulls)

    def likely_p(self) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.Z > 0, np.minimum(self.S / self.Z, 1.0), 0.0)

    def overview(self) -> list[Any]:
        return [self.fields[-1].counts(), float(self.likely_p().sum())]

    def with_errors(self, overview: list[Any], n: int) -> "_Part":
        counts, sum_p = np.array(overview[0]), overview[1]
        with np.errstate(divide="ignore"):
            error = self.fields[-1].errors(counts) / self.Z
        relative = np.maximum(self.likely_p() / max(sum_p, NEVER_ZERO), 10.0 / n) * error
        return replace(self, relative=relative, far=error > EACH)

    def worst(self) -> list[Any]:
        """How many points are far for certain; the sum of all errors but the largest, and these."""
        rising = np.sort(self.relative)
        return [int(self.far.sum()), float(rising[:-_MOST_FAR].sum()), rising[-_MOST_FAR:]]

    def with_far(self, least: float) -> "_Part":
        return replace(self, far=self.far | (self.relative >= least))

    def far_points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.Y[:, self.far], self.codes[self.far], self.weights[self.far]

    def with_tree(self, far: tuple[np.ndarray, np.ndarray]) -> "_Part":
        tree, rows = _tree(self.Y[:, ~self.far], self.codes[~self.far], *far)
        return replace(self, tree=tree, rows=rows, row_sums=tree.row_sums(rows))

    def with_terms(self, far: NeighbourSums, terms: Callable[..., Any], members: np.ndarray) -> "_Part":
        with np.errstate(divide="ignore", invalid="ignore"):
            log_z, log_s = np.log(self.Z), np.log(self.S)
            entropy, log_p = self.H / self.Z + log_z, log_s - log_z
        found = NeighbourSums(log_z, log_s, np.minimum(log_p, 0.0), np.maximum(entropy, 0.0))
        for name in vars(far):
            getattr(found, name)[self.far] = getattr(far, name)
        here = terms(found, np.zeros(len(log_z)), self.weights)
        d_s, d_z = (np.where(self.far, 0.0, d) for d in (here.d_log_s, here.d_log_z))
        in_order, p = np.empty((2, len(log_z))), np.exp(found.log_p)
        in_order[:, self.order] = p, found.entropy
        partners = np.append(members - 1.0, 0.0)[np.maximum(self.codes, -1)]
        uncertain = float(np.count_nonzero((partners > 0) & (p * (partners + 1.0) < partners)))
        sums = self.weights @ p, found.entropy.sum(), np.exp(found.entropy).sum()
        return replace(
            self,
            same=for_each_unit(d_s, found.log_s),
            all_weight=for_each_unit(d_z, found.log_z),
            numbers=np.array([here.value, *sums, uncertain]),
            p_and_entropy=in_order,
        )

    def with_far_gradient(self, far: tuple[RowSums, np.ndarray, np.ndarray]) -> "_Part":
        assert self.tree is not None
        found = _far_gradient(self.tree, self.rows, *far)
        own, d_Y = found.shape[1] - len(self.rows), np.zeros(self.Y.shape)
        d_Y[:, ~self.far] = found[:, :own]
        return replace(self, tree=None, d_Y=d_Y, d_far=found[:, own:])

    def gradient(self, groups: Groups, grids: list[np.ndarray], far: np.ndarray, frame: Any) -> tuple[Any, np.ndarray]:
        """What `gradient_in_features` is given beside the rows."""
        total = np.zeros(self.Y.shape) if self.d_Y is None else self.d_Y.copy()
        total[:, self.far] += far
        for field_of, (g, _), grid, pulls in zip(self.fields, groups, grids, self.pulls, strict=True):
            weights = (self.all_weight if g == _ALL else self.same)[self.places(g)]
            total[:, self.places(g)] += field_of.pull_from(np.require(grid, requirements="W")) + weights * pulls
        result = np.empty_like(total)
        result[:, self.order] = 2.0 * total
        return frame, result


def _owned(values: dict[str, Any]) -> dict[str, Any]:
    return {name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}


def _sum(several: list[np.ndarray]) -> np.ndarray:
    return reduce(np.add, several)


def _added(several: list[Any]) -> Any:
    return [_sum(list(grids)) for grids in zip(*several, strict=True)]


def _smooth(several: list[Any], d: int) -> list[np.ndarray]:
    return [smooth(np.array(grid), d) for grid in _added(several)]


def _worst_of(several: list[list[Any]]) -> list[Any]:
    certain, rest, largest = zip(*several, strict=True)
    rising = np.sort(np.concatenate(largest))
    return [sum(certain), sum(rest) + float(rising[:-_MOST_FAR].sum()), rising[-_MOST_FAR:]]


def _tree(Y: np.ndarray, codes: np.ndarray, Q: np.ndarray, of_Q: np.ndarray) -> tuple[Tree, np.ndarray]:
    """The tree of both, and the places of Q in it."""
    both = np.concatenate([codes, of_Q]).astype(np.int64)
    tree = Tree.of(np.hstack([Y, Q]), np.where(both < 0, -1 - np.arange(len(both)), both), _SHARE_LOST)
    return tree, np.argsort(tree.order)[len(codes) :]


def _merged(found: list[RowSums], times: tuple[float, ...] | None = None) -> RowSums:
    """Of the same points over the points of all, each so many times (once)."""
    nearest = np.min([each.nearest for each in found], axis=0)
    sums = np.zeros((3, len(nearest)))
    for times_each, each in zip(times or [1.0] * len(found), found, strict=True):
        apart = np.where(each.total > 0, each.nearest - nearest, 0.0)
        sums += times_each * np.exp(-apart) * np.stack([each.total, each.same, each.beyond + apart * each.total])
    return RowSums(nearest, *np.maximum(sums, 0.0))


def _far_gradient(tree: Tree, rows: np.ndarray, sums: RowSums, all_weight: np.ndarray, same: np.ndarray) -> np.ndarray:
    found = np.empty(tree.Y.shape)
    # Copies, as what Dask unpacks is read-only.
    sums = RowSums(np.array(sums.nearest), sums.total, sums.same, sums.beyond)
    found[:, tree.order] = tree.row_gradient(rows, sums, np.array(all_weight), np.array(same))
    return found


class GridsOnWorkers:
    """Evaluates on the workers of the client that there is.

    rows: of X, whose source has `tasks`.
    codes, weights: in the order of X, (n_samples,); weights None where each is 1.
    terms: of an objective that is a sum over points and needs no exact logs.
    """

    def __init__(
        self, rows: OrderedParts, codes: np.ndarray, weights: np.ndarray | None, terms: Callable[..., Any]
    ) -> None:
        self._rows, self._n, self._terms, ranges = rows, len(codes), terms, rows.source.ranges()
        classes, counts = classes_of(codes)
        self._members = counts[classes >= 0]
        self._wanted = [*np.flatnonzero(self._members > 1).tolist(), _ALL]
        if len(self._members) <= _MOST_CLASSES:
            members = members_of(codes, classes[classes >= 0])
            self._codes = [members[part] for part in ranges]
        self._weights = [None if weights is None else weights[part] for part in ranges]
        self._total = float(len(codes) if weights is None else weights.sum())

    def evaluate(self, A: np.ndarray) -> tuple[Any, ...] | None:
        """The fields of an Evaluation in order; None where there is no client, one box would be too large, or too many
        points would be done one by one."""
        client = current_client()
        if client is None or len(A) > 3 or len(self._members) > _MOST_CLASSES:
            return None
        return retry_lost_workers(lambda: self._evaluate(client, A))

    def _evaluate(self, client: Any, A: np.ndarray) -> tuple[Any, ...] | None:
        source: Any = self._rows.source
        d, frame = len(A), self._rows.frame
        everything = range(len(source.counts))
        given = zip(self._codes, self._weights, strict=True)
        A = self._rows.for_passes(A)
        sent = client.scatter([(frame, A, *of_part) for of_part in given], hash=False)
        parts = client.compute(source.tasks(_Part.of, everything, sent))

        def each(work: Callable[..., Any], *more: Any) -> list[Any]:
            return [client.submit(work, part, *more, pure=False) for part in parts]

        def added(work: Callable[..., Any], several: list[Any]) -> Any:
            while len(several) > 1:
                groups = [several[first : first + _AT_ONCE] for first in range(0, len(several), _AT_ONCE)]
                several = [client.submit(work, group, pure=False) for group in groups]
            return several[0]

        def gathered(work: Callable[..., Any], *more: Any) -> list[Any]:
            return client.gather(each(work, *more))

        boxes = [np.array(found) for found in zip(*gathered(_Part.boxes, self._wanted), strict=True)]  # (n_parts, 2, d)
        limits = [(box[:, 0].min(axis=0), box[:, 1].max(axis=0)) for box in boxes]
        groups = list(zip(self._wanted, limits, strict=True))
        sizes = [float(np.prod(places_of(high - low).astype(np.float64))) for low, high in limits]
        if sizes[-1] > min(4.0 * self._n, _MOST_PLACES) or sum(sizes) > _MOST_OF_ALL:
            return None

        def grids() -> Any:
            added = []
            for first in range(0, len(parts), _AT_ONCE):
                spread = [
                    client.submit(_Part.spread, part, groups, pure=False) for part in parts[first : first + _AT_ONCE]
                ]
                added.append(client.submit(_added, spread, pure=False))
            return client.submit(_smooth, added, d, pure=False)

        parts = each(_Part.with_fields, groups)
        parts = each(_Part.with_sums, groups, grids())
        parts = each(_Part.with_errors, added(_added, each(_Part.overview)), self._n)
        certain, rest, rising = added(_worst_of, each(_Part.worst)).result()
        if certain > _MOST_FAR:
            return None
        kept = int(np.searchsorted(rest + np.cumsum(rising), BUDGET, side="right"))
        parts = each(_Part.with_far, rising[kept] if kept < len(rising) else np.inf)
        points, codes, weights = zip(*gathered(_Part.far_points), strict=True)
        ends = np.cumsum([0, *map(len, codes)])
        if rest > BUDGET or ends[-1] > _MOST_FAR:
            return None
        far = [slice(a, b) for a, b in pairwise(ends)]
        Q, of_Q = np.hstack(points), np.concatenate(codes)
        (spot,) = client.scatter([(Q, of_Q)], hash=False)
        parts = each(_Part.with_tree, spot)
        tree, rows = _tree(Q[:, :0], of_Q[:0], Q, of_Q)
        of_all = added(_merged, each(getattr, "row_sums")).result()
        sums = _merged([of_all, tree.row_sums(rows)], (1.0, 1.0 - len(parts)))
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = NeighbourSums(
                np.log(sums.total) - sums.nearest, np.log(sums.same) - sums.nearest, np.log(sums.same / sums.total),
                np.log(sums.total) + sums.beyond / sums.total,
            )  # fmt: skip
        of_parts = [NeighbourSums(*(values[here] for values in vars(logs).values())) for here in far]
        parts = [
            client.submit(_Part.with_terms, part, here, self._terms, self._members, pure=False)
            for part, here in zip(parts, of_parts, strict=True)
        ]
        numbers, in_order = np.sum(gathered(getattr, "numbers"), axis=0), each(getattr, "p_and_entropy")
        field_grids = grids()
        d_log = self._terms(logs, np.zeros(len(of_Q)), np.concatenate(weights))
        all_weight = d_log.d_log_z / sums.total
        same = np.divide(d_log.d_log_s, sums.same, out=np.zeros(len(of_Q)), where=sums.same > 0)
        (spot,) = client.scatter([(sums, all_weight, same)], hash=False)
        parts = each(_Part.with_far_gradient, spot)
        here_too = _far_gradient(tree, rows, sums, all_weight, same)
        d_far = added(_sum, each(getattr, "d_far")).result() - (len(parts) - 1) * here_too
        d_Y = [
            client.submit(_Part.gradient, part, groups, field_grids, d_far[:, here], frame, pure=False)
            for part, here in zip(parts, far, strict=True)
        ]
        found = client.gather(client.compute(source.tasks(gradient_in_features, everything, d_Y)))
        p, entropy = (lazy_concatenation(in_order, number, source.counts) for number in range(2))
        gradient, certain = self._rows.units * sum(found), numbers[4] == 0.0
        means = float(numbers[2]) / self._n, float(numbers[3]) / self._n
        return numbers[0], gradient, p, entropy, numbers[1] / self._total, "spectral", None, certain, means
