"""CompactRows: rows of text cells in a fraction of the memory that a string object a cell takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, overload

Row = tuple[str, ...]
_CELLS = 40_000  # of a block; a block is unpacked as a whole where one of its rows is asked for
_FEWEST_ROWS = 64
_MARKS = ("\0", "\x1f", "\x1e", "\x1d")


class CompactRows(Sequence[Row]):
    """Rows, all of one length, kept in blocks; of a block the cells of each column stand in one string.

    400,000 rows of nine numbers take 30 MB instead of 250, while they are collected too. The column and the block that
    were asked for last are kept unpacked.

    Parameters
    ----------
    rows : iterable of tuple of str
        Cells as text.
    """

    __slots__ = ("_blocks", "_column", "_open", "_per_block", "_skipped", "_unpacked")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._blocks: list[_Block] = []
        self._open: list[Row] = []  # the last block, while it grows
        self._per_block = 0
        self._skipped = 0  # rows at the top of the first block that are not there any more
        self.let_go()
        for row in rows:
            self.append(row)

    def let_go(self) -> None:
        """Keep nothing unpacked: a column of half a million cells takes 30 MB."""
        self._column: tuple[int, Row] = (-1, ())
        self._unpacked: tuple[int, Sequence[Row]] = (-1, ())

    def append(self, row: Row) -> None:
        """Add a row at the end, while the rows are collected and before anything is asked of them."""
        grows = self._open
        grows.append(row)
        if len(grows) == self._per_block:
            self._blocks.append(_packed(grows))
            self._open = []
        elif not self._per_block:
            self._per_block = max(_FEWEST_ROWS, _CELLS // max(1, len(row)))

    def skip(self, n: int) -> None:
        """Leave out the first `n` rows."""
        self._skipped += min(n, len(self))
        while self._blocks and self._skipped >= self._per_block:
            del self._blocks[0]
            self._skipped -= self._per_block
        self.let_go()

    def drop_last_column(self) -> None:
        """Leave out the last cell of each row."""
        self._blocks = [block[:-1] for block in self._blocks]
        self._open = [row[:-1] for row in self._open]
        self.let_go()

    def __len__(self) -> int:
        return len(self._blocks) * self._per_block + len(self._open) - self._skipped

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(place, slice):
            return tuple(self[k] for k in range(*place.indices(len(self))))
        k = range(len(self))[place] + self._skipped
        return self._block(k // self._per_block)[k % self._per_block]

    def __iter__(self) -> Iterator[Row]:
        for number in range(len(self._blocks)):
            rows = zip(*map(_cells, self._blocks[number]), strict=True)
            yield from rows if number else islice(rows, self._skipped, None)
        yield from self._open if self._blocks else self._open[self._skipped :]

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"CompactRows({tuple(self)!r})"

    def column(self, k: int) -> Row:
        """The cells of column `k`, top to bottom."""
        kept, cells = self._column
        if kept != k:
            cells = tuple(self.down(k))
            self._column = (k, cells)
        return cells

    def down(self, k: int) -> Iterator[str]:
        """The cells of column `k`, one after the other; no more is unpacked than is asked for."""
        packed = chain.from_iterable(_cells(block[k]) for block in self._blocks)
        return islice(chain(packed, (row[k] for row in self._open)), self._skipped, None)

    def cell(self, place: int, k: int) -> str:
        """One cell; of a wide table much quicker than its whole row."""
        number, row = divmod(range(len(self))[place] + self._skipped, self._per_block)
        return self._open[row][k] if number == len(self._blocks) else _cells(self._blocks[number][k])[row]

    @property
    def n_bytes(self) -> int:
        """What they take, about; a cell that is not packed counts as 60."""
        unpacked = 60 * len(self._column[1])
        packed = sum(
            len(each.text) if isinstance(each, _Packed) else 60 * len(each) for block in self._blocks for each in block
        )
        return packed + unpacked + 60 * sum(map(len, self._open))

    def pieces(self) -> Iterator[Any]:
        """What `joined` makes the same rows of again, in pieces that JSON can carry one by one."""
        yield [self._per_block, self._skipped, len(self._blocks)]
        for block in self._blocks:
            yield [each._asdict() if isinstance(each, _Packed) else each for each in block]
        yield self._open

    @classmethod
    def joined(cls, pieces: Iterator[Any]) -> CompactRows:
        """The rows that these pieces come from."""
        rows = cls()
        rows._per_block, rows._skipped, n_blocks = next(pieces)
        for block in islice(pieces, n_blocks):
            rows._blocks.append(tuple(_Packed(**each) if isinstance(each, dict) else tuple(each) for each in block))
        rows._open = [tuple(row) for row in next(pieces)]
        return rows

    def _block(self, number: int) -> Sequence[Row]:
        if number == len(self._blocks):
            return self._open
        kept, rows = self._unpacked
        if kept != number:
            rows = tuple(zip(*map(_cells, self._blocks[number]), strict=True))
            self._unpacked = (number, rows)
        return rows


class _Packed(NamedTuple):
    """Cells with a mark between them that is in none."""

    mark: str
    text: str


_Block = tuple[_Packed | Row, ...]


def _packed(rows: Sequence[Row]) -> _Block:
    """Each column packed, or its cells as they are where every mark is in one of them."""
    return tuple(map(_joined, zip(*rows, strict=True)))


def _joined(cells: Row) -> _Packed | Row:
    for mark in _MARKS:
        text = mark.join(cells)
        if text.count(mark) == len(cells) - 1:
            return _Packed(mark, text)
    return cells


def _cells(packed: _Packed | Row) -> Sequence[str]:
    return packed.text.split(packed.mark) if isinstance(packed, _Packed) else packed
