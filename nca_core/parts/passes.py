"""One pass over the rows of a part of X, which gives a small result for the caller to add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

Blocks = Iterator[np.ndarray]

_LARGEST_SINGLE = 1e30  # of A in float32; a line search may ask for more, and takes no such step


@dataclass(frozen=True)
class Look:
    """What a first look at rows finds; arrays are (n_features,)."""

    count: int  # rows
    bad: tuple[int, int, float] | None  # row, column and value of the first cell that is not finite or beyond the limit
    lowest: np.ndarray  # of each feature
    highest: np.ndarray
    mean: np.ndarray
    squares: np.ndarray  # Σ_i (x_i − mean)²

    def and_(self, other: Look) -> Look:
        """Of both together; the squares as in Chan, Golub and LeVeque (1983), eq. 2.1."""
        n = self.count + other.count
        apart = other.mean - self.mean
        return Look(
            n,
            self.bad,
            np.minimum(self.lowest, other.lowest),
            np.maximum(self.highest, other.highest),
            self.mean + apart * (other.count / n),
            self.squares + other.squares + apart**2 * (self.count * other.count / n),
        )


def look(blocks: Blocks, n_rows: int, limit: float) -> Look:
    """At the rows of a part; it ends with the first cell that is no number within the limit."""
    found: Look | None = None
    for block in blocks:
        lowest, highest = block.min(axis=0), block.max(axis=0)
        if not (np.all(lowest >= -limit) and np.all(highest <= limit)):  # NaN fails both
            row, column = (int(k) for k in np.argwhere(~(np.abs(block) <= limit))[0])
            bad = (row + (found.count if found else 0), column, float(block[row, column]))
            return Look(n_rows, bad, lowest, highest, lowest, lowest)
        mean = block.mean(axis=0)
        here = Look(len(block), None, lowest, highest, mean, np.sum((block - mean) ** 2, axis=0))
        found = here if found is None else found.and_(here)
    assert found is not None
    return found


@dataclass(frozen=True)
class Frame:
    """How an evaluation shifts and scales rows: x becomes (x − centre) / units, both (n_features,), in `dtype`."""

    centre: np.ndarray
    units: np.ndarray
    dtype: str = "float64"

    def of(self, block: np.ndarray) -> np.ndarray:
        result = block - self.centre
        result /= self.units
        return result.astype(self.dtype, copy=False)


def project(blocks: Blocks, n_rows: int, frame: Frame, A: np.ndarray) -> np.ndarray:
    """Y = A Xᵀ of the part's rows, float64 (n_components, n_rows)."""
    Y, done = np.empty((len(A), n_rows)), 0
    for block in blocks:
        np.matmul(A, frame.of(block).T, out=Y[:, done : done + len(block)])
        done += len(block)
    return Y


def pull(blocks: Blocks, n_rows: int, frame: Frame, d_Y: np.ndarray) -> np.ndarray:
    """The part's share of ∂F/∂A = ∂F/∂Y X, (n_components, n_features), from ∂F/∂Y of its rows."""
    total, done = 0.0, 0
    for block in blocks:
        here = d_Y[:, done : done + len(block)].astype(frame.dtype, copy=False)
        total = total + (here @ frame.of(block)).astype(np.float64)
        done += len(block)
    return np.asarray(total)


def scatter(blocks: Blocks, n_rows: int, centre: np.ndarray) -> np.ndarray:
    """Σ_i (x_i − centre)(x_i − centre)ᵀ, (n_features, n_features)."""
    total = np.zeros((len(centre), len(centre)))
    for block in blocks:
        apart = block - centre
        total += apart.T @ apart
    return total


def class_sums(blocks: Blocks, n_rows: int, centre: np.ndarray, members: np.ndarray, n_classes: int) -> np.ndarray:
    """Σ_{i in class} (x_i − centre), (n_classes, n_features); `members` below 0, (n_rows,), have no class."""
    from scipy.sparse import csr_array

    total, done = np.zeros((n_classes, len(centre))), 0
    for block in blocks:
        code = members[done : done + len(block)]
        labelled = np.flatnonzero(code >= 0)
        whose = csr_array((np.ones(len(labelled)), (code[labelled], labelled)), shape=(n_classes, len(block)))
        total += whose @ (block - centre)
        done += len(block)
    return total


def within(blocks: Blocks, n_rows: int, means: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Σ_i (x_i − mean of its class)(x_i − mean of its class)ᵀ, (n_features, n_features), over rows with a class."""
    total, done = np.zeros((means.shape[1], means.shape[1])), 0
    for block in blocks:
        code = members[done : done + len(block)]
        apart = (block - means[code])[code >= 0]
        total += apart.T @ apart
        done += len(block)
    return total


def take(blocks: Blocks, n_rows: int, rows: np.ndarray, n_features: int) -> np.ndarray:
    """Some rows of the part, rising, (n_taken, n_features)."""
    found, done = [np.empty((0, n_features))], 0
    for block in blocks if len(rows) else ():
        first, last = np.searchsorted(rows, (done, done + len(block)))
        found.append(block[rows[first:last] - done])
        done += len(block)
        if last == len(rows):
            break
    return np.concatenate(found)


def within_single(A: np.ndarray) -> np.ndarray:
    """A in float32, without infinities."""
    return np.clip(A, -_LARGEST_SINGLE, _LARGEST_SINGLE).astype(np.float32)
