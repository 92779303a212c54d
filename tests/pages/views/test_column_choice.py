"""Ticks in the table of columns become the plan they say."""

from __future__ import annotations

import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset, describe_columns, propose_columns
from datasets.reading import read_table
from pages.views.column_choice import AS_CATEGORIES, BY_HAND, USE, columns_frame, plan_with_ticks

TEXT = "id,a,colour,note,kind\n" + "".join(
    f"{k},{k * k % 7},{'rgb'[k % 3]},so said {k},{'xy'[k % 2]}\n" for k in range(12)
)
TABLE = read_table(TEXT.encode(), "t.csv")
FACTS, PLAN = describe_columns(TABLE), propose_columns(TABLE)


def ticked(**changes):
    places = {name: place for place, name in enumerate(columns_frame(FACTS, PLAN)["Column"])}
    return plan_with_ticks(FACTS, PLAN, {places[name]: change for name, change in changes.items()})


def test_the_frame_says_what_is_used_and_why_not():
    frame = columns_frame(FACTS, PLAN).set_index("Column")
    assert list(frame.index) == ["id", "a", "colour", "note"]  # the label aside
    assert frame[USE].to_dict() == {"id": False, "a": True, "colour": True, "note": False}
    assert frame[AS_CATEGORIES].to_dict() == {"id": False, "a": False, "colour": True, "note": False}
    assert frame.loc["id", "Why left out"] == "it counts the rows"
    assert frame.loc["note", "Why left out"] == "it holds text"
    assert frame.loc["colour", "Examples"] == "r, g, b"


def test_no_tick_changes_nothing():
    assert plan_with_ticks(FACTS, PLAN, {}) == PLAN


def test_a_column_is_put_back_and_another_dropped():
    plan = ticked(id={USE: True}, a={USE: False})
    assert plan.features == ("id", "colour")
    assert plan.left_out == (("a", BY_HAND), ("note", "it holds text"))
    assert build_dataset(TABLE, plan).feature_names == ("id", "colour = b", "colour = g", "colour = r")


def test_numbers_as_categories_and_back():
    plan = ticked(a={AS_CATEGORIES: True})
    assert plan.categories == ("a", "colour")
    values = {k * k % 7 for k in range(12)}
    assert build_dataset(TABLE, plan).n_features == len(values) + 3


def test_36_words_are_used_as_categories_or_not_at_all():
    assert ticked(colour={AS_CATEGORIES: False}).categories == ("colour",)
    plan = ticked(note={USE: True})
    assert plan.categories == ("colour", "note")
    assert build_dataset(TABLE, plan).n_features == 1 + 3 + 12
    assert ticked(colour={USE: False}).features == ("a",)


def test_35_dates_that_are_put_back_are_categories():
    text = "a,when,kind\n" + "".join(f"{k},2024-01-{k % 3 + 1:02d},{'xy'[k % 2]}\n" for k in range(12))
    table = read_table(text.encode(), "t.csv")
    facts, plan = describe_columns(table), propose_columns(table)
    assert plan.left_out == (("when", "it holds dates"),)
    assert build_dataset(table, plan_with_ticks(facts, plan, {1: {USE: True}})).n_features == 1 + 3


def test_nothing_left_is_a_sentence_of_the_build():
    with pytest.raises(DataError, match="no column is chosen as a feature"):
        build_dataset(TABLE, ticked(a={USE: False}, colour={USE: False}))
