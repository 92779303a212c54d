"""Which labels are taken without a question, and which are asked about."""

from dataclasses import replace

import pytest

from datasets.columns.names import label_score
from datasets.proposals import Choices, apply, propose
from datasets.proposals.labels import is_sure
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60
WORDS = cycled(["u", "v", "w"], N)
BITS = cycled("01101", N)


def test_a_word_that_begins_several_names_is_no_label_for_sure():
    parts = {
        f"target_{name}": cycled(cells, N) for name, cells in (("vowel", "aeo"), ("stress", "xyz"), ("word", "pqrs"))
    }
    plan = apply(propose(table_of(**parts, f1=normal(N), f2=normal(N, 1))))
    assert not plan.ready
    assert label_score("target_vowel", ["target_vowel"]) > label_score("target_vowel", ["target_vowel", "target_word"])
    assert label_score("vehicle_class", ["vehicle_class", "vehicle_age"]) == label_score("vehicle_class")
    assert "target_word" in apply(plan.proposal, Choices("target_vowel")).columns.features


def test_a_last_column_of_words_is_only_a_guess_where_there_are_others():
    table = table_of(a=normal(N), town=cycled(["n", "s", "e"], N), b=normal(N, 1), colour=cycled(["r", "g"], N))
    plan = apply(propose(table))
    assert not plan.ready
    question = plan.questions[0]
    assert (question.key, question.blocking) == ("label", True)
    assert [answer.text for answer in question.answers] == ["colour", "town", "a", "b"]
    assert question.answers[0].cost == "last column, 2 classes: r (40), g (20)"
    settled = apply(plan.proposal, question.answers[1].choices)
    assert (settled.label.name, settled.label.said, settled.ready) == ("town", True, True)


def test_in_a_table_without_names_the_last_column_needs_no_question():
    table = table_of(**{"column 1": normal(N), "column 2": BITS, "column 3": normal(N, 1), "column 4": WORDS})
    plan = apply(propose(table))
    assert (plan.label.name, plan.ready) == ("column 4", True)


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        (
            {"town": BITS, "habitat-class": WORDS, "b": normal(N, 1), "state": [*WORDS[1:], "u"]},
            "state",
        ),
        ({"town": WORDS, "a": normal(N), "b": normal(N, 1), "end": BITS}, "end"),
        ({"town": WORDS, "a": normal(N), "price": [str(900 + 7 * k * k % 97) for k in range(N)]}, "price"),
        ({"x": normal(N), "Type": WORDS, "a": normal(N, 1), "end": BITS}, "end"),
    ],
)
def test_where_name_place_and_values_disagree_it_is_asked_with_the_last_column_among_the_answers(columns, label):
    plan = apply(propose(table_of(**columns)))
    question = plan.questions[0]
    assert (question.key, question.blocking) == ("label", True)
    assert 2 <= len(question.answers) <= 4
    (answer,) = [answer for answer in question.answers if answer.text == label]
    assert answer.cost.startswith("last column, ")


def test_a_lone_column_of_words_is_sure():
    plan = apply(propose(table_of(a=normal(N), b=normal(N, 1), colour=WORDS)))
    assert plan.ready
    assert plan.label.sure
    assert "only column of words" in plan.label.candidate.reason


def test_a_lone_column_at_the_first_place_without_a_name_is_asked_about():
    counts = {"planes": "2315", "trains": "1235"}
    assert not apply(propose(table_of(cars="2442", **counts))).ready
    assert apply(propose(table_of(kind="2442", **counts))).ready


def test_a_label_is_as_sure_as_the_nearest_of_the_others_makes_it():
    best, other = propose(table_of(kind=cycled("uv", N), a=normal(N), b=normal(N, 1))).candidates[:2]
    best = replace(best, score=9.0, by_name=9.0)
    assert is_sure((best, replace(other, score=0.0)))
    assert not is_sure((best, replace(other, score=0.0), replace(other, score=8.9)))


@pytest.mark.parametrize(("n_gaps", "sure"), [(12, True), (13, False)])
def test_a_label_with_many_words_for_gaps_is_asked_about(n_gaps, sure):
    species = [*["na"] * n_gaps, *cycled(["oak", "elm"], 60 - n_gaps)]
    assert apply(propose(table_of(a=normal(60), b=normal(60, 1), species=species))).label.sure == sure


@pytest.mark.parametrize(("name", "cells", "sure"), [("rpm", "599 600", False), ("rpm", "1 2", True)])
def test_few_large_numbers_below_no_labels_name_are_asked_about(name, cells, sure):
    a, b = cells.split()
    label = apply(propose(table_of(a=normal(N), b=normal(N, 1), **{name: cycled([a, b, b], N)}))).label
    assert (label.name, label.sure) == (name, sure)


@pytest.mark.parametrize(("n_classes", "sure"), [(50, True), (51, False)])
def test_very_many_classes_are_asked_about_whatever_the_name(n_classes, sure):
    n = 8 * n_classes
    label = apply(
        propose(table_of(species=[f"sp{k % n_classes}" for k in range(n)], a=normal(n), b=normal(n, 1)))
    ).label
    assert (label.name, label.sure) == ("species", sure)


@pytest.mark.parametrize(("n_rare", "sure"), [(2, True), (6, False)])
def test_a_label_of_which_many_classes_have_one_row_is_asked_about(n_rare, sure):
    species = [*(f"rare {k}" for k in range(n_rare)), *cycled("abcdefgh", N - n_rare)]
    assert apply(propose(table_of(a=normal(N), species=species, b=normal(N, 1)))).label.sure == sure


def test_a_number_whose_name_ends_like_a_label_is_asked_about_unless_it_is_last():
    def sure(**columns):
        label = apply(propose(table_of(**columns))).label
        assert label.candidate.mode == "bins"
        return label.sure

    numbers, others = normal(150, 1), {"a": normal(150), "b": normal(150, 2)}
    assert not sure(test__label=numbers, **others)
    assert sure(label=numbers, **others)
    assert sure(**others, test__label=numbers)


@pytest.mark.parametrize(("n_rare", "sure"), [(24, False), (25, True)])
def test_a_very_uneven_label_beside_other_words_is_asked_about(n_rare, sure):
    n = 200
    columns = {"a": normal(n), "b": normal(n, 1), "species": ["human"] * n_rare + ["fish"] * (n - n_rare)}
    label = apply(propose(table_of(**columns, food=cycled("xyz", n)))).label
    assert (label.name, label.sure) == ("species", sure)
    assert apply(propose(table_of(**columns))).label.sure  # nothing else could be
    assert apply(propose(table_of(steps=cycled("01234", n), **columns))).label.sure  # and no number
    checks = columns.pop("species")
    assert apply(propose(table_of(**columns, checks=checks))).label.sure == sure


@pytest.mark.parametrize(("n_blank", "sure"), [(101, False), (100, True)])
def test_a_label_that_most_rows_lack_is_asked_about(n_blank, sure):
    n = 200
    kinds = [cell if k >= n_blank else "" for k, cell in enumerate(cycled("uv", n))]
    label = apply(propose(table_of(a=normal(n), species=kinds, b=normal(n, 1)))).label
    assert (label.name, label.sure) == ("species", sure)


@pytest.mark.parametrize(
    ("turn", "n_others", "sure"),
    [("132", 0, False), ("132", 1, False), ("132", 5, True), ("12", 0, True), ("uvw", 0, True)],
)
def test_numbers_that_take_turns_are_asked_about(turn, n_others, sure):
    cells = [turn[k % len(turn)] for k in range(N)]
    for k in range(n_others):  # each is in turn with none of two others
        cells[9 * k + 4] = cells[9 * k + 5]
    label = apply(propose(table_of(a=normal(N), species=cells, b=normal(N, 1)))).label
    assert (label.name, label.sure) == ("species", sure)


def test_rows_sorted_by_class_take_no_turns():
    n = 300
    label = apply(propose(table_of(a=normal(n), species=sorted("123" * (n // 3)), b=normal(n, 1)))).label
    assert (label.name, label.sure) == ("species", True)


@pytest.mark.parametrize(("n", "sure"), [(12, True), (14, False)])
def test_a_name_that_many_hands_typed_in_is_asked_about(n, sure):
    classes = [f"Klasse {k % (n - 1)}" if k else "klasse 0" for k in range(20 * n)]
    table = table_of(a=normal(20 * n), klasse=classes, b=normal(20 * n, 1))
    assert apply(propose(table)).label.sure == sure


@pytest.mark.parametrize(("ending", "sure"), [("raw", False), ("x", True)])
def test_names_of_files_are_asked_about_whatever_the_name(ending, sure):
    label = apply(propose(table_of(a=normal(N), label=cycled([f"run {k}.{ending}" for k in "abc"], N)))).label
    assert (label.name, label.sure) == ("label", sure)


@pytest.mark.parametrize(("name", "sure"), [("quality", False), ("target", True)])
def test_many_numbers_that_may_be_the_quality_of_others_are_asked_about_beside_words(name, sure):
    words = {"found": cycled(["PET", "PA", "PE"], N), "town": cycled("nsewu", N)}
    label = apply(propose(table_of(a=normal(N), **words, b=normal(N, 2), **{name: normal(N, 1)}))).label
    assert (label.name, label.sure) == (name, sure)
    assert apply(propose(table_of(a=normal(N), b=normal(N, 2), **{name: normal(N, 1)}))).label.sure
