"""The window that carries points to a grid and back, and the filter between, which together make a Gaussian.

With a window φ that reaches over 16 places of a grid of spacing h and the numbers K_r of a filter,

    exp(−(x − y)²) ≈ Σ_l Σ_m φ(x/h − l) K_{l−m} φ(m − y/h)   for each axis,

within ERROR, wherever x and y lie between the places. No transform is needed: a Gaussian ends soon, and so does K.

The compiled loops take these numbers in: after a change here delete the `__pycache__` of this folder (numba renews its
cache when the file of a loop changes, not when a file that it imports does).
"""

from functools import lru_cache
from typing import Any

import numpy as np

SPACING = 0.27  # h, in the unit of Y
WIDTH = 16  # places that a window reaches over, which are two vectors of 512 bits
REACH = 13  # K_r is 0 for |r| beyond
FELT = (WIDTH + REACH) * SPACING  # how far apart two points may feel each other, 7.83 in Y
ERROR = 2e-13  # the most that the sum above differs from the Gaussian; its derivatives differ by 2e-12 and 3e-11
FAR_ERROR = 3e-14  # the same beyond 2, and beyond 6 there is none
CELL = 4 * SPACING  # width of the cells in which points are counted for a bound on the error
DEGREE = 9  # of the polynomials that approximate the window between two places
_SHAPE = 2.3 * WIDTH  # of the Kaiser-Bessel window, for which second derivatives are best at this spacing
_ASKED = 16  # places of x at which the filter is fitted
_FAR = 29  # places from x within which y lies then


@lru_cache(maxsize=1)
def polynomials() -> np.ndarray:
    """Polynomials in s from −1 to 1 of the window and of its first and second derivative in the unit of Y, highest
    powers first, (3, DEGREE + 1, WIDTH): column k is for place k of those that a point reaches, where the point is
    (s + 1)/2 beyond place WIDTH/2 − 1."""
    from numpy.polynomial import Polynomial
    from numpy.polynomial.chebyshev import chebpts1

    numbers = np.empty(3 * (DEGREE + 1) * WIDTH + 8)
    first = (-(numbers.ctypes.data // 8)) % 8  # where a line of the processor's cache begins
    result = numbers[first : first + 3 * (DEGREE + 1) * WIDTH].reshape(3, DEGREE + 1, WIDTH)
    s = chebpts1(DEGREE + 1)
    for k in range(WIDTH):
        for order, values in enumerate(_window((s + 1) / 2 + (WIDTH // 2 - 1) - k)):
            powers: Any = Polynomial.fit(s, values, DEGREE, domain=(-1, 1))
            result[order, :, k] = powers.coef[::-1] / SPACING**order
    return result


@lru_cache(maxsize=1)
def filter_numbers() -> np.ndarray:
    """K_0 to K_REACH, (REACH + 1,), by least squares over places of x and y."""
    x = np.arange(_ASKED) / _ASKED
    y = np.arange(-_FAR, _FAR, 0.37)
    places = np.arange(-_FAR - WIDTH - REACH, _FAR + WIDTH + REACH + 1)
    from_x, from_y = _window(x[:, None] - places)[0], _window(y[:, None] - places)[0]

    def shifted(r: int) -> np.ndarray:
        return np.roll(from_x, r, axis=1) @ from_y.T

    columns = [shifted(0)] + [shifted(r) + shifted(-r) for r in range(1, REACH + 1)]
    matrix = np.stack([column.ravel() for column in columns], axis=1)
    gaussian = np.exp(-(((x[:, None] - y) * SPACING) ** 2))
    return np.linalg.lstsq(matrix, gaussian.ravel(), rcond=1e-15)[0]


@lru_cache(maxsize=1)
def errors_of_cells() -> tuple[np.ndarray, np.ndarray]:
    """Bounds on the Gaussian and on its error along an axis for points −6 to 6 cells apart, each (13,)."""
    least = np.maximum(np.abs(np.arange(-6, 7)) - 1, 0) * CELL
    return np.exp(-(least**2)), np.where(least < 2.0, ERROR, FAR_ERROR)


def _window(t: np.ndarray) -> np.ndarray:
    """φ(t) = I0(β r)/I0(β) with r = √(1 − τ²), τ = 2t/WIDTH, and its two derivatives; 0 beyond |τ| = 1."""
    from scipy.special import iv

    tau = 2.0 * t / WIDTH
    r = np.sqrt(np.maximum(1.0 - tau**2, 1e-12))
    bend = _SHAPE**2 * tau**2 * iv(2, _SHAPE * r) / r**2
    found = np.stack([iv(0, _SHAPE * r), -_SHAPE * tau * iv(1, _SHAPE * r) / r, bend - _SHAPE * iv(1, _SHAPE * r) / r])
    unit = np.reshape([1.0, 2.0 / WIDTH, (2.0 / WIDTH) ** 2], (3,) + (1,) * t.ndim)
    return np.where(np.abs(tau) <= 1.0, found * unit / iv(0, _SHAPE), 0.0)
