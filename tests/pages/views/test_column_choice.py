"""Ticks in the table of columns become the choices they say."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, propose
from datasets.reading import Table, read_table
from pages.views import uploaded_table
from pages.views.uploaded_table import AS_CATEGORIES, USE

TEXT = "id,a,colour,note,kind\n" + "".join(
    f"{k},{k * k % 7},{'rgb'[k % 3]},so said {k},{'xy'[k % 2]}\n" for k in range(12)
)


def planned(text=TEXT, choices=None):
    choices = (choices or Choices()).with_label("kind")
    return apply(propose(read_table(text.encode(), "t.csv")), choices)


PLAN = planned()


def ticked(plan=PLAN, **changes):
    places = {name: place for place, name in enumerate(uploaded_table.columns_frame(plan.planned)["Column"])}
    opened = uploaded_table.Ticks("editor", plan.planned, plan.choices)
    edited = {places[name]: change for name, change in changes.items()}
    return uploaded_table.choices_with_ticks(plan.choices, opened, edited)


def test_the_frame_says_what_is_used_and_why_not():
    frame = uploaded_table.columns_frame(PLAN.planned).set_index("Column")
    assert list(frame.index) == ["id", "a", "colour", "note"]  # the label aside
    assert frame[USE].to_dict() == {"id": False, "a": True, "colour": True, "note": False}
    assert frame[AS_CATEGORIES].to_dict() == {"id": False, "a": False, "colour": True, "note": False}
    assert frame.loc["id", "Why left out"] == "it counts the rows"
    assert frame.loc["colour", "Examples"] == "r, g, b"
    text = "a,colour,kind\n" + "".join(f'{k},"two\nlines {k % 3}",{"xy"[k % 2]}\n' for k in range(12))
    frame = uploaded_table.columns_frame(planned(text).planned).set_index("Column")
    assert frame.loc["colour", "Examples"] == "two⏎lines 0, two⏎lines 1, two⏎lines 2"


@pytest.mark.parametrize(
    ("ticks", "roles", "n_features"),
    [
        ({}, {}, 4),
        ({"id": {USE: True}, "a": {USE: False}}, {"id": "number", "a": "left_out"}, 4),
        ({"a": {AS_CATEGORIES: True}}, {"a": "categories"}, 4 + 3),
        ({"colour": {AS_CATEGORIES: False}}, {}, 4),  # words are used as categories or not at all
        ({"note": {USE: True}}, {"note": "categories"}, 4 + 12),
        ({"colour": {USE: False}}, {"colour": "left_out"}, 1),
    ],
)
def test_36_ticks_become_the_choices_they_say(ticks, roles, n_features):
    choices = ticked(**ticks)
    assert dict(choices.roles) == roles
    plan = apply(PLAN.proposal, choices)
    assert build_dataset(plan.table, plan.columns).n_features == n_features
    assert roles.get("a") != "left_out" or dict(plan.columns.left_out)["a"] == "you left it out"


def test_35_dates_that_are_put_back_are_categories():
    plan = planned("a,when,kind\n" + "".join(f"{k},2024-01-{k % 3 + 1:02d},{'xy'[k % 2]}\n" for k in range(12)))
    assert plan.columns.left_out == (("when", "it holds dates"),)
    again = apply(plan.proposal, ticked(plan, when={USE: True}))
    assert build_dataset(again.table, again.columns).n_features == 1 + 3


def test_a_tick_that_is_taken_back_says_nothing_but_what_was_said_before_stays():
    assert ticked(a={USE: True}) == PLAN.choices
    before = planned(choices=Choices().saying("roles", "a", "left_out"))
    assert dict(ticked(before, a={USE: False}).roles) == {"a": "left_out"}
    assert dict(ticked(before, a={USE: True}).roles) == {"a": "number"}
    # The editor forgets a tick that was taken back.
    opened = uploaded_table.Ticks("editor", PLAN.planned, PLAN.choices)
    said = uploaded_table.choices_with_ticks(PLAN.choices, opened, {1: {USE: False}})
    assert uploaded_table.choices_with_ticks(said, opened, {}) == PLAN.choices


def test_the_preview_is_bounded_and_says_so():
    text = ",".join(f"c{k}" for k in range(40)) + "\n" + (",".join("7" * 40) + "\n") * 60
    table = read_table(text.encode(), "t.csv")
    frame = uploaded_table.preview_frame(table)
    assert frame.shape == (50, 31)
    assert frame["line"].tolist() == list(range(2, 52))
    assert uploaded_table.preview_caption(table) == "The first 50 of 60 rows, the first 30 of 40 columns."


def test_cells_stay_as_written_and_controls_are_spelt_out():
    table = Table.from_rows("t", ("line", "a\u202e", "a\\u202e"), [("=1+1", "007", "x\ny")], [3])
    frame = uploaded_table.preview_frame(table)
    assert frame.iloc[0].tolist() == [3, "=1+1", "007", "x⏎y"]
    assert len(set(frame.columns)) == 4
    assert uploaded_table.preview_caption(table) == "The only row, all 3 columns."


def test_checks_and_what_the_size_means():
    y = np.array([0] * 5 + [1] * 3 + [2] * 4 + [-1] * 2)
    dataset = Dataset("t", np.zeros((14, 3)), y, ("a", "b", "c"), ("u", "v", "w"), Source("t"))
    assert "sample of 10 of the 14 rows" in uploaded_table.size_sentence(dataset, 10)
    assert uploaded_table.size_sentence(dataset, 100) == "Trains on 12 of the 14 rows: 2 have no label."
    said = uploaded_table.size_sentence(dataset, 100, 0.25)
    assert said == "Trains on 9 of the 14 rows: 3 are held out for testing, 2 have no label."
    assert uploaded_table.size_sentence(dataset.of_rows(np.arange(12)), 100) == "Trains on all 12 rows."
    numeric = replace(dataset, target=y.astype(float))
    assert "36 pairs" in uploaded_table.size_sentence(numeric, 100, 0.25)
    assert "45 pairs" in uploaded_table.size_sentence(numeric, 10)
    large = dataset.of_rows(np.arange(250_000) % 14)
    assert "visits every row" in uploaded_table.size_sentence(large, 100_000)
    assert "visits every row" not in uploaded_table.size_sentence(large, 5_000)


def test_long_names_are_shortened_on_buttons_and_in_the_line_of_columns():
    name = "GATG" * 75
    short = f"{name[:39]}…{name[-40:]}"
    assert uploaded_table.answer_words(name, "2 classes") == f"**{short}** · 2 classes"
    rows = "\n".join(f"{k},{k * k % 17}.5,{'uv'[k % 2]}" for k in range(30))
    plan = apply(propose(read_table(f"{name},b,kind\n{rows}".encode(), "t.csv")))
    assert short in uploaded_table.columns_line(plan)
    assert name not in uploaded_table.columns_line(plan)
