"""Blocks below names that come again, in a sheet."""

import pytest

from datasets.reading import ReadOptions, read_table
from datasets.reading.stacked import stacked_blocks
from tests.datasets.files import workbook

NAMES = ("age", "n", "low", "0.95", "C.I.")


def block(*titles, names=NAMES, n=4):
    """Rows of ages; titles in two cells each."""
    above = [("", *title.split("|"), *[""] * 4)[: len(names)] for title in titles]
    rows = ((f"{k} to {k + 5}", f"{k * 7}", *(f"{k}.{len(name)}" for name in names[2:])) for k in range(n))
    return [*above, names, *rows]


def test_blocks_below_names_that_come_again_are_one_table_with_their_titles():
    wide = ("age", "n", "high", "0.95", "C.I.")
    parts = [block(*titles, names=names) for titles in (["men|all", "weight"], ["size"]) for names in (NAMES, wide)]
    parts += [block("women|all", "weight"), block("size", names=wide)]
    table = read_table(workbook(one=[row for part in parts for row in part]), "t.xlsx")
    assert table.columns == ("heading", "heading (2)", "age", "n", "low", "0.95", "C.I.", "high")
    assert (table.n_rows, table.line_numbers[:5].tolist()) == (24, [4, 5, 6, 7, 11])
    assert table.rows[9][:4] == ("men all", "size", "1 to 6", "7")
    assert table.rows[-1] == ("women all", "size", "3 to 8", "21", "", "3.4", "3.4", "3.4")
    assert table.notes == (
        "The rows stand in 6 blocks below names that come again; these were left out. The titles of each block are its "
        "cells in 'heading', 'heading (2)'.",
    )
    said = read_table(workbook(one=[row for part in parts for row in part]), "t.xlsx", ReadOptions(header_lines=3))
    assert said.n_rows > 24


def rows_of(*blocks):
    return [tuple(map(str, row)) for each in blocks for row in each]


@pytest.mark.parametrize(
    ("rows", "n_rows"),
    [
        (rows_of(block("2019"), block("2020"), block("2021")), 12),
        (rows_of(block(), block(), block()), 12),
        (rows_of(block("2019"), block("2020")), None),  # twice only
        (rows_of(block("x", n=2), block("y", n=2), block("z", n=2)), 6),
        (rows_of(block("x", n=1), block("y", n=1), block("z", n=1)), None),  # single rows
        (rows_of(block(*["remark"] * 6), block("y"), block("z")), None),  # far down
        (rows_of(*(block(k, names=("age", "n", "low", "top")) for k in "xyz")), None),  # names that differ
        ([(f"id {k}", "grey", "x", "y", str(k % 2)) for k in range(3)] * 4, None),  # rows that come again
    ],
)
def test_three_blocks_or_more_of_two_rows_or_more(rows, n_rows):
    found = stacked_blocks(rows, list(range(len(rows))))
    assert (None if found is None else len(found[1])) == n_rows


def curve(title, names=("Cycles", "dRn"), n=4):
    return [(title, *names), *(("", str(k), f"0.{k}{len(title)}") for k in range(1, n + 1))]


def test_the_first_cell_of_names_that_come_again_is_the_title_of_its_block():
    sheet = [("Plots", "", ""), *(row for title in ("A1, wild", "A2, wild", "B1, ntc 2") for row in curve(title))]
    table = read_table(workbook(one=sheet), "t.xlsx")
    assert (table.columns, table.n_rows) == (("heading", "heading (2)", "Cycles", "dRn"), 12)
    assert [row[1] for row in table.rows[3:5]] == ["A1, wild", "A2, wild"]
    assert table.line_numbers[:5].tolist() == [3, 4, 5, 6, 8]


@pytest.mark.parametrize(
    "blocks",
    [
        (curve("a"), curve("b")),  # twice only
        (curve("a"), curve("b", ("Cycles", "Rn")), curve("c")),
        ([("a", "p", "q"), ("x", "1", "2"), ("y", "3", "4")] * 3,),  # names in the rows below
        ([("a", "p", "q"), ("", "r", "2"), ("", "3", "4")] * 3,),  # words there
    ],
)
def test_other_rows_with_words_have_no_titles_in_them(blocks):
    rows = rows_of(*blocks)
    assert stacked_blocks(rows, list(range(len(rows)))) is None


def test_titles_in_the_first_column_are_no_first_cells_of_names():
    names = ("", "n", "low", "low", "C.I.")
    parts = [[(title, *[""] * 4), *block(names=names)] for title in ("men", "women", "all")]
    rows = rows_of(*[[("", *map(str, row[1:])) if k > 1 else row for k, row in enumerate(part)] for part in parts])
    columns, found, *_ = stacked_blocks(rows, list(range(len(rows))))
    assert (columns, found[0][:2], len(found)) == (("heading", "n", "low", "low (2)", "C.I."), ("men", "0"), 12)


@pytest.mark.parametrize("more", [[("9 to 9", *["low"] * 4)] * 2, [("of all", "see", "", "", ""), ("", *"1234")]])
def test_rows_of_words_have_no_titles_in_them(more):
    rows = rows_of(*([*block(title), *more] for title in ("2019", "2020")), block("2021"))
    assert len(stacked_blocks(rows, list(range(len(rows))))[1]) == 16
