"""Source: rows of X in parts that are never in one place; LocalSource reads them in this process, a block at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from nca_core.neighbours.base.threads import Elsewhere, at_most, each

_BLOCK_CELLS = 500_000  # of a block: 4 MB
_PART_CELLS = 8_000_000  # of a part that is cut from a larger array: 64 MB
_SUMMANDS_CELLS = 50_000_000
_PARTS_AT_ONCE = 4  # however many cores: each holds a block

# work(blocks of a part, float64 and in order; n_rows of it; what it is given beside) -> what it found
Work = Callable[..., Any]
Given = Callable[[int], tuple[Any, ...]]


class Source(ABC):
    """Parts of X whose rows follow one another.

    Parameters
    ----------
    counts : sequence of int
        Rows of each part.
    n_features : int
        Columns, the same in all.
    columns : tuple of str or None
        Their names, where they have any.
    """

    elsewhere: Elsewhere | None = None  # who also takes a share of the sums over neighbours

    def __init__(self, counts: Sequence[int], n_features: int, columns: tuple[str, ...] | None = None) -> None:
        self.counts, self.n_features, self.columns = tuple(counts), n_features, columns

    @abstractmethod
    def cell(self, part: int, row: int, column: int) -> str:
        """What to call a cell in a sentence, its row counted within the part."""

    @abstractmethod
    def over(self, work: Work, given: Given, parts: range | None = None) -> list[Any]:
        """work(blocks, n_rows, *given(part)) of each of the parts (all), where it is; in their order."""

    def summed(self, work: Work, given: Given, cells: int) -> np.ndarray:
        """Σ over parts of what `work` finds, an array of so many cells, added in the order of the parts; only a few
        hundred megabytes of summands are there at once."""
        total: np.ndarray | None = None
        size, count = max(_PARTS_AT_ONCE, _SUMMANDS_CELLS // max(1, cells)), len(self.counts)
        for first in range(0, count, size):
            for found in self.over(work, given, range(first, min(first + size, count))):
                total = np.array(found) if total is None else np.add(total, found, out=total)
        assert total is not None
        return total

    def ranges(self) -> list[slice]:
        """Of the rows of each part among all rows."""
        ends = np.cumsum(self.counts).tolist()
        return [slice(end - count, end) for end, count in zip(ends, self.counts, strict=True)]


class LocalSource(Source):
    """Parts that this process reads."""

    @abstractmethod
    def blocks(self, part: int) -> Iterator[np.ndarray]:
        """Its rows in order, float64 (n_rows, n_features) at a time."""

    def over(self, work: Work, given: Given, parts: range | None = None) -> list[Any]:
        def one(part: int) -> Any:
            return work(self.blocks(part), self.counts[part], *given(part))

        with at_most(_PARTS_AT_ONCE):
            return each(one, range(len(self.counts)) if parts is None else parts)


def blocks_of(rows: Any, start: int, stop: int) -> Iterator[np.ndarray]:
    """rows[start:stop] as float64 arrays of a few megabytes; rows may be a memory map."""
    size = rows_of_a_block(rows.shape[1])
    for first in range(start, stop, size):
        yield np.asarray(rows[first : min(first + size, stop)], dtype=np.float64)


def rows_of_a_block(n_features: int) -> int:
    """How many rows are done at once."""
    return max(1, _BLOCK_CELLS // max(1, n_features))


def cut(n_rows: int, n_features: int) -> list[tuple[int, int]]:
    """Ranges of rows of at most 64 MB that cover an array of such a shape."""
    size = max(1, _PART_CELLS // max(1, n_features))
    return [(first, min(first + size, n_rows)) for first in range(0, n_rows, size)]


def check_table(name: str, shape: tuple[int, ...], dtype: np.dtype, n_features: int | None) -> None:
    """ValueError for what is no part of a table of numbers with as many columns as the first part."""
    if len(shape) != 2:
        raise ValueError(f"{name} has {len(shape)} dimension(s); a part of X must have 2: (n_rows, n_features).")
    if dtype.kind not in "fiub":
        raise ValueError(f"{name} holds {dtype} values; every part of X must hold real numbers.")
    if shape[0] == 0:
        raise ValueError(f"{name} has no rows; leave it out.")
    if n_features is not None and shape[1] != n_features:
        raise ValueError(f"{name} has {shape[1]} columns and the first part has {n_features}; all must have the same.")
