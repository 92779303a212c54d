"""CompactRows against tuples of tuples: equal in every way of asking, and a fraction of the memory."""

from __future__ import annotations

import random
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.columns import describe_columns
from datasets.reading.compact_rows import CompactRows
from datasets.reading.table import Table

CELLS = st.text(max_size=3) | st.sampled_from(["\0", "\x1f", "\x1e\0", "\0\x1f\x1e\x1d", "", "é", "\n", "\U0001f600"])
ROWS = st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), max_size=9))


@given(ROWS, st.slices(9))
def test_they_are_what_was_given(rows, part):
    compact = CompactRows(rows)
    assert tuple(compact) == tuple(rows)
    assert len(compact) == len(rows)
    assert compact == rows
    assert compact[part] == tuple(rows[part])
    assert [compact[k] for k in range(-len(rows), len(rows))] == [*rows, *rows]
    for k in range(len(rows[0]) if rows else 0):
        assert compact.column(k) == tuple(row[k] for row in rows)
    with pytest.raises(IndexError):
        compact[len(rows)]


@pytest.mark.parametrize("width", [1, 9, 3_000])
def test_blocks_meet_without_a_seam(width):
    n = 200 if width == 3_000 else 9_000
    rows = [tuple(f"{k}.{j}" for j in range(width)) for k in range(n)]
    compact = CompactRows(rows)
    assert list(compact) == rows
    places = random.Random(0).sample(range(n), 40)
    assert [compact[k] for k in places] == [rows[k] for k in places]
    assert compact[n - 130 : n - 60] == tuple(rows[n - 130 : n - 60])
    for j in (0, width - 1):
        assert compact.column(j) == tuple(row[j] for row in rows)
        assert list(compact.down(j)) == [row[j] for row in rows]
        assert [compact.cell(k, j) for k in places] == [rows[k][j] for k in places]


@pytest.mark.parametrize("width", [1, 9])
@pytest.mark.parametrize("n", [0, 3, 70, 5_000, 41_000])
@pytest.mark.parametrize("gone", [0, 1, 4, 66, 4_500, 60_000])
def test_rows_at_the_top_are_left_out_and_so_is_the_last_column(width, n, gone):
    rows = [tuple(f"{k}.{j}" for j in range(width)) for k in range(n)]
    compact = CompactRows(rows)
    compact.skip(gone)
    left = rows[gone:]
    assert len(compact) == len(left)
    assert list(compact) == left
    assert compact[:3] == tuple(left[:3])
    assert compact[-3:] == tuple(left[-3:])
    assert [compact.cell(k, 0) for k in range(-len(left), len(left), 999)] == [row[0] for row in (left + left)[::999]]
    assert compact.column(width - 1) == tuple(row[-1] for row in left)
    compact.skip(2)
    compact.drop_last_column()
    assert list(compact) == [row[:-1] for row in left[2:]] or width == 1
    if width > 1 and len(left) > 2:
        assert compact.column(width - 2) == tuple(row[-2] for row in left[2:])
        assert compact[0] == left[2][:-1]


def test_two_that_differ_in_one_cell_or_in_length_are_not_equal():
    rows = [(str(k), "x") for k in range(5_000)]
    assert CompactRows(rows) == CompactRows(iter(rows))
    assert CompactRows(rows) != CompactRows([*rows[:-1], ("4999", "y")])
    assert CompactRows(rows) != rows[:-1]


def test_a_long_table_takes_a_fraction_of_what_its_cells_take_as_objects():
    tracemalloc.start()
    try:
        rng = random.Random(0)
        rows = [tuple(f"{rng.random():.5f}" for _ in range(9)) for _ in range(20_000)]
        as_objects = tracemalloc.get_traced_memory()[0]
        table = Table("t.csv", tuple("abcdefghi"), rows, tuple(range(20_000)), ".", ())
        del rows
        assert as_objects > 20_000 * 9 * sys.getsizeof("0.12345")
        assert tracemalloc.get_traced_memory()[0] < as_objects / 3
        assert len(table.rows) == 20_000
    finally:
        tracemalloc.stop()


def test_the_column_asked_for_last_is_not_split_again_and_only_that_one_is_held():
    table = Table("t.csv", ("a", "b"), [(str(k), "x") for k in range(3)], (2, 3, 4), ".", ())
    assert table.column("a") is table.column("a")
    first = table.column("a")
    table.column("b")
    assert table.column("a") is not first
    with pytest.raises(KeyError):
        table.column("c")


def test_a_wide_table_is_looked_over_without_unpacking_its_rows_for_each_column(monkeypatch):
    n = 1_500
    rows = [(*(f"{(k * j) % 97}" for j in range(1, n + 1)), "xy"[k % 2]) for k in range(70)]
    table = Table("t.csv", (*(f"c{j}" for j in range(n)), "label"), rows, tuple(range(70)), ".", ())
    unpacked = []
    plain = CompactRows._block

    def counting(self, number):
        if self._unpacked[0] != number < len(self._blocks):
            unpacked.append(number)
        return plain(self, number)

    monkeypatch.setattr(CompactRows, "_block", counting)
    monkeypatch.setattr(CompactRows, "__iter__", lambda self: pytest.fail("all rows were unpacked"))
    describe_columns(table)
    assert len(unpacked) < 5


def test_marks_between_cells_may_stand_in_cells():
    odd = ["\0", "a\x1fb", "\0\x1f\x1e\x1d", "", "plain"]
    rows = [tuple(odd[(k * 7 + row) % 5 if k % 3 else 4] for k in range(600)) for row in range(200)]  # three blocks
    compact = CompactRows(rows)
    assert tuple(compact) == tuple(rows)
    assert compact.column(4) == tuple(row[4] for row in rows)


def test_what_is_unpacked_counts_and_is_let_go():
    table = Table("t", ("a", "b"), CompactRows((str(k), "x") for k in range(100_000)), tuple(range(100_000)), ".", ())
    before = table.n_bytes
    assert table.column("a")[-1] == "99999"
    assert table.n_bytes > before + 5_000_000
    table.let_go()
    assert table.n_bytes == before
    assert table.column("a")[-1] == "99999"
