"""Numbers at fixed widths without blanks between them."""

import pytest

from datasets.reading import read_table
from datasets.reading.glued import glued_cells

NUMBERS = [(k, k * k * 7 % 25 - 3, k * 37 % 400, k * 5.5, 100 + k * k / 4) for k in range(1, 13)]
ROWS = ["{:3d}{:3d}{:3d}{:5.1f}{:5.1f}".format(*row) for row in NUMBERS]


def read(*lines):
    return read_table("\n".join(lines).encode(), "t.dat")


def test_columns_are_cut_where_numbers_end_in_other_lines():
    table = read("# an index of days", *ROWS)
    assert ROWS[10] == " 11 19  7 60.5130.2"
    assert table.rows[10] == ("11", "19", "7", "60.5", "130.2")
    assert (table.columns[0], table.n_rows, table.line_numbers[0], table.title) == ("column 1", 12, 2, "")
    assert table.notes[0].startswith("Some numbers have no blank between them")


@pytest.mark.parametrize(("names", "first"), [("# day kind n low high", "day"), ("day low high", "column 1")])
def test_a_line_of_as_many_words_names_the_columns(names, first):
    assert read(names, *ROWS).columns[0] == first


def test_one_line_with_glued_numbers_is_read_as_the_others():
    rows = [f"2023 10 {k:02d}  {k * k % 7:2d}{k % 3:2d}{k % 2:2d}   {k:2d}" for k in range(10, 30)]
    assert read(*rows, "2023 10 30  -1-1-1   -1").rows[-1] == ("2023", "10", "30", "-1", "-1", "-1", "-1")


@pytest.mark.parametrize(
    "lines",
    [
        ["{:3d} {:3d} {:3d}".format(*row) for row in NUMBERS],  # blanks cut all lines
        [f"{a:4d}{b if a % 4 else '':>4}{c:>6}" for a, b, c, *_ in NUMBERS],  # gaps, and no numbers side by side
        [f"{a:<4d}{b if a % 4 else '':<4}{c:03d}" for a, b, c, *_ in NUMBERS],  # that begin their columns
        [f"2024-01-{a:02d} {a * a % 90:2d}{a:2d}" for a in range(10, 30)],  # dates
        ROWS[:9],
        [*ROWS, "a remark"],
    ],
)
def test_other_lines_of_numbers_are_not_cut(lines):
    assert glued_cells("\n".join(lines)) is None


@pytest.mark.parametrize(("n_lines", "n_gaps", "is_known"), [(10, 0, True), (20, 2, True), (20, 3, False)])
def test_ten_lines_are_enough_and_a_tenth_of_a_column_may_be_blank(n_lines, n_gaps, is_known):
    numbers = [(k, k * 37 % 400, 100 + k * k / 4) for k in range(1, n_lines + 1)]
    rows = [f"{a:3d}{'' if k < n_gaps else b:>3}{c:6.1f}" for k, (a, b, c) in enumerate(numbers)]
    assert (glued_cells("\n".join(rows)) is not None) == is_known
