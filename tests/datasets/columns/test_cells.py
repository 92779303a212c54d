"""Numbers of a whole column at once against the same cells taken one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from datasets.base.errors import DataError
from datasets.columns.cells import cleaned_number, column_numbers, levels_of, numbers_of
from datasets.reading import Table, is_missing

ODD = [
    "1",
    "-2.5",
    "1e3",
    "1,234",
    "1.234",
    "1 234",
    "7%",
    "−4",
    "NA",
    "",
    "?",
    "inf",
    "1_0",
    "nan",
    "-nan",
    "word",
    "0x1",
    "½",
]


def table_of(cells, decimal):
    return Table("t", ("a",), tuple((cell,) for cell in cells), tuple(range(1, len(cells) + 1)), decimal, ())


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(ODD), st.floats().map(repr)), min_size=1), st.sampled_from([".", ","]))
@example(["1.234", "2"], ",")
@example(["1,5", "2"], ",")
def test_at_once_is_as_one_by_one(cells, decimal):
    numbers = numbers_of(table_of(cells, decimal), "a")
    for k, cell in enumerate(cells):
        value = None if is_missing(cell) else cleaned_number(cell, decimal)[0]
        assert numbers.gaps[k] == is_missing(cell)
        assert numbers.words[k] == (value is None and not is_missing(cell))
        np.testing.assert_equal(numbers.values[k], math.nan if value is None else value)


def test_the_first_wrong_cell_is_named():
    with pytest.raises(DataError, match=r"t, line 3, column 'a': '1e999' is infinite"):
        column_numbers(table_of(["1", "NA", "1e999", "word"], "."), "a")


def test_a_second_question_finds_the_same_array():
    table = table_of(["1", "2"], ".")
    assert numbers_of(table, "a") is numbers_of(table, "a")


@pytest.mark.parametrize(
    ("cell", "last"), [("{k}.5", 4_999.5), ("{k},5", 4_999.5), ("{k} kg", 4_999.0), ("w{k}", None)]
)
def test_a_long_column_is_gone_through_a_few_cells_at_a_time(cell, last, monkeypatch):
    """What C goes through in one go keeps every other thread of the server waiting."""
    counts, fromiter = [], np.fromiter

    def counted(given, *, count, **more):
        counts.append(count)
        return fromiter(given, count=count, **more)

    monkeypatch.setattr(np, "fromiter", counted)
    words = [cell.format(k=k % 5_000) for k in range(25_000)]
    made = Table("t", ("a",), [(word,) for word in words], tuple(range(25_000)), "," if "," in cell else ".", ())
    numbers, levels = numbers_of(made, "a"), levels_of(made, "a")
    assert max(counts) == 10_000
    assert [levels.values[code] for code in levels.codes] == words
    assert numbers.words[-1] if last is None else numbers.values[-1] == last
