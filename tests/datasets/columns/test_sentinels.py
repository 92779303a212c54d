"""-999 among small numbers is pointed out, and gone once it is named."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.columns import build_dataset
from datasets.columns.sentinels import sentinel_note
from datasets.reading import ReadOptions, read_table
from tests.datasets.planned import column_plan


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1.0, 2.0, -999.0, 3.0], "1 cell says -999"),
        ([1.0, np.nan, -99.0, -99.0], "2 cells say -99"),
        ([-50.0, -60.0, -99.0], ""),  # a reading like the others
        ([1.0, 2.0, -998.0], ""),
        ([-999.0, -999.0], ""),
        ([np.nan, np.nan], ""),
        ([], ""),
    ],
)
def test_numbers_that_stand_for_missing_values_are_pointed_out(values, said):
    note = sentinel_note("a", np.array(values))
    assert note.startswith(f"Column 'a': {said}") if said else note == ""


def test_once_it_is_named_it_is_missing_and_no_longer_mentioned():
    text = b"a,b,label\n1,2,x\n2,3,y\n-999,4,x\n4,1,y\n5,2,x\n"
    for options, n_rows, mentioned in ((ReadOptions(), 5, True), (ReadOptions(missing=("-999",)), 4, False)):
        table = read_table(text, "t.csv", options)
        dataset = build_dataset(table, column_plan(table))
        assert dataset.n_samples == n_rows
        assert ("far below the others" in " ".join(dataset.notes)) == mentioned
