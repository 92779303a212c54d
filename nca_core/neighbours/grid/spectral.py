"""The spectral method, for one to three components: sums of Gaussians by way of a grid, in a time linear in n.

The grid's error is absolute, a share of the largest sum nearby. So the points with the smallest sums are
done exactly against a tree, as many as it takes to keep the summed error of log p and of the entropies in bounds, and
that of each Z_i alone.
"""

import numpy as np

from nca_core.neighbours.base.sums import Classes, NeighbourSums, for_each_unit
from nca_core.neighbours.base.threads import each
from nca_core.neighbours.grid.field_groups import Forces, Group, Groups
from nca_core.neighbours.grid.window import ERROR
from nca_core.neighbours.pairs.tree import SHARE_LOST, Singly, Tree
from nca_core.neighbours.pairs.truncated import NearPairs, uncertain

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
