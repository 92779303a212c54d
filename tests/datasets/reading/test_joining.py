"""Tests of which sheets of a workbook are joined."""

import pytest

from datasets.reading import ReadOptions, read_table
from tests.datasets.files import workbook


def sheet(names, n_rows=12):
    return [["county", *names], *([f"c{k}", *(k * j % 7 + k for j in range(len(names)))] for k in range(n_rows))]


@pytest.mark.parametrize(
    ("names", "joined"),
    [("abcdefg", True), ("abcd", True), ("abc", False), ("abcdeklm", False)],
)
def test_a_sheet_with_at_least_half_of_the_columns_and_no_others_is_joined(names, joined):
    data = workbook(north=sheet("abcdefgh"), south=sheet("abcdefgh"), east=sheet(names), about=[["Read"], ["me"]])
    table = read_table(data, "t.xlsx")
    assert table.alike == ("north", "south", *["east"] * joined)
    table = read_table(data, "t.xlsx", ReadOptions(all_sheets=True))
    assert table.n_rows == 24 + 12 * joined
    assert table.notes[0].endswith(f" Not joined: {'' if joined else repr('east') + ', '}'about'.")
