"""The table of selected rows: what they were in the file, whatever their names hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.base.dataset import Dataset, Source
from pages.views.selected_rows import MOST_COLUMNS, MOST_ROWS, selected_rows

DATASET = Dataset(
    "t",
    np.arange(8.0).reshape(4, 2),
    np.array([0, -1, 1, 0]),
    ("a\u202eb", "class"),
    ("x\u202ey", "z"),
    Source("t"),
    row_numbers=np.array([2, 3, 7, 9]),
)


def test_rows_in_their_order_with_class_and_row_number():
    table = selected_rows(DATASET, [2, 1, 0])
    assert list(table.columns) == ["row ", "class ", "a\\u202eb", "class"]
    assert table.to_numpy().tolist() == [[7, "z", 4.0, 5.0], [3, "unlabelled", 2.0, 3.0], [2, "x\\u202ey", 0.0, 1.0]]


def test_a_label_of_numbers_shows_the_number():
    table = selected_rows(replace(DATASET, target=np.array([1.5, np.nan, -2.0, 4.0])), [3, 2])
    assert table["label "].tolist() == [4.0, -2.0]
    assert "class " not in table


def test_at_most_so_many_rows_and_columns():
    wide = Dataset("t", np.zeros((500, 40)), np.zeros(500, int), tuple(f"f{k}" for k in range(40)), ("x",), Source("t"))
    assert selected_rows(wide, range(500)).shape == (MOST_ROWS, MOST_COLUMNS + 2)
