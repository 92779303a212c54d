"""What the user said stays: through a new label, another reading, another sheet, another table; and can be undone."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, classes_line, propose
from datasets.reading import ReadOptions, read_table
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60
COLUMNS = {"id": range(N), "a": normal(N), "b": normal(N, 1), "town": cycled("nse", N), "kind": cycled("uv", N)}


def roles(plan):
    return {column.name: (column.role, column.said) for column in plan.planned}


def test_guessed_and_said_are_told_apart():
    plan = apply(propose(table_of(**COLUMNS)), Choices(label="kind").saying("roles", "b", "left_out"))
    assert roles(plan) == {
        "id": ("left_out", False),
        "a": ("number", False),
        "b": ("left_out", True),
        "town": ("categories", False),
    }
    assert plan.label.said
    assert ("b", "you left it out") in plan.columns.left_out


def test_choices_survive_a_new_label_and_are_taken_back_alone():
    proposal = propose(table_of(**COLUMNS))
    said = (
        Choices(missing="impute", singletons="merge").saying("roles", "id", "number").saying("roles", "a", "left_out")
    )
    for label in ("kind", "town", None):
        plan = apply(proposal, said.with_label(label))
        assert roles(plan)["id"] == ("number", True)
        assert roles(plan)["a"] == ("left_out", True)
        assert (plan.columns.missing, plan.columns.singles) == ("impute", "merge")
    undone = apply(proposal, said.saying("roles", "a", None))
    assert roles(undone)["a"] == ("number", False)
    assert roles(undone)["id"] == ("number", True)


def test_choices_survive_another_reading():
    text = "a;b;kind\n" + "".join(f"{k},5;{k % 7};{'uv'[k % 2]}\n" for k in range(30))
    choices = Choices(label="b").saying("roles", "kind", "left_out")
    for options in (ReadOptions(), ReadOptions(missing=("3",)), ReadOptions(decimal=",")):
        plan = apply(propose(read_table(text.encode(), "t.csv", options)), choices)
        assert plan.label.name == "b"
        assert plan.columns.features == ("a",)
    # Read without a header there is no such column: the choices wait, and hold again afterwards.
    wrong = apply(propose(read_table(text.encode(), "t.csv", ReadOptions(header_lines=0))), choices)
    assert {line.split("'")[1] for line in wrong.waiting} == {"b", "kind"}
    assert wrong.label is None or not wrong.label.said
    assert apply(propose(read_table(text.encode(), "t.csv")), wrong.choices).columns.features == ("a",)


def test_an_answer_is_said_over_what_was_said_since_it_was_asked():
    asked = Choices(missing="drop_rows", n_bins=4).saying("roles", "a", "left_out").saying("roles", "b", "number")
    answer = asked.with_label("kind").saying("roles", "b", None).saying("roles", "c", "categories")
    now = (
        replace(asked, missing="impute")
        .saying("roles", "a", "number")
        .saying("roles", "d", "left_out")
        .with_label("other")
    )
    over = answer.said_over(asked, now)
    assert (over.label, over.missing, over.n_bins) == ("kind", "impute", 4)
    assert dict(over.roles) == {"a": "number", "c": "categories", "d": "left_out"}
    assert asked.said_over(asked, now) == now


def test_words_said_to_be_a_number_become_categories():
    plan = apply(propose(table_of(**COLUMNS)), Choices(label="kind").saying("roles", "town", "number"))
    assert roles(plan)["town"] == ("categories", True)


def test_nothing_left_to_project_is_one_sentence():
    proposal = propose(table_of(**COLUMNS))
    choices = Choices(label="kind")
    for name in ("a", "b", "town"):
        choices = choices.saying("roles", name, "left_out")
    plan = apply(proposal, choices.saying("roles", "b", None))
    assert plan.columns.features == ("b",)
    plan = apply(proposal, choices)
    assert not plan.ready
    (question,) = [question for question in plan.questions if question.blocking]
    assert question.text == (
        "No column is left to project (id: it counts the rows; a: you left it out; b: you left it out). "
        "Put one back, or choose another label."
    )
    assert [answer.text for answer in question.answers] == ["use id", "use a", "use b"]
    with pytest.raises(DataError, match=r"no column is left to project \(id: it counts the rows"):
        build_dataset(plan.table, plan.columns)


def test_a_second_column_is_asked_for_where_one_of_numbers_is_left_and_another_could_be_put_back():
    columns = {name: COLUMNS[name] for name in ("id", "a", "kind")}
    plan = apply(propose(table_of(**columns)), Choices(label="kind"))
    (question,) = [question for question in plan.questions if question.blocking]
    assert question.text == (
        "a is the only feature, and a picture needs two. Put another one back, or choose another label."
    )
    assert [answer.text for answer in question.answers] == ["use id"]
    assert apply(plan.proposal, question.answers[0].choices).ready
    del columns["id"]
    assert apply(propose(table_of(**columns)), Choices(label="kind")).ready  # nothing could help


def test_a_column_that_could_be_projected_is_offered_where_none_is_left():
    who = [f"person {k}" for k in range(N)]
    shop = [f"C{k % 40}" for k in range(N)]
    kinds = cycled("uv", N)
    plan = apply(propose(table_of(who=who, shop=shop, same=[k.upper() for k in kinds], kind=kinds)), Choices("kind"))
    assert plan.columns.features == ()
    (question,) = [question for question in plan.questions if question.blocking]
    assert [(answer.text, answer.cost) for answer in question.answers] == [("use shop", "40 different values")]
    back = apply(plan.proposal, question.answers[0].choices)
    assert back.ready
    dataset = build_dataset(back.table, back.columns)
    assert dataset.feature_names[-1] == "shop = other"
    hopeless = apply(propose(table_of(who=who, kind=kinds)), Choices("kind"))
    (question,) = [question for question in hopeless.questions if question.blocking]
    assert question.answers == ()
    assert "None has numbers or words that repeat: drop another table, or choose another label." in question.text


def test_spellings_are_merged_only_when_said():
    kinds = cycled(["Healthy", "healthy", "Ill", "Not  well", "Not well"], N)
    proposal = propose(table_of(a=normal(N), kind=kinds))
    plan = apply(proposal)
    question = next(question for question in plan.questions if question.key == "spellings")
    assert not question.blocking
    assert build_dataset(plan.table, plan.columns).n_classes == len(set(kinds))
    groups = {group[0][0]: dict(group) for group in plan.label.spellings}
    assert len(groups) == 2
    assert all(count == kinds.count(cell) for members in groups.values() for cell, count in members.items())
    merged = apply(proposal, question.answers[0].choices)
    dataset = build_dataset(merged.table, merged.columns)
    assert set(dataset.class_names) == {*groups, "Ill"}
    assert any("were merged: kind (2)." in note for note in dataset.notes)
    assert not any(question.key == "spellings" for question in merged.questions)
    apart = apply(proposal, question.answers[1].choices)
    assert apart.columns.spellings == ()
    assert not any(question.key == "spellings" for question in apart.questions)


def test_spellings_of_a_category_are_merged_with_those_of_the_label():
    colours = cycled(["red", "Red", "blue", "NA", "na", "red"], N)
    proposal = propose(table_of(a=normal(N), colour=colours, kind=cycled("uuuuvvvvww", N)))
    plan = apply(proposal, Choices("kind"))
    question = next(question for question in plan.questions if question.key == "spellings")
    assert question.column == "colour"
    n = Counter(colours)
    assert f"'red' ({n['red']}) and 'Red' ({n['Red']})" in question.text
    merged = apply(plan.proposal, question.answers[0].choices)
    dataset = build_dataset(merged.table, merged.columns)
    assert dataset.feature_names[1:] == ("colour = blue", "colour = red", "colour = (missing)")
    is_colour = dataset.X[:, 1:].astype(bool)
    assert [sum(n[cell] for cell in group) for group in (("blue",), ("red", "Red"), ("NA", "na"))] == [
        *is_colour.sum(axis=0)
    ]
    assert any("were merged: colour (2)." in note for note in dataset.notes)
    (candidate,) = [each for each in merged.label.runners_up if each.name == "colour"]
    assert dict(candidate.classes)["red"] == n["red"] + n["Red"]
    assert "spellings" not in classes_line(candidate)
    apart = apply(plan.proposal, question.answers[1].choices)
    assert "colour = Red" in build_dataset(apart.table, apart.columns).feature_names


def test_blank_cells_of_a_ticked_box_can_be_a_class():
    passed = cycled(["x", "", "", "x", "x"], N)
    n_blank = passed.count("")
    proposal = propose(table_of(a=normal(N), kind=cycled("uuv", N), passed=passed))
    plan = apply(proposal, Choices("passed"))
    (question,) = [question for question in plan.questions if question.key == "label_blanks"]
    assert question.blocking
    assert not plan.ready
    assert f"'x' ({N - n_blank}) or is blank ({n_blank})" in question.text
    told = apply(plan.proposal, question.answers[0].choices)
    assert told.ready
    dataset = build_dataset(told.table, told.columns)
    assert dataset.class_names == ("blank", "x")
    np.testing.assert_array_equal(dataset.y, [cell == "x" for cell in passed])
    assert any(f"{n_blank} rows with a blank label are class 'blank'." in note for note in dataset.notes)
    assert not any("were merged" in note for note in dataset.notes)
    another = apply(plan.proposal, question.answers[1].choices)
    assert another.label.name == "kind"
    # Elsewhere a blank label stays none.
    kinds = cycled(["u", "v", "", "u", "v"], N)
    gaps = apply(propose(table_of(a=normal(N), kind=kinds)), told.choices.with_label("kind"))
    assert gaps.ready
    assert (build_dataset(gaps.table, gaps.columns).y == -1).sum() == kinds.count("")
