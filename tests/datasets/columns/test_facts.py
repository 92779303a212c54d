"""What is said of each column, and how many classes stand alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from datasets.columns import build_dataset, column_of, count_singles
from datasets.reading import read_table
from tests.datasets.planned import column_plan

TEXT = """a,colour,when,void,price,label
1,red,2024-01-01,,"1,200",x
2,blue,2024-01-02,?,7,x
,red,2024-01-03,NA,word,y
4,green,2024-01-04,,9,y
5,red,2024-01-05,,10,z
"""


def test_kind_counts_and_examples():
    table = read_table(TEXT.encode(), "t.csv")
    facts = {name: column_of(table, name) for name in table.columns}
    assert {name: f.kind for name, f in facts.items()} == {
        "a": "numbers",
        "colour": "words",
        "when": "dates",
        "void": "empty",
        "price": "numbers",
        "label": "words",
    }
    assert (facts["a"].n_values, facts["a"].n_missing) == (4, 1)
    assert facts["colour"].examples == ("red", "blue", "green")
    assert (facts["void"].n_values, facts["void"].n_missing, facts["void"].examples) == (0, 5, ())


@pytest.mark.parametrize(("missing", "n"), [("drop_rows", 2), ("impute", 1), ("drop_columns", 1)])
def test_classes_of_one_row_are_counted_among_the_rows_that_stay(missing, n):
    table = read_table(TEXT.replace("word", "8").encode(), "t.csv")
    plan = replace(column_plan(table, label="label"), missing=missing)
    assert count_singles(table, plan) == n
    notes = " ".join(build_dataset(table, plan).notes)
    assert f"{n} class{'es have' if n > 1 else ' has'} a single row" in notes


def test_numbers_that_are_cut_into_classes_have_no_singles():
    table = read_table(TEXT.encode(), "t.csv")
    plan = column_plan(table, label="a")
    assert count_singles(table, replace(plan, features=("colour",), categories=("colour",))) == 4
    assert count_singles(table, replace(plan, label_mode="bins")) == 0
