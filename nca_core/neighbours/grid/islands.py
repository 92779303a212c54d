"""Islands: groups of points so far apart that no point of one counts in the sums of another."""

from __future__ import annotations

from itertools import product

import numpy as np

APART = 6.0  # exp(−6²) ≈ 2e-16
_MOST_CELLS = 2.0**62
_SMALL_FOR_A_POINT = 4  # numbers up to so many for each of them have a table


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
