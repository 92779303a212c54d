"""PlainDense: every pair of a few hundred points at once, in plain numpy.

For so few points it takes no longer than the compiled loops, which need not be loaded, let alone compiled, for them.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.sums import Classes, NeighbourSums

QUICK_FOR, ENOUGH_FOR = 110, 300  # points: as quick as compiled loops, and quick enough until these are loaded
_TRUSTED = 2.5e5  # largest ‖y_i‖² up to which distances by matrix products keep nine digits of every exponent
_FEW = 6  # components, up to which differences take no longer
_TINY = 1e-200  # below it the sum over a point's class is taken again by itself


class PlainDense:
    """The sums at one Y, and gradients of objectives from them.

    Parameters
    ----------
    Y : ndarray
        (n_components, n_samples), sorted by class.
    classes : Classes
        Of these points.
    """

    name = "dense"

    def __init__(self, Y: np.ndarray, classes: Classes) -> None:
        self._Y = Y
        norms = np.einsum("ij,ij->j", Y, Y)
        self._trusted = bool(norms.max() <= _TRUSTED)
        if self._trusted and len(Y) > _FEW:
            distances = Y.T @ Y  # (n_samples, n_samples)
            distances *= -2.0
            distances += norms
            distances += norms[:, None]
            np.maximum(distances, 0.0, out=distances)
        else:
            distances = np.subtract.outer(Y[0], Y[0])
            distances *= distances
            for axis in Y[1:]:
                step = np.subtract.outer(axis, axis)
                step *= step
                distances += step
        np.fill_diagonal(distances, np.inf)
        nearest = distances.min(axis=1)
        same = classes.same
        beyond = distances
        beyond -= nearest[:, None]
        w = np.negative(beyond)
        np.exp(w, out=w)
        total = w.sum(axis=1)
        mates = w * same
        of_mates = mates.sum(axis=1)
        with np.errstate(divide="ignore"):
            log_mates = np.log(of_mates)
            far = np.flatnonzero((of_mates < _TINY) & (classes.partners > 0))
            if far.size:  # far from their own class: its nearest member comes out of the exponent
                apart = np.where(same[far] > 0, beyond[far] + nearest[far, None], np.inf)
                mate = apart.min(axis=1)
                mates[far] = np.exp(mate[:, None] - apart)
                of_mates[far] = mates[far].sum(axis=1)
                log_mates[far] = np.log(of_mates[far]) + (nearest[far] - mate)
            log_total = np.log(total)
            log_p = np.minimum(log_mates - log_total, 0.0)
        np.fill_diagonal(beyond, 0.0)
        entropy = np.maximum(log_total + np.einsum("ij,ij->i", w, beyond) / total, 0.0)
        self._w, self._total, self._mates, self._of_mates = w, total, mates, np.where(of_mates > 0, of_mates, 1.0)
        self.sums = NeighbourSums(log_total - nearest, log_mates - nearest, log_p, entropy)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective whose derivatives in log S_i and log Z_i are given."""
        force = self._w * (d_log_z / self._total)[:, None]
        force += self._mates * (d_log_s / self._of_mates)[:, None]
        force += force.T.copy()
        if self._trusted:
            return 2.0 * (self._Y @ force - self._Y * force.sum(axis=0))
        return np.stack([2.0 * np.einsum("ij,ij->i", force, axis[None, :] - axis[:, None]) for axis in self._Y])
