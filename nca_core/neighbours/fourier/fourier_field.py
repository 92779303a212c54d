"""Sums of Gaussians over many points at those same points, by the non-uniform fast Fourier transform.

On a period P that is longer than the points' extent by the reach of the Gaussian (Poisson's summation formula),

    exp(−r²) = Σ_m ĝ_m exp(2πi m r / P),   ĝ_m = (√π / P) exp(−(π m / P)²)   for each axis,

so Σ_j s_j exp(−‖y_i − y_j‖²) is a transform of the strengths s to modes, a product with ĝ, and a transform back.
"""

from __future__ import annotations

import numpy as np

_SPARE = 1.02
_COARSE_FROM = {1: 2.0, 2: 2.0, 3: 5.0}  # modes a point, by number of components
_MOST_HALF = 2.0**40  # far beyond what any grid can hold; larger numbers do not fit into 64 bits
_FINEST_ON_A_COARSE_GRID = 5e-13  # the widest kernel there is reaches no further


def n_modes(extent: np.ndarray, tolerance: float) -> np.ndarray:
    """Modes that points of this extent need, an odd number for each axis, (n_components,)."""
    half = np.ceil(_period(extent, tolerance) * np.sqrt(-np.log(tolerance)) / np.pi)
    half = np.minimum(half, _MOST_HALF)
    return 2 * half.astype(np.int64) + 1


def _period(extent: np.ndarray, tolerance: float) -> np.ndarray:
    return (extent + np.sqrt(-np.log(tolerance))) * _SPARE


class FourierField:
    """The transforms for one set of points.

    Parameters
    ----------
    Y : ndarray
        (n_components, n_points), n_components ≤ 3.
    tolerance : float
        Asked of the transforms, relative to the largest sums.
    """

    def __init__(self, Y: np.ndarray, tolerance: float) -> None:
        import finufft

        self.n_points = Y.shape[1]
        low, high = Y.min(axis=1), Y.max(axis=1)
        period = _period(high - low, tolerance)  # (n_components,)
        modes = n_modes(high - low, tolerance)
        d = len(period)
        # A grid of 1.5 instead of 2 points a mode costs wider spreading and saves FFT: right where modes are many.
        fine = (
            tolerance < _FINEST_ON_A_COARSE_GRID or np.prod(modes.astype(np.float64)) < _COARSE_FROM[d] * self.n_points
        )
        self._plan = finufft.Plan(
            1,
            tuple(int(m) for m in modes),
            eps=tolerance,
            isign=-1,
            # Groups are transformed side by side. Threads within one would add in an order that changes, and
            # OpenMP's do not survive a fork.
            nthreads=1,
            upsampfac=2.0 if fine else 1.5,
        )
        middle = (low + high) / 2
        self._plan.setpts(*((Y[axis] - middle[axis]) * (2 * np.pi / period[axis]) for axis in range(d)))
        self._waves = []  # wave numbers of each axis, shaped to broadcast over the modes
        self._gaussian = []  # ĝ is the product of these, one for each axis, shaped likewise
        for axis in range(d):
            m = np.arange(modes[axis]) - modes[axis] // 2
            shape = [1] * d
            shape[axis] = -1
            self._waves.append((2 * np.pi / period[axis] * m).reshape(shape))
            one = np.sqrt(np.pi) / period[axis] * np.exp(-((np.pi * m / period[axis]) ** 2))
            self._gaussian.append(one.reshape(shape))

    def modes_of(self, strengths: np.ndarray) -> np.ndarray:
        """Σ_j s_j exp(−i k y_j) for every mode; strengths are (n_points,): two real sets travel as one."""
        return self._plan.execute(np.asarray(strengths, dtype=np.complex128))

    def smooth(self, modes: np.ndarray) -> np.ndarray:
        """The modes times ĝ, in their place: a grid of millions is the largest thing there is."""
        for one in self._gaussian:
            modes *= one
        return modes

    def pack_squared(self, modes: np.ndarray) -> np.ndarray:
        """The modes times 1 + i q, in their place, where q turns exp(−r²) into r² exp(−r²): for real strengths both
        sums then travel as real and imaginary part."""
        waves = [wave.ravel() for wave in self._waves]
        rest = sum((self._waves[axis] ** 2 for axis in range(1, len(waves))), start=np.zeros((1,) * len(waves)))
        for place, k in enumerate(waves[0]):
            modes[place] *= 1.0 + 1j * (len(waves) / 2 - (k * k + rest[0]) / 4)
        return modes

    def at_points(self, modes: np.ndarray) -> np.ndarray:
        """Σ_m modes_m exp(i k y_i) at every point, complex, (n_points,)."""
        return self._plan.execute_adjoint(np.ascontiguousarray(modes))

    def along(self, axis: int) -> np.ndarray:
        """The factor that turns exp(−‖y_i − y_j‖²) into (y_j − y_i) exp(−‖y_i − y_j‖²) on an axis."""
        return 0.5j * self._waves[axis]
