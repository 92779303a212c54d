"""Five names are told, and that there are more."""

from dataclasses import replace

from datasets.base.first_few import first_few
from datasets.columns import build_dataset
from datasets.reading import read_table
from tests.datasets.planned import column_plan


def test_five_names_are_told_and_that_there_are_more():
    assert first_few(["a"]) == "a"
    assert first_few(list("abcde")) == "a, b, c, d, e"
    assert first_few(list("abcdef")) == "a, b, c, d, e and more"


def test_columns_that_are_left_out_say_when_there_are_more():
    names = [f"f{k}" for k in range(6)]
    rows = [["", *["1"] * 5, "3", "x"], ["1", *[""] * 5, "4", "y"], ["2", *["5"] * 5, "7", "x"], [*"1234567", "y"]]
    text = "\n".join([",".join([*names, "whole", "label"]), *map(",".join, rows)])
    table = read_table(text.encode(), "t.csv")
    notes = build_dataset(table, replace(column_plan(table), missing="drop_columns")).notes
    assert "6 columns with missing values were left out: f0, f1, f2, f3, f4 and more." in notes
