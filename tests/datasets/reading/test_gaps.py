"""Rows between blanks that lack a cell."""

import pytest

from datasets.reading import ReadOptions, read_table

ROWS = [
    f"V{k} {'ab' if k % 2 else 'c'} 0.{k} {k * k if k % 3 else '-'} {'low' if k % 4 else 'high'} {k % 5}.5"
    for k in range(20)
]


@pytest.mark.parametrize(
    ("odd", "row"),
    [
        ("V77ab 0.7 49 low 2.5", ("V77ab", "", "0.7", "49", "low", "2.5")),
        ("V77 ab 0.7 low 2.5", ("V77", "ab", "0.7", "", "low", "2.5")),
        ("V77 ab 0.7 49 low", ("V77", "ab", "0.7", "49", "low", "")),
        ("0.7 49 low 2.5", ("", "", "0.7", "49", "low", "2.5")),
        ("V77 ab 0.7", ("V77", "ab", "0.7", "", "", "")),
    ],
)
def test_the_gap_of_a_short_row_is_where_its_cells_are_as_those_of_the_other_rows(odd, row):
    table = read_table("\n".join([*ROWS[:10], odd, *ROWS[10:]]).encode(), "t.dat")
    assert (table.row(10), table.short_lines) == (row, (11,))
    assert read_table("\n".join([*ROWS[:10], odd, *ROWS[10:]]).replace(" ", ";").encode(), "t.csv").row(10)[-1] == ""


def test_the_gap_of_a_row_of_numbers_is_at_its_end():
    rows = [f"{k} {k * k} {k}.5" for k in range(20)]
    text = "\n".join(["a b c", *rows, "3 4"])
    assert read_table(text.encode(), "t.dat", ReadOptions(separator=" ")).rows[-1] == ("3", "4", "")
