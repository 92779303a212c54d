"""Ticks in the table of columns become the choices they say."""

from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, propose
from datasets.reading import read_table
from pages.views.uploaded_table import AS_CATEGORIES, USE, Ticks, choices_with_ticks, columns_frame

TEXT = "id,a,colour,note,kind\n" + "".join(
    f"{k},{k * k % 7},{'rgb'[k % 3]},so said {k},{'xy'[k % 2]}\n" for k in range(12)
)


def planned(text=TEXT, choices=None):
    choices = (choices or Choices()).with_label("kind")
    return apply(propose(read_table(text.encode(), "t.csv")), choices)


PLAN = planned()


def ticked(plan=PLAN, **changes):
    places = {name: place for place, name in enumerate(columns_frame(plan.planned)["Column"])}
    opened = Ticks("editor", plan.planned, plan.choices)
    edited = {places[name]: change for name, change in changes.items()}
    return choices_with_ticks(plan.choices, opened, edited)


def roles(choices):
    return dict(choices.roles)


def test_the_frame_says_what_is_used_and_why_not():
    frame = columns_frame(PLAN.planned).set_index("Column")
    assert list(frame.index) == ["id", "a", "colour", "note"]  # the label aside
    assert frame[USE].to_dict() == {"id": False, "a": True, "colour": True, "note": False}
    assert frame[AS_CATEGORIES].to_dict() == {"id": False, "a": False, "colour": True, "note": False}
    assert frame.loc["id", "Why left out"] == "it counts the rows"
    assert frame.loc["colour", "Examples"] == "r, g, b"


def test_a_line_break_in_an_example_shows_as_such():
    text = "a,colour,kind\n" + "".join(f'{k},"two\nlines {k % 3}",{"xy"[k % 2]}\n' for k in range(12))
    frame = columns_frame(planned(text).planned).set_index("Column")
    assert frame.loc["colour", "Examples"] == "two⏎lines 0, two⏎lines 1, two⏎lines 2"


def test_no_tick_changes_nothing():
    assert ticked() == PLAN.choices


def test_a_column_is_put_back_and_another_dropped():
    choices = ticked(id={USE: True}, a={USE: False})
    assert roles(choices) == {"id": "number", "a": "left_out"}
    plan = apply(PLAN.proposal, choices)
    assert dict(plan.columns.left_out)["a"] == "you left it out"
    assert build_dataset(plan.table, plan.columns).feature_names == ("id", "colour = b", "colour = g", "colour = r")


def test_a_tick_that_is_taken_back_says_nothing_but_what_was_said_before_stays():
    assert ticked(a={USE: True}) == PLAN.choices
    before = planned(choices=Choices().saying("roles", "a", "left_out"))
    assert roles(ticked(before, a={USE: False})) == {"a": "left_out"}
    assert roles(ticked(before, a={USE: True})) == {"a": "number"}
    # The editor forgets a tick that was taken back.
    opened = Ticks("editor", PLAN.planned, PLAN.choices)
    said = choices_with_ticks(PLAN.choices, opened, {1: {USE: False}})
    assert choices_with_ticks(said, opened, {}) == PLAN.choices


def test_numbers_as_categories_and_back():
    plan = apply(PLAN.proposal, ticked(a={AS_CATEGORIES: True}))
    assert plan.columns.categories == ("a", "colour")
    values = {k * k % 7 for k in range(12)}
    assert build_dataset(plan.table, plan.columns).n_features == len(values) + 3


def test_36_words_are_used_as_categories_or_not_at_all():
    assert roles(ticked(colour={AS_CATEGORIES: False})) == {}
    assert roles(ticked(note={USE: True})) == {"note": "categories"}
    assert roles(ticked(colour={USE: False})) == {"colour": "left_out"}


def test_35_dates_that_are_put_back_are_categories():
    text = "a,when,kind\n" + "".join(f"{k},2024-01-{k % 3 + 1:02d},{'xy'[k % 2]}\n" for k in range(12))
    plan = planned(text)
    assert plan.columns.left_out == (("when", "it holds dates"),)
    again = apply(plan.proposal, ticked(plan, when={USE: True}))
    assert build_dataset(again.table, again.columns).n_features == 1 + 3
