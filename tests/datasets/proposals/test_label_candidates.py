"""Which column is proposed as the label, how sure that is, and what is shown of it."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.columns import column_of
from datasets.columns.names import label_score
from datasets.proposals import Choices, apply, classes_line, propose
from datasets.proposals.labels import _items, described, is_sure
from datasets.proposals.roles import OF_SURVEY
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60
NAMES = [
    *("target", "label", "Class", "species", "Survived", "Churn", "Attrition", "outcome", "diagnosis", "quality", "y"),
    *("Exited", "is_fraud", "HeartDisease", "class_label", "cultivar", "klasse", "Espèce"),
    *("类别", "種類", "분류", "класс", "gatunek"),
]
WORDS = cycled(["u", "v", "w"], N)
BITS = cycled("01101", N)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("cells", [WORDS, BITS], ids=["words", "0 and 1"])
def test_a_name_counts_wherever_the_column_stands(name, cells):
    table = table_of(a=normal(N), **{name: cells}, region=cycled(["n", "s"], N), b=normal(N, 1))
    plan = apply(propose(table))
    assert plan.label.name == name
    assert repr(name) in plan.label.candidate.reason
    assert not plan.label.said


@pytest.mark.parametrize(
    ("name", "score"),
    [("抑郁标签", 4.0), ("抑郁", 0.0), ("标签数", 0.0), ("subclass", 1.0), ("TIPOACCIDENTE", 1.0), ("typical", 0.0)],
)
def test_names_without_blanks_end_with_the_word(name, score):
    assert label_score(name) == score


def test_a_word_that_begins_several_names_is_no_label_for_sure():
    parts = {
        f"target_{name}": cycled(cells, N) for name, cells in (("vowel", "aeo"), ("stress", "xyz"), ("word", "pqrs"))
    }
    plan = apply(propose(table_of(**parts, f1=normal(N), f2=normal(N, 1))))
    assert not plan.ready
    assert label_score("target_vowel", ["target_vowel"]) > label_score("target_vowel", ["target_vowel", "target_word"])
    assert label_score("vehicle_class", ["vehicle_class", "vehicle_age"]) == label_score("vehicle_class")
    assert "target_word" in apply(plan.proposal, Choices("target_vowel")).columns.features


@pytest.mark.parametrize("name", ["event_altitude", "class size", "outcomeAge"])
def test_a_measurement_of_a_labelled_thing_is_no_label(name):
    assert label_score(name) == 0 < label_score(name.split("_")[0].split()[0].removesuffix("Age"))


def test_numbers_in_few_steps_can_be_a_label_and_a_column_that_is_mostly_blank_is_no_answer():
    columns = {"a": normal(N), "dose": cycled(["0.5", "1.5", "2.5"], N), "b": normal(N, 1)}
    plan = apply(propose(table_of(**columns, rest=["" if k % 3 else f"{k}.5" for k in range(N)])))
    assert plan.label is None
    (question,) = [question for question in plan.questions if question.key == "label"]
    assert [answer.text for answer in question.answers] == ["dose", "a", "b"]
    many = apply(propose(table_of(**columns | {"dose": cycled([f"{k}.5" for k in range(N // 20 + 1)], N)})))
    assert "dose" not in [candidate.name for candidate in many.proposal.candidates]


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


def test_runners_up_have_their_classes_and_counts():
    table = table_of(target=BITS, town=cycled("nsew", N), a=normal(N), kind=WORDS)
    label = apply(propose(table)).label
    assert label.name == "target"
    assert [other.name for other in label.runners_up] == ["kind", "town"]
    assert label.runners_up[0].n_classes == 3
    assert sum(count for _, count in label.runners_up[0].classes) == N
    assert dict(label.candidate.classes) == {"0": BITS.count("0"), "1": BITS.count("1")}


def test_many_numbers_under_a_labels_name_are_cut_into_classes():
    plan = apply(propose(table_of(a=normal(N), target=normal(N, 1))))
    assert (plan.label.name, plan.columns.label_mode) == ("target", "bins")
    assert "different numbers" in classes_line(plan.label.candidate)


@pytest.mark.parametrize(("name", "is_first"), [("activity", False), ("quality", True), ("yield", True)])
def test_the_name_of_a_kind_makes_no_label_of_measurements(name, is_first):
    table = table_of(**{name: normal(N)}, a=normal(N, 1), town=cycled("nse", N), b=normal(N, 2))
    assert (apply(propose(table)).proposal.candidates[0].name == name) == (is_first and name == "quality")
    found = [candidate.name for candidate in propose(table).candidates]
    assert (name in found) == is_first


@pytest.mark.parametrize(("name", "score"), [("DayDisease", 0.0), ("day type", 1.0), ("HeartDisease", 3.5)])
def test_the_day_of_a_disease_is_no_label(name, score):
    assert label_score(name) == score


def test_a_number_of_things_is_no_proposal_but_an_answer():
    columns = {"a": normal(N), "ring count": cycled("0012", N), "b": normal(N, 1), "size": normal(N, 2)}
    plan = apply(propose(table_of(**columns)))
    assert plan.label is None
    assert "ring count" in [answer.text for answer in plan.questions[0].answers]
    other = apply(propose(table_of(**{name.replace("count", "code"): cells for name, cells in columns.items()})))
    assert other.label.name == "ring code"


def test_species_of_which_many_are_rare_are_a_label_by_their_name():
    species = [f"rare {k}" if k % 2 else "ABCD"[k % 4] for k in range(N)]
    columns = {"a": normal(N), "b": normal(N, 1)}
    plan = apply(propose(table_of(**columns, species=species)))
    assert (plan.label.name, plan.label.sure) == ("species", False)
    other = apply(propose(table_of(**columns, remark=species)))
    assert other.label is None
    codes = [f"R{k}" if k % 2 else f"A{k % 6}" for k in range(N)]
    assert dict(apply(propose(table_of(**columns, made=codes))).columns.left_out)["made"] == (
        "it holds codes, most of them different"
    )


def test_codes_names_and_dates_are_no_labels():
    table = table_of(
        code=[f"X{k:03d}" for k in range(N)],
        zip__code=cycled([10115, 20095, 80331], N),
        day=[f"2024-01-{1 + k % 20:02d}" for k in range(N)],
        a=normal(N),
    )
    plan = apply(propose(table))
    assert plan.label is None
    assert [answer.text for answer in plan.questions[0].answers] == ["zip code", "a"]  # the code as the last way out
    assert not plan.ready
    assert "No column looks like a label" in plan.questions[0].text


@pytest.mark.parametrize(
    "last",
    [
        {"flag": ["e", *[""] * (N - 2), "p"]},
        {"remark": [f"remark {k} of many" for k in range(N)]},
        {"day": [f"2024-01-{1 + k % 20:02d}" for k in range(N)]},
        {},
    ],
    ids=["nearly empty", "text", "dates", "odd cell"],
)
def test_the_last_column_of_numbers_is_a_button_where_the_last_column_is_no_label(last):
    value = [f"{k * k % 101}.{k}" for k in range(N - 1)] + [".."]
    plan = apply(propose(table_of(place=cycled([f"p{k}" for k in range(20)], N), value=value, **last)))
    (answer,) = [answer for answer in plan.questions[0].answers if answer.text == "value"]
    assert answer.cost.startswith("last column")
    assert plan.questions[0].blocking


def test_of_a_short_table_the_numbers_are_buttons():
    plan = apply(propose(table_of(name=["u", "v", "w"], size=["2", "4", "7"], age=["1.5", "2", "3"])))
    assert [answer.text for answer in plan.questions[0].answers] == ["age", "size"]


def test_the_mode_is_remembered_for_each_label():
    table = table_of(a=normal(N), grade=[str(k % 30) for k in range(N)], kind=WORDS)
    choices = Choices(label="grade").saying("label_modes", "grade", "continuous")
    first = apply(propose(table), choices)
    assert (first.columns.label_mode, first.columns.n_bins) == ("continuous", 6)
    other = apply(first.proposal, choices.with_label("kind"))
    assert other.columns.label_mode == "classes"
    back = apply(other.proposal, other.choices.with_label("grade"))
    assert back.columns == first.columns


def test_a_table_whose_rows_are_all_gone_has_no_label():
    """Found by bent bytes: no row was left, and no cell of the column that is called label."""
    table = table_of(a=["1", "2"], label=["x", "y"])
    assert described(column_of(table.without_rows(range(table.n_rows)), "label")).n_classes == 0


def test_small_classes_are_named_and_long_names_end_in_an_ellipsis():
    long = "a class whose name has forty-two letters"
    kinds = [long if k < 7 else "uv"[k % 2] for k in range(N)]
    plan = apply(propose(table_of(a=normal(N), kind=kinds)))
    short = f"{long[:29]}…"
    assert f"Classes of fewer than 10 rows, whose accuracy is uncertain: {short} (7)." in plan.costs
    assert f"{short} (7)" in classes_line(plan.label.candidate)
    assert not any("fewer than" in line for line in apply(propose(table_of(a=normal(N), kind=WORDS))).costs)


def test_long_names_that_differ_at_their_ends_are_cut_in_the_middle():
    long = "the fault of drivers who did not "
    kinds = cycled([long + "keep their distance", long + "adapt their speed"], N)
    line = classes_line(apply(propose(table_of(a=normal(N), kind=kinds))).label.candidate)
    assert "the fault of d… their distance (" in line
    assert "the fault of d…apt their speed (" in line


@pytest.mark.parametrize(("n_values", "is_candidate"), [(5, True), (40, False)])
def test_few_postal_codes_in_words_can_be_classes(n_values, is_candidate):
    postal = cycled([f"A{k}" for k in range(n_values)], N)
    candidates = propose(table_of(Postal=postal, a=normal(N), b=normal(N, 1))).candidates
    assert ("Postal" in [candidate.name for candidate in candidates]) == is_candidate


def test_one_class_in_two_spellings_is_no_label():
    light = cycled(["Máxima", "Maxima"], N)
    plan = apply(propose(table_of(light=light, filter=cycled("546", N), a=normal(N))))
    assert plan.label.name == "filter"
    assert "light" not in [candidate.name for candidate in plan.proposal.candidates]
    (question,) = [question for question in plan.questions if question.key == "spellings"]
    merged = apply(plan.proposal, question.answers[0].choices)
    assert len(merged.proposal.fact("light").merged_levels.values) == 1
    for one, other in (("Sí", "Si"), ("García-Puig", "Garcia Puig")):
        assert propose(table_of(light=cycled([one, other], N), a=normal(N))).fact("light").spellings
    assert not propose(table_of(light=cycled(["A-1", "A 1"], N), a=normal(N))).fact("light").spellings
    letters = apply(propose(table_of(a=normal(N), party=cycled(["A", "Å"], N))))  # other letters
    assert (letters.label.name, letters.label.spellings) == ("party", ())


ITEMS = {f"q{k}": cycled(["often", "seldom", "never"][k % 2 :], N)[k:] + ["never"] * k for k in range(5)}


def test_items_of_a_survey_come_after_a_column_of_its_own_values_but_make_it_no_surer():
    table = table_of(**ITEMS, a=normal(N), visits=cycled("1213", N), house=cycled(["flat", "farm"], N), b=normal(N, 1))
    plan = apply(propose(table))
    assert plan.label.name == "house"
    towns = {f"t{k}": [f"town {j % 30}" for j in range(N)] for k in range(3)}  # too many to be answers
    assert {*towns, "house"}.isdisjoint(_items(propose(table_of(**ITEMS, **towns, house=cycled("uv", N))).facts))
    last = apply(propose(table_of(a=normal(N), **ITEMS, house=cycled(["flat", "farm"], N))))
    assert (last.label.name, last.label.sure) == ("house", False)


@pytest.mark.parametrize(
    ("other", "cells"),
    [
        ("trial", cycled("xyz", N)),
        ("Versuch", cycled("ab", N)),
        ("group_id", cycled("mn", N)),
        ("consent", ["yes"] * (N - 2) + ["no"] * 2),
    ],
)
def test_what_is_seldom_a_label_comes_after_what_may_be_one(other, cells):
    plan = apply(propose(table_of(**{other: cells}, a=normal(N), kept=cycled("klk", N), b=normal(N, 1))))
    assert plan.label.name == "kept"


def test_a_rare_class_of_three_is_no_reason_to_come_last():
    grades = ["high", "low"] * (N // 2 - 1) + ["rare"] * 2
    plan = apply(propose(table_of(found=grades, a=normal(N), kept=cycled("klk", N), b=normal(N, 1))))
    assert plan.label.name == "found"


def test_a_label_is_as_sure_as_the_nearest_of_the_others_makes_it():
    best, other = propose(table_of(kind=cycled("uv", N), a=normal(N), b=normal(N, 1))).candidates[:2]
    best = replace(best, score=9.0, by_name=9.0)
    assert is_sure((best, replace(other, score=0.0)))
    assert not is_sure((best, replace(other, score=0.0), replace(other, score=8.9)))


def test_words_for_training_and_test_rows_are_no_label():
    split = cycled(["train", "train", "test"], N)
    plan = apply(propose(table_of(a=normal(N), colour=cycled(["r", "g"], N), b=normal(N, 1), split=split)))
    assert [candidate.name for candidate in plan.proposal.candidates if candidate.score > 0] == ["colour"]
    assert "split" not in [answer.text for question in plan.questions for answer in question.answers]


@pytest.mark.parametrize("name", ["lon", "geometry.coordinates 2", "zip code"])
def test_a_coordinate_is_not_what_a_table_is_about(name):
    columns = {"colour": cycled(["r", "g"], N), "a": normal(N), name: normal(N, 1)}
    candidates = propose(table_of(**columns)).candidates
    assert [candidate.name for candidate in candidates] == ["colour", "a"]


def test_a_question_about_the_person_comes_first():
    asked = {"How did you hear of us?": cycled(["paper", "friend"], N), "What is your gender?": cycled("fm", N)}
    plan = apply(propose(table_of(a=normal(N), **asked, b=normal(N, 1))))
    assert plan.label.name == "What is your gender?"
    short = table_of(a=normal(N), house=cycled(["flat", "farm"], N), Faculty=cycled("fm", N), b=normal(N, 1))
    assert apply(propose(short)).label.name == "house"
    table = table_of(**ITEMS, a=normal(N), **{"What is your gender?": cycled("fm", N)})
    assert not apply(propose(table)).label.sure


def test_three_rows_of_each_number_are_enough_for_a_class():
    level = [str(k // 3) for k in range(33)]
    candidates = propose(table_of(level=level, a=normal(33), b=normal(33, 1))).candidates
    assert candidates[0].name == "level"


def test_words_that_repeat_are_offered_where_no_column_looks_like_a_label():
    ligand = [f"L{k % 40}" for k in range(N)]
    plan = apply(propose(table_of(receptor=[f"R {k}" for k in range(N)], ligand=ligand, a=normal(N), b=normal(N, 1))))
    assert plan.label is None
    (question,) = [question for question in plan.questions if question.key == "label"]
    assert [answer.text for answer in question.answers] == ["ligand", "b", "a"]


def test_the_number_of_a_record_is_no_label_by_its_name():
    assert label_score("TARGET_FID") == 0 < label_score("target_id")
    assert label_score("properties.status") == label_score("status")
    assert label_score("properties.y", ["properties.x", "properties.y"]) == 0


@pytest.mark.parametrize(("last", "offered"), [("price", True), ("depth", False)])
def test_a_last_column_is_always_an_answer_where_it_holds_whole_numbers(last, offered):
    kinds = {f"kind {k}": cycled(cells, N) for k, cells in enumerate(("uv", "wxa", "yzbc", "stdef"))}
    cells = [k * 7 % 59 * (1 if offered else 0.37) for k in range(N)]
    plan = apply(propose(table_of(**kinds, a=normal(N), **{last: cells})))
    assert (last in [other.name for other in plan.label.runners_up]) == offered


def test_what_the_gaps_of_most_columns_tell_comes_behind():
    n = 24
    first, second = ([f"{k / 7:.2f}" if (k < 12) == is_first else "" for k in range(n)] for is_first in (True, False))
    parts = dict.fromkeys("abc", first) | dict.fromkeys("def", second)
    table = table_of(time=["pre", "post"] * 12, form=["p"] * 12 + ["q"] * 12, **parts)
    plan = apply(propose(table))
    assert [each.name for each in (plan.label.candidate, *plan.label.runners_up)][:2] == ["time", "form"]
    parts["a"] = parts["b"] = parts["c"] = ["", *first[1:]]
    table = table_of(form=["p"] * 12 + ["q"] * 12, time=["pre", "post"] * 12, **parts)
    assert apply(propose(table)).label.name == "form"


def test_what_a_program_of_surveys_adds_is_no_label_and_no_feature():
    n = 60
    added = {
        "ResponseId": [f"R_{k * 7919 % 997}" for k in range(n)],
        "Status": ["8" if k % 9 == 0 else "0" for k in range(n)],
    }
    added |= {"Progress": [str(100 - k % 5) for k in range(n)], "Finished": cycled("10", n)}
    answers = {"q1": cycled("1234", n), "gender": cycled(["m", "f"], n)}
    plan = apply(propose(table_of(**added, **answers)))
    assert plan.label.name in ("q1", "gender")
    assert {name for name, why in plan.columns.left_out if why == OF_SURVEY} == set(added)
    assert not {each.name for each in plan.proposal.candidates} & set(added)
    del added["ResponseId"]  # three
    assert apply(propose(table_of(**added, **answers))).label.name == "Status"


def test_one_of_many_columns_of_counts_is_not_proposed():
    n = 60
    counts = {f"sp_{name}": cycled("0012" if k % 2 else "0001", n) for k, name in enumerate("abcdefghij")}
    plan = apply(propose(table_of(height=normal(n), **counts, slope=normal(n, 1))))
    assert plan.label is None
    assert [answer.text for answer in plan.questions[0].answers][-1] == "slope"
    assert plan.questions[0].answers[0].text.startswith("sp_")
    last = apply(propose(table_of(height=normal(n), **counts)))
    assert last.label.name == "sp_j"
    del counts["sp_a"], counts["sp_b"], counts["sp_c"]
    assert apply(propose(table_of(height=normal(n), **counts, slope=normal(n, 1)))).label is not None


def test_yttrium_is_no_label():
    assert label_score("Y", ["Zr", "Sr", "Y"]) > 0
    assert label_score("Y", ["Zr", "Sr", "Rb", "Y"]) == 0


def test_an_outcome_by_its_name_is_among_the_answers():
    n = 60
    table = table_of(
        total=normal(n, 3), kind=cycled("abc", n), day=cycled("uvwxyz", n), month=cycled("rst", n), wet=normal(n)
    )
    asked = apply(propose(table)).questions[0]
    assert [answer.text for answer in asked.answers][:1] == ["kind"]
    assert "total" in [answer.text for answer in asked.answers]
    assert asked.answers[[answer.text for answer in asked.answers].index("total")].cost == (
        f"column 1 of 5, {n} different numbers"
    )


@pytest.mark.parametrize(("n_gaps", "sure"), [(12, True), (13, False)])
def test_a_label_with_many_words_for_gaps_is_asked_about(n_gaps, sure):
    species = [*["na"] * n_gaps, *cycled(["oak", "elm"], 60 - n_gaps)]
    assert apply(propose(table_of(a=normal(60), b=normal(60, 1), species=species))).label.sure == sure


def test_large_numbers_beside_other_large_ones_are_measurements():
    n = 100
    rng = np.random.default_rng(1)
    columns = {name: [str(x) for x in rng.integers(200_000, 900_000, n)] for name in ("farms", "trade", "mines")}
    plan = apply(propose(table_of(kind=cycled("ab", n), **columns)))
    assert set(plan.columns.features) == set(columns)
    del columns["mines"]
    plan = apply(propose(table_of(kind=cycled("ab", n), height=normal(n), **columns)))
    assert plan.columns.features == ("height",)


def test_two_names_that_only_a_program_of_surveys_gives_are_enough():
    added = {"submitdate": [f"2024-01-{1 + k % 28:02d}" for k in range(N)], "lastpage": cycled("45", N)}
    answers = {"q1": normal(N), "gender": WORDS}
    plan = apply(propose(table_of(**added, **answers)))
    assert {name for name, why in plan.columns.left_out if why == OF_SURVEY} == set(added)
    kept = {"progress": cycled("12", N), "lastpage": cycled("45", N)}
    plan = apply(propose(table_of(**kept, **answers)))
    assert OF_SURVEY not in {why for _, why in plan.columns.left_out}


def test_how_far_an_interview_came_is_no_label():
    states = cycled(["Completed", "Started"], N)
    candidates = propose(table_of(status=states, a=normal(N), b=cycled("123", N))).candidates
    assert "status" not in {each.name for each in candidates}
    candidates = propose(table_of(status=cycled(["Completed", "Sick"], N), a=normal(N), b=cycled("123", N))).candidates
    assert candidates[0].name == "status"


@pytest.mark.parametrize(("name", "cells", "sure"), [("rpm", "599 600", False), ("rpm", "1 2", True)])
def test_few_large_numbers_below_no_labels_name_are_asked_about(name, cells, sure):
    a, b = cells.split()
    label = apply(propose(table_of(a=normal(N), b=normal(N, 1), **{name: cycled([a, b, b], N)}))).label
    assert (label.name, label.sure) == (name, sure)


def test_units_are_no_label():
    candidates = propose(table_of(mass=normal(N), mass__unit=cycled(["Ms", "Me"], N), kind=cycled("uvw", N))).candidates
    assert candidates[0].name == "kind"
    assert label_score("mass unit") < 0


@pytest.mark.parametrize(("n_classes", "sure"), [(50, True), (51, False)])
def test_very_many_classes_are_asked_about_whatever_the_name(n_classes, sure):
    n = 8 * n_classes
    label = apply(
        propose(table_of(species=[f"sp{k % n_classes}" for k in range(n)], a=normal(n), b=normal(n, 1)))
    ).label
    assert (label.name, label.sure) == ("species", sure)


def test_a_class_of_blank_rows_makes_no_other_label_and_the_last_of_equals_comes_first():
    few = ["" if k < 6 else f"{k / 7:.2f}" for k in range(N)]  # a tenth of the rows
    tags = ["none" if k < 6 else "uv"[k % 2] for k in range(N)]
    table = table_of(align=cycled(["left", "right"], N), a=few, b=few, mark__kind=cycled("pqr", N), mark=tags)
    first, second, *_ = propose(table).candidates
    assert (first.name, second.name, first.score) == ("mark", "mark kind", second.score)


def test_where_no_column_looks_like_a_label_few_steps_are_offered_and_no_text():
    n = 100
    lists = [f"{{3: {90 - k % 70}.0, 2: {k % 70}.5, 1: 7.5, 0: 1}}" for k in range(n)]
    steps = {
        name: [f"{0.5 + (k // every) % most / 9:.4f}" for k in range(n)]
        for name, every, most in (("p", 25, 4), ("q", 5, 3))
    }
    plan = apply(propose(table_of(lists=lists, **steps, a=normal(n), last=normal(n, 1))))
    (question,) = (each for each in plan.questions if each.key == "label")
    assert [answer.text for answer in question.answers] == ["last", "q", "p", "a"]


def sites(n_species):
    """How often each species was seen, most of them nowhere at most sites, beside the height of the site."""
    seen = {f"beetle {k}": [str((j + k) % 4 if j % 3 == k % 3 else 0) for j in range(N)] for k in range(n_species)}
    rare = [str(int(j % 9 == 4)) for j in range(N)]
    return table_of(site=[f"s{k}" for k in range(N)], **seen, rare=rare, height=normal(N))


@pytest.mark.parametrize(("n_species", "offered"), [(8, ["height"]), (7, ["height"]), (2, ["rare", "height"])])
def test_counts_of_rare_species_are_no_answers_where_these_are_many(n_species, offered):
    question = apply(propose(sites(n_species))).questions[0]
    found = [answer.text for answer in question.answers]
    assert [name for name in found if name in ("rare", "height")] == offered
    assert len(found) == (1 if n_species == 8 else 4)
    assert ("Choose a number to predict" in question.text) == (n_species == 8)


def test_a_time_is_not_what_a_table_is_about():
    def last(name):
        rooms, others = [str(k * k % 59) for k in range(N)], [str(7919 * k % 89) for k in range(N)]
        plan = apply(propose(table_of(a=normal(N), rooms=rooms, **{name: others})))
        return plan.questions[0].answers[0].text

    assert (last("update__time"), last("up__tide")) == ("rooms", "up tide")
    assert (last("rooms__err2"), last("rooms__e2")) == ("rooms", "rooms e2")


def test_the_number_beside_a_spectrum_is_the_one_to_predict():
    def offered(n_bands):
        bands = {str(350 + k): [f"{0.1 + (j * (k + 3)) % 89 / 100}" for j in range(N)] for k in range(n_bands)}
        plan = apply(propose(table_of(sample=[f"s{k}" for k in range(N)], carbon=normal(N), **bands)))
        return [answer.text for answer in plan.questions[0].answers]

    assert offered(20) == ["carbon"]
    assert offered(19) == ["368", "carbon", "350", "367"]


def test_in_a_wide_table_the_first_number_is_offered_too():
    steps = {f"d{k}": cycled([str(k + j) for j in range(4)], N) for k in range(1, 10)}
    wide = {f"m{k}": normal(N, k) for k in range(4)}
    plan = apply(propose(table_of(name=[f"s{k}" for k in range(N)], potency=normal(N, 9), **steps, **wide)))
    assert [answer.text for answer in plan.questions[0].answers] == ["d1", "d2", "m3", "potency"]


@pytest.mark.parametrize(
    ("name", "cells", "is_last"),
    [
        ("Range", cycled([f"Range {k}" for k in range(5)], N), True),
        ("Pasture", cycled([f"Range {k}" for k in range(5)], N), False),
        ("city", ["Rome"] * (N - 2) + ["Pisa", "Bari"], True),
        ("city", ["Rome"] * (N - 4) + ["Pisa", "Bari"] * 2, False),
    ],
)
def test_places_of_a_field_and_what_nearly_all_rows_share_come_last(name, cells, is_last):
    table = table_of(a=normal(N), **{name: cells}, b=normal(N, 1), crop=cycled(["oat", "rye"], N), c=normal(N, 2))
    found = [candidate.name for candidate in propose(table).candidates]
    assert (found.index("crop") < found.index(name)) == is_last


def test_a_total_of_something_is_no_outcome_by_its_name():
    table = table_of(**{"total sand": normal(N), "a": normal(N, 1), "town": cycled("nse", N), "sales": normal(N, 2)})
    named = [other.name for other in apply(propose(table)).label.runners_up]
    assert named == ["sales", "total sand", "a"]


def test_conditions_are_offered_after_what_was_measured_under_them():
    def offered(*names):
        n = 300
        salts = [f"salt {k % 60}" for k in range(n)]
        columns = {name: normal(n, k) for k, name in enumerate(names)}
        label = apply(propose(table_of(salt=salts, **columns, formula=[f"formula {k % 59}" for k in range(n)]))).label
        assert (label.sure, label.candidate.n_classes > 50) == (False, True)
        return [other.name for other in label.runners_up if other.mode == "bins"]

    assert offered("temperature", "viscosity", "delta__viscosity") == ["viscosity", "temperature"]
    assert offered("heat", "viscosity", "gain") == ["heat", "gain"]


@pytest.mark.parametrize(
    ("name", "cells", "mode"),
    [
        ("score", [k * k % 47 if k > 5 else 90 + k for k in range(120)], "bins"),
        ("breed", [k * k % 47 if k > 5 else 90 + k for k in range(120)], "classes"),  # by its name
        ("score", [k * k % 47 for k in range(120)], "classes"),  # none once
        ("score", [k * k % 47 if k > 5 else 90 + k for k in range(360)], "classes"),  # ten rows each
    ],
)
def test_scores_of_which_several_occur_once_are_numbers(name, cells, mode):
    label = apply(propose(table_of(a=normal(len(cells)), **{name: cells})), Choices(label=name)).label
    assert label.candidate.mode == mode


def test_one_button_of_four_is_for_a_number_where_four_columns_could_be_the_classes():
    kinds = {name: cycled(cells, N) for name, cells in (("p", "abc"), ("q", "defg"), ("r", "hijkm"), ("s", "lmnopq"))}
    columns = {"a": normal(N), **kinds, "b": normal(N, 1), "remark": [f"r{k}" for k in range(N)]}
    label = apply(propose(table_of(**columns))).label
    assert [other.name for other in (label.candidate, *label.runners_up)] == ["p", "q", "r", "a"]
    whole = {name: cells for name, cells in columns.items() if name not in ("a", "b")}
    label = apply(propose(table_of(**whole))).label
    assert len(label.runners_up) == 3


@pytest.mark.parametrize(("n_rare", "sure"), [(2, True), (6, False)])
def test_a_label_of_which_many_classes_have_one_row_is_asked_about(n_rare, sure):
    species = [*(f"rare {k}" for k in range(n_rare)), *cycled("abcdefgh", N - n_rare)]
    assert apply(propose(table_of(a=normal(N), species=species, b=normal(N, 1)))).label.sure == sure


def test_no_button_is_for_a_number_that_counts_the_rows():
    order = [str(7 * k % N + 1) for k in range(N)]
    columns = {"no": order, "a": normal(N), "town": cycled("nse", N), "b": normal(N, 1), "day": cycled("pqrst", N)}
    label = apply(propose(table_of(**columns))).label
    assert [other.name for other in label.runners_up] == ["day", "b", "a"]


@pytest.mark.parametrize(("n_controls", "sure"), [(11, True), (12, False)])
def test_a_name_is_not_enough_where_the_gaps_of_others_are_those_of_one_of_two_classes(n_controls, sure):
    n = 400
    columns = {f"{name}": normal(n, k) for k, name in enumerate("ab")}
    for cells in columns.values():
        cells[:n_controls] = [""] * n_controls
    kinds = ["control"] * n_controls + ["sample"] * (n - n_controls)
    label = apply(propose(table_of(type=kinds, **columns, c=normal(n, 2)))).label
    assert (label.name, label.sure) == ("type", sure)
    assert apply(propose(table_of(species=kinds, **columns, c=normal(n, 2)))).label.sure  # a name that is enough


def test_a_number_whose_name_ends_like_a_label_is_asked_about_unless_it_is_last():
    def sure(**columns):
        label = apply(propose(table_of(**columns))).label
        assert label.candidate.mode == "bins"
        return label.sure

    numbers, others = normal(150, 1), {"a": normal(150), "b": normal(150, 2)}
    assert not sure(test__label=numbers, **others)
    assert sure(label=numbers, **others)
    assert sure(**others, test__label=numbers)


@pytest.mark.parametrize(("n", "penalty"), [(199, 2.0), (200, 0.0)])
def test_single_rows_beside_large_classes_are_slips(n, penalty):
    words = ["slip", "blank", *("ABC"[k % 3] for k in range(n - 2))]
    (found,) = (each for each in propose(table_of(a=normal(n), tint=words, b=normal(n, 1))).candidates[:1])
    assert (found.name, found.score) == ("tint", 1.5 + 1.0 - penalty)  # the only words


@pytest.mark.parametrize(("n", "first"), [(39, "rank"), (40, "sample id")])
def test_few_samples_with_many_rows_each_are_classes_unless_numbered(n, first):
    columns = {"sample__id": [f"{'wxyz'[k % 4]}" for k in range(n)], "rank": ["pq"[k % 3 % 2] for k in range(n)]}
    found = [each.name for each in propose(table_of(a=normal(n), **columns, b=normal(n, 1))).candidates]
    assert found[0] == first
    numbered = {"sample__id": ["1234"[k % 4] for k in range(n)], "steps": cycled("01234", n)}
    assert propose(table_of(**numbered, b=normal(n, 1))).candidates[0].name == "steps"


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


@pytest.mark.parametrize(("names", "label"), [("{}.5__{}", None), ("m{}.5__{}", "group read from name")])
def test_names_of_digits_alone_form_no_groups(names, label):
    n = 40
    named = [names.format(100 + k // 5, k) for k in range(n)]
    plan = apply(propose(table_of(name=named, a=normal(n), b=normal(n, 1))))
    assert (plan.label and plan.label.name) == label


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


@pytest.mark.parametrize(("n_words", "label"), [(100, "group read from text"), (99, "quality")])
def test_among_very_many_frequencies_of_words_names_say_nothing(n_words, label):
    n = 40
    texts = [f"{'CD'[k % 2]}{k}_Ant" for k in range(n)]
    words = [
        "quality",
        "case",
        "started",
        "language",
        "finished",
        "missing",
        *(f"w{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(n_words - 6)),
    ]
    plan = apply(propose(table_of(text=texts, **{word: normal(n, k) for k, word in enumerate(words)})))
    assert plan.label.name == label
    assert ("case" in dict(plan.columns.left_out)) == (n_words == 99)
    if n_words == 100:  # and eleven other columns
        counts = {f"n{chr(97 + k)}": cycled("0123456789", n) for k in range(11)}
        words_and_counts = table_of(text=texts, **counts, **{word: normal(n, k) for k, word in enumerate(words)})
        assert propose(words_and_counts).candidates[0].name == "quality"


@pytest.mark.parametrize("cell", ["http://example.org/{}", "0b97014f-1a82-46d5-bfbf-8985700000{:02}", "{}"])
def test_of_columns_that_tell_the_same_one_is_offered(cell):
    towns = cycled("nsew", N)
    links = [cell.format("nsew".index(town)) for town in towns]
    plan = apply(propose(table_of(kind=WORDS, link=links, a=normal(N), town=towns, b=normal(N, 1))))
    offered = [plan.label.name, *(other.name for other in plan.label.runners_up)]
    assert set(offered) & {"link", "town"} == ({"link", "town"} if cell == "{}" else {"town"})  # numbers may be others


@pytest.mark.parametrize(("n_gaps", "first"), [(13, "b"), (12, "a")])
def test_numbers_with_many_gaps_are_offered_behind_others(n_gaps, first):
    cells = normal(N)
    cells[:n_gaps] = [""] * n_gaps
    (question, *_) = apply(propose(table_of(a=cells, b=normal(N, 1), c=normal(N, 2), d=normal(N, 3)))).questions
    assert next(answer.text for answer in question.answers if answer.text in ("a", "b")) == first
