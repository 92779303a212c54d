"""Parts that are arrays or memory maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from nca_core.parts.source import LocalSource, blocks_of, check_table, cut


class ArraySource(LocalSource):
    """A list of arrays, each cut into parts of at most 64 MB.

    Parameters
    ----------
    arrays : sequence of ndarray
        Each (n_rows, n_features).
    """

    def __init__(self, arrays: Sequence[Any]) -> None:
        if isinstance(arrays, np.ndarray) or not len(arrays):
            raise ValueError("parts must be a list of arrays, (n_rows, n_features) each, and one at least.")
        self._arrays, width = [], None
        for number, array in enumerate(arrays):
            name = f"parts[{number}]"
            if hasattr(array, "toarray"):
                raise ValueError(f"{name} is sparse; parts must be dense arrays.")
            if np.ma.is_masked(array):
                raise ValueError(f"{name} has masked cells; fill them or leave out their rows first.")
            array = np.asanyarray(array)
            check_table(name, array.shape, array.dtype, width)
            width = array.shape[1]
            self._arrays.append(array)
        self._parts = [
            (number, start, stop) for number, array in enumerate(self._arrays) for start, stop in cut(*array.shape)
        ]
        super().__init__([stop - start for _, start, stop in self._parts], int(width or 0))

    def cell(self, part: int, row: int, column: int) -> str:
        number, start, _ = self._parts[part]
        return f"parts[{number}][{start + row}, {column}]"

    def blocks(self, part: int) -> Iterator[np.ndarray]:
        number, start, stop = self._parts[part]
        return blocks_of(self._arrays[number], start, stop)
