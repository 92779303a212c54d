"""What is proposed for tables as programs and people write them."""

from __future__ import annotations

import pytest

from datasets.base.errors import DataError
from datasets.columns.cells import dates_or_times
from datasets.proposals import propose
from datasets.reading import ReadOptions, read_table
from tests.datasets.planned import column_plan


def plan(names, *rows):
    text = "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)])
    return column_plan(read_table(text.encode(), "t.csv"))


@pytest.mark.parametrize("name", ["row", "index", "Unnamed: 0", "__index_level_0__", ""])
def test_row_numbers_of_shuffled_rows_are_no_feature(name):
    proposed = plan([name, "a", "label"], (7, 1.5, "x"), (2, 2.5, "y"), (9, 3.5, "x"), (4, 4.5, "y"))
    assert proposed.features == ("a",)
    assert proposed.left_out[0][1] == "it is a different number in every row, an id"


@pytest.mark.parametrize("name", ["PassengerId", "customerID", "sample_id", "Id"])
def test_ids_in_each_spelling(name):
    rows = [(k * k + 3, k + 0.5, "xy"[k % 2]) for k in range(6)]
    assert plan([name, "a", "label"], *rows).features == ("a",)


@pytest.mark.parametrize("name", ["grid", "paid", "HUMID", "column 7"])
def test_whole_numbers_under_other_names_stay(name):
    rows = [(k * k + 3, k + 0.5, "xy"[k % 2]) for k in range(6)]
    assert plan([name, "a", "label"], *rows).features == (name, "a")


@pytest.mark.parametrize(
    ("cell", "word"),
    [
        ("2024-01-05T10:00:00+02:00", "dates"),
        ("2024-01-05 10:00:00.123456", "dates"),
        ("05.01.2024", "dates"),
        ("1/5/2024 3:05 PM", "dates"),
        ("05-Jan-2024", "dates"),
        ("5. März 2024", "dates"),
        ("Jan 5, 2024", "dates"),
        ("12:30", "times"),
        ("12:30:05.5", "times"),
        ("Model 3", ""),
        ("1.5.2", ""),
        ("5 apples 2024", ""),
    ],
)
def test_dates_and_times_as_they_are_written(cell, word):
    assert dates_or_times([cell] * 3) == word


@pytest.mark.parametrize(("cell", "advised"), [("1", False), ("1:2 3:4", True)])
def test_a_single_column_is_told_to_check_the_separator_where_that_may_help(cell, advised):
    with pytest.raises(DataError, match="one column only; a label") as error:
        propose(read_table(f"a\n{cell}\n5\n".encode(), "t.csv", ReadOptions(separator=";")))
    assert ("Check the separator" in str(error.value)) == advised
