"""Faults that somebody careless found with tables of everyday life, each by the table that showed it."""

import numpy as np
import pytest

from datasets.columns import build_dataset
from datasets.proposals import apply, propose
from datasets.reading import read_table
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 120


@pytest.mark.parametrize("name", ["SalePrice", "medv", "median_house_value"])
def test_a_price_in_the_last_column_is_among_the_answers(name):
    prices = [1000 * int(60 + 7 * k % 400) for k in range(N)]
    columns = {"MSSubClass": cycled([20, 60, 120], N), "SaleCondition": cycled(["Normal", "Partial"], N), name: prices}
    plan = apply(propose(table_of(Zoning=cycled(["RL", "RM", "FV"], N), Area=normal(N), **columns)))
    assert plan.label.name == name or name in [answer.text for answer in plan.questions[0].answers]


IDENTIFIERS = [61_634 + 7 * (k % 80 * 37 % 97 * 997 % 9_001) for k in range(N)]  # some people come twice
AN_IDENTIFIER = "it holds the numbers of an identifier"


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("#", [k // 2 + 1 for k in range(N)], "it counts upwards, like an identifier"),
        ("#", [N - k // 2 for k in range(N)], ""),
        *((name, IDENTIFIERS, AN_IDENTIFIER) for name in ("Sample code number", "patient_nbr", "customer_id")),
        *((name, IDENTIFIERS, AN_IDENTIFIER) for name in ("CLIENTNUM", "MatchKey", "user no.")),
        *((name, IDENTIFIERS, "") for name in ("number of patients", "student height", "orders", "idle time")),
        ("keys per minute", IDENTIFIERS, ""),
        ("ean", normal(N), ""),  # of an eye: no bar code
        ("shop_id", [k * 5 % 12 for k in range(N)], ""),
        ("alley", ["Grvl" if k % 9 == 0 else "NA" for k in range(N)], "it is Grvl or missing in every row"),
        ("value", ["<5" if k % 6 == 0 else ">100" if k % 6 == 1 else str(5 + k % 90) for k in range(N)], ""),
    ],
)
def test_columns_are_left_out_for_a_reason_or_used(name, cells, reason):
    plan = apply(propose(table_of(**{name: cells}, size=normal(N), kind=cycled("mb", N))))
    column = next(column for column in plan.planned if column.name == name)
    assert (column.role, column.reason) == ("left_out" if reason else "number", reason)
    if name == "value":
        dataset = build_dataset(plan.table, plan.columns)
        np.testing.assert_array_equal(dataset.X[:2, 0], [5, 100])
        assert "40 cells were cleaned into numbers (the first on line 2, '<5' as 5)" in " ".join(dataset.notes)


def test_patient_numbers_before_a_table_without_names_are_no_feature():
    rows = [f"{8_400_000 + k * 7919 % 90_000},{'MB'[k * k % 3 % 2]},{k % 7}.5,{k % 5}.25" for k in range(N)]
    plan = apply(propose(read_table("\n".join(rows).encode(), "wdbc.data")))
    assert plan.planned[0].reason == "it holds large numbers, nearly all different, like an identifier"
    assert plan.columns.features == ("column 3", "column 4")


def test_a_short_table_of_measurements_is_asked_about_with_its_last_column():
    towns = [f"town {k}" for k in range(20)]
    plan = apply(propose(table_of(town=towns, people=[900 + 37 * k for k in range(20)], travel=normal(20))))
    assert [answer.text for answer in plan.questions[0].answers] == ["travel"]
    chosen = apply(plan.proposal, plan.questions[0].answers[0].choices)
    assert (chosen.ready, chosen.columns.label_mode, chosen.columns.features) == (True, "bins", ("people",))


def test_marks_of_training_and_test_rows_are_no_feature():
    plan = apply(propose(table_of(Case=cycled(["Train", "Test"], N), size=normal(N), Class=cycled("mb", N))))
    assert plan.columns.left_out == (("Case", "it marks training and test rows"),)


def test_free_text_is_not_offered_where_no_feature_is_left():
    messages = [f"we all meet again at {k % 100} o'clock" for k in range(N)]
    plan = apply(propose(table_of(type=cycled(["ham", "spam"], N), text=messages)))
    (question,) = [question for question in plan.questions if question.blocking]
    assert question.answers == ()
    assert "(text: it holds free text)" in question.text
