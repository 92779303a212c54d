"""-999 among small numbers is pointed out, and gone once it is named."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.columns.cells import sentinel_note


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
