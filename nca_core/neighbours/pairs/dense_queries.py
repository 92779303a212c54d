"""DenseQueries: sums of some points over all others by every pair, as matrix products, for batches of rows.

−‖y_i − y_j‖² = (2 y_i, −‖y_i‖², −1)·(y_j, 1, ‖y_j‖²) is one product for a tile of pairs. Of more than 100,000 points,
from whose batches f is only estimated, products and weights are in single precision, which halves the time: p_i and H_i
are then within 1e-4 of their exact values, log p_i only where p_i is not negligible.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nca_core.neighbours.base.sums import Classes, NeighbourSums, for_each_unit
from nca_core.neighbours.base.threads import parts_of, summed
from nca_core.neighbours.pairs.tree import Queries

MOST_IN_DOUBLE = 100_000  # points
_TILE_CELLS = 1 << 18  # pairs of a tile, which stay in the cache
_COLUMNS_FOR_A_THREAD = 4_096
# By dtype: ‖y_i‖² up to which products keep an exponent's digits; the log of a sum below which a row is done by itself;
# and a coordinate whose square can still be added up.
_TRUSTED = {np.float64: 1e6, np.float32: 400.0}
_FADED = {np.float64: -300.0, np.float32: -60.0}
_LARGEST = {np.float64: 1e100, np.float32: 1e15}


class DenseQueries:
    """The sums of some points over all others, and gradients from them; parameters as of `Queries`, which does those
    whose weights underflow and those too far out for products."""

    name = "queries"

    def __init__(self, Y: np.ndarray, classes: Classes, rows: np.ndarray) -> None:
        self._Y, self._rows = Y, rows
        self._dtype = kind = np.float64 if Y.shape[1] <= MOST_IN_DOUBLE else np.float32
        self._parts = parts_of(Y.shape[1], _COLUMNS_FOR_A_THREAD)
        first = np.flatnonzero(np.diff(classes.start[rows], prepend=-1))
        ends = np.append(first[1:], len(rows))
        # Of each class among the rows: its rows, and its columns.
        self._classes = [
            (start, end, int(classes.start[rows[start]]), int(classes.end[rows[start]]))
            for start, end in zip(first.tolist(), ends.tolist(), strict=True)
        ]
        own = Y[:, rows].clip(-_LARGEST[kind], _LARGEST[kind])
        norms = np.einsum("ij,ij->j", own, own)
        far_out = norms > _TRUSTED[kind]
        own[:, far_out] = norms[far_out] = 0.0
        self._queries = np.vstack([2.0 * own, -norms, np.full(len(rows), -1.0)]).T.astype(kind, order="C")

        def work(low: int, high: int, out: np.ndarray) -> None:
            for tile, _, minus_squares, itself in self._tiles(low, high):
                w = np.exp(minus_squares)
                minus_squares[itself] = 0.0
                out[0] += w.sum(axis=1)
                out[2] -= np.einsum("ij,ij->i", w, minus_squares)
                for block, mates in self._mates(tile):
                    out[1, block] += w[block, mates].sum(axis=1)

        Z, S, H = summed(self._parts, work, (3, len(rows)))
        with np.errstate(divide="ignore", invalid="ignore"):
            log_z, log_s = np.log(Z), np.log(S)
            self.sums = NeighbourSums(log_z, log_s, np.minimum(log_s - log_z, 0.0), np.maximum(log_z + H / Z, 0.0))
        paired = classes.partners[rows] > 0
        self._far = far_out | (log_z < _FADED[kind])
        if kind == np.float64:  # f does not change where p_i is as small as that
            self._far |= (log_s < _FADED[kind]) & paired
        self._paired, self._lost = paired & ~self._far, None
        if self._far.any():
            self._lost = Queries(Y, classes, rows[self._far])
            for name, values in vars(self._lost.sums).items():
                getattr(self.sums, name)[self._far] = values

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective with these derivatives for the rows, (n_rows,)."""
        Y, rows, kind = self._Y, self._rows, self._dtype
        d = len(Y)
        same = for_each_unit(np.where(self._paired, 2.0 * d_log_s, 0.0), self.sums.log_s).astype(kind)[:, None]
        every = for_each_unit(np.where(self._far, 0.0, 2.0 * d_log_z), self.sums.log_z).astype(kind)[:, None]
        own = np.vstack([Y[:, rows], np.ones(len(rows))])  # (d + 1, n_rows)
        at_rows = np.where(self._far, 0.0, own).astype(kind)
        result = np.empty(Y.shape)

        def work(low: int, high: int, out: np.ndarray) -> None:
            for tile, points, force, _ in self._tiles(low, high):
                np.exp(force, out=force)
                of_mates = [(place, force[place] * same[place[0]]) for place in self._mates(tile)]
                force *= every
                for place, more in of_mates:
                    force[place] += more
                towards = at_rows @ force
                np.subtract(towards[:d], towards[d] * points[:d], out=result[:, tile])
                out += force @ points[: d + 1].T

        pulls = summed(self._parts, work, (len(rows), d + 1)).T
        result[:, rows] += pulls[:d] - pulls[d] * own[:d]
        if self._lost is not None:
            result += self._lost.gradient(d_log_s[self._far], d_log_z[self._far])
        return result

    def _tiles(self, low: int, high: int) -> Iterator[tuple[slice, np.ndarray, np.ndarray, tuple[np.ndarray, ...]]]:
        """Of columns low..high a tile at a time: its columns, (y_j, 1, ‖y_j‖²) of each, −‖y_i − y_j‖² of every row, and
        where that is of a point with itself, −inf. Its arrays are used again for the next."""
        d, kind, rows = len(self._Y), self._dtype, self._rows
        width = min(high - low, max(64, _TILE_CELLS // len(rows)))
        products, points = np.empty((len(rows), width), kind), np.ones((d + 2, width), kind)
        for start in range(low, high, width):
            tile = slice(start, min(start + width, high))
            size = tile.stop - start
            if size < width:
                products, points = np.empty((len(rows), size), kind), np.ones((d + 2, size), kind)
            np.clip(self._Y[:, tile], -_LARGEST[kind], _LARGEST[kind], out=points[:d], casting="same_kind")
            np.einsum("ij,ij->j", points[:d], points[:d], out=points[d + 1])
            np.matmul(self._queries, points, out=products)
            first, last = np.searchsorted(rows, (start, tile.stop))
            itself = np.arange(first, last), rows[first:last] - start
            products[itself] = -np.inf
            yield tile, points, products, itself

    def _mates(self, tile: slice) -> Iterator[tuple[slice, slice]]:
        """The rows and, within the tile, the columns of each class that has some of both."""
        for first, last, start, end in self._classes:
            left, right = max(start, tile.start), min(end, tile.stop)
            if left < right:
                yield slice(first, last), slice(left - tile.start, right - tile.start)
