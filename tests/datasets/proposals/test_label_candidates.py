"""Which column is proposed as the label, by its name, values and place, and what is shown of it."""

import numpy as np
import pytest

from datasets.columns import column_of
from datasets.columns.names import label_score
from datasets.proposals import Choices, apply, classes_line, propose
from datasets.proposals.labels import _items, described, short_classes
from datasets.proposals.roles import OF_RECORDING
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


@pytest.mark.parametrize("name", ["is_victor", "elected", "是否當選"])
def test_who_was_elected_is_a_label(name):
    assert label_score(name) > label_score("selected") == label_score("elector") == 0


@pytest.mark.parametrize("name", ["event_altitude", "class size", "outcomeAge"])
def test_a_measurement_of_a_labelled_thing_is_no_label(name):
    assert label_score(name) == 0 < label_score(name.split("_")[0].split()[0].removesuffix("Age"))


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("Prior Diagnosis", 0.0),
        ("family history of cancer", 0.0),
        ("previous outcome", 0.0),
        ("final diagnosis", 5.0),
        ("Overall Survival Status", 5.0),
        ("vital_status", 5.0),
        ("marital status", 1.0),
    ],
)
def test_what_was_before_is_no_label_and_survival_is_one(name, score):
    assert label_score(name) == score


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
    for one, other in (("A-1", "A 1"), ("q 17", "q 1 7")):
        assert not propose(table_of(light=cycled([one, other], N), a=normal(N))).fact("light").spellings
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


def test_the_number_of_a_record_is_no_label_by_its_name():
    assert label_score("TARGET_FID") == 0 < label_score("target_id")
    assert label_score("first_species_id") > 0 == label_score("first_visit_id")
    assert label_score("nStroke") == 0 < label_score("stroke")
    assert label_score("target_temp") == 0 < label_score("dx") == label_score("disease")
    assert label_score("STUDY.DAY.TARGET") == 0 < label_score("1_year_mortality")
    assert label_score("properties.status") == label_score("status")
    assert label_score("properties.y", ["properties.x", "properties.y"]) == 0


@pytest.mark.parametrize("step", [1, 0.37])
def test_a_last_column_of_numbers_is_always_an_answer(step):
    kinds = {f"kind {k}": cycled(cells, N) for k, cells in enumerate(("uv", "wxa", "yzbc", "stdef"))}
    plan = apply(propose(table_of(**kinds, a=normal(N), depth=[k * 7 % 59 * step for k in range(N)])))
    assert "depth" in [other.name for other in plan.label.runners_up]


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


def test_what_a_program_of_recordings_adds_is_no_label_and_no_feature():
    n = 60
    added = {
        "ResponseId": [f"R_{k * 7919 % 997}" for k in range(n)],
        "Status": ["8" if k % 9 == 0 else "0" for k in range(n)],
    }
    added |= {"Progress": [str(100 - k % 5) for k in range(n)], "Finished": cycled("10", n)}
    answers = {"q1": cycled("1234", n), "gender": cycled(["m", "f"], n)}
    plan = apply(propose(table_of(**added, **answers)))
    assert plan.label.name in ("q1", "gender")
    assert {name for name, why in plan.columns.left_out if why == OF_RECORDING} == set(added)
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


def test_large_numbers_beside_other_large_ones_are_measurements():
    n = 100
    rng = np.random.default_rng(1)
    columns = {name: [str(x) for x in rng.integers(200_000, 900_000, n)] for name in ("farms", "trade", "mines")}
    plan = apply(propose(table_of(kind=cycled("ab", n), **columns)))
    assert set(plan.columns.features) == set(columns)
    del columns["mines"]
    plan = apply(propose(table_of(kind=cycled("ab", n), height=normal(n), **columns)))
    assert plan.columns.features == ("height",)


def test_two_names_that_only_a_program_of_recordings_gives_are_enough():
    added = {"submitdate": [f"2024-01-{1 + k % 28:02d}" for k in range(N)], "lastpage": cycled("45", N)}
    answers = {"q1": normal(N), "gender": WORDS}
    plan = apply(propose(table_of(**added, **answers)))
    assert {name for name, why in plan.columns.left_out if why == OF_RECORDING} == set(added)
    kept = {"progress": cycled("12", N), "lastpage": cycled("45", N)}
    plan = apply(propose(table_of(**kept, **answers)))
    assert OF_RECORDING not in {why for _, why in plan.columns.left_out}


@pytest.mark.parametrize(
    ("flags", "are_left_out"),
    [
        (("QV:SEADATANET", "QV:SEADATANET (2)"), True),
        (("u_qc", "v_qc"), True),
        (("Flag", "Flag (2)"), True),
        (("u flag", "v flag"), True),  # behind the columns u and v
        (("smoking flag", "fever flag"), False),  # features of two values
        (("qc",), False),  # a single one may be anything
    ],
)
def test_flags_of_measurements_are_no_features_and_no_label(flags, are_left_out):
    kept = {name: cycled(f"1{k}", N) for k, name in enumerate(flags, start=2)}
    plan = apply(propose(table_of(u=normal(N), v=normal(N, 1), kind=cycled("xy", N), **kept)))
    left_out = [name for name, why in plan.columns.left_out if why == OF_RECORDING]
    assert left_out == (list(flags) if are_left_out else [])


def test_how_far_an_interview_came_is_no_label():
    states = cycled(["Completed", "Started"], N)
    candidates = propose(table_of(status=states, a=normal(N), b=cycled("123", N))).candidates
    assert "status" not in {each.name for each in candidates}
    candidates = propose(table_of(status=cycled(["Completed", "Sick"], N), a=normal(N), b=cycled("123", N))).candidates
    assert candidates[0].name == "status"


def test_units_are_no_label():
    candidates = propose(table_of(mass=normal(N), mass__unit=cycled(["Ms", "Me"], N), kind=cycled("uvw", N))).candidates
    assert candidates[0].name == "kind"
    assert label_score("mass unit") < 0


def test_a_class_of_blank_rows_makes_no_other_label_and_the_last_of_equals_comes_first():
    few = ["" if k < 6 else f"{k / 7:.2f}" for k in range(N)]  # a tenth of the rows
    tags = ["none" if k < 6 else "uv"[k % 2] for k in range(N)]
    table = table_of(align=cycled(["left", "right"], N), a=few, b=few, mark__kind=cycled("pqr", N), mark=tags)
    first, second, *_ = propose(table).candidates
    assert (first.name, second.name, first.score) == ("mark", "mark kind", second.score)


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
    assert (found.index("crop") < [*found, name].index(name)) == is_last


def test_a_total_of_something_is_no_outcome_by_its_name():
    table = table_of(**{"total sand": normal(N), "a": normal(N, 1), "town": cycled("nse", N), "sales": normal(N, 2)})
    named = [other.name for other in apply(propose(table)).label.runners_up]
    assert named == ["sales", "total sand", "a"]


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


@pytest.mark.parametrize(("names", "label"), [("{}.5__{}", None), ("m{}.5__{}", "group read from name")])
def test_names_of_digits_alone_form_no_groups(names, label):
    n = 40
    named = [names.format(100 + k // 5, k) for k in range(n)]
    plan = apply(propose(table_of(name=named, a=normal(n), b=normal(n, 1))))
    assert (plan.label and plan.label.name) == label


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


@pytest.mark.parametrize(("name", "n_others", "offered"), [("moss", 1, False), ("moss", 2, True), ("class", 1, True)])
def test_a_class_beside_single_rows_is_no_button_unless_its_name_says_so(name, n_others, offered):
    counts = ["0"] * (N - n_others) + ["7"] * n_others
    plan = apply(propose(table_of(a=normal(N), crop=cycled(["oat", "rye"], N), b=normal(N, 1), **{name: counts})))
    assert (name in [plan.label.name, *(other.name for other in plan.label.runners_up)]) == offered


def test_names_of_classes_are_cut_where_they_differ():
    arc = "THE ALEUTIAN ARC OF THE NORTH / {} ISLAND OF THE ARC / PACIFIC OCEAN"
    long = [arc.format(island) for island in ("ADAK", "ATKA")]
    assert short_classes(long) == ["…DAK ISLAND OF THE ARC / PACIF…", "…TKA ISLAND OF THE ARC / PACIF…"]
    assert short_classes(["oat", *long])[0] == "…oat"


def test_kinds_of_geometry_are_no_label():
    kinds = cycled(["Polygon", "MultiPolygon"], N)
    found = propose(table_of(type=kinds, crop=cycled(["oat", "rye"], N), a=normal(N))).candidates
    assert "type" not in [candidate.name for candidate in found]
    found = propose(table_of(type=[*kinds[1:], "Sea"], crop=cycled(["oat", "rye"], N), a=normal(N))).candidates
    assert "type" in [candidate.name for candidate in found]


@pytest.mark.parametrize(("name", "sure"), [("REFERENCE", False), ("soil", True)])
def test_where_values_were_taken_from_is_no_sure_label(name, sure):
    plan = apply(propose(table_of(a=normal(N), b=normal(N, 1), **{name: cycled(["Wu 2003", "Li 2007"], N)})))
    assert (plan.label.name, plan.label.sure) == (name, sure)


def test_the_source_of_values_and_mostly_blank_columns_come_behind():
    town = [f"town {k % 9}" if k < N - 4 else f"place {k}" for k in range(N)]  # several single rows
    blank = [f"m{k * k // 16 % 2}" if k % 4 == 0 else "" for k in range(N)]
    found = propose(table_of(a=normal(N), town=town, method=blank, b=normal(N, 1), c=normal(N, 2))).candidates
    assert [candidate.name for candidate in found if candidate.name in ("method", "town")] == ["town", "method"]
    source = cycled(["Wu 2003", "Li 2007"], N)
    found = propose(table_of(a=normal(N), citation=source, crop=cycled("xyz", N), b=normal(N, 1))).candidates
    assert [candidate.name for candidate in found][:2] == ["crop", "citation"]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["1", "2", "3"], "3 different whole numbers"),
        (["1", "2", "3", "NA"], "3 different whole numbers"),
        (["1", "2", "3", "3", "x"], "4 different values"),
    ],
)
def test_what_a_column_of_numbers_holds_is_counted_without_gaps_and_odd_cells(cells, words):
    found = propose(table_of(a=normal(N), wave=cycled(cells, N), b=normal(N, 1))).candidates
    assert f"it holds {words}" in next(candidate.reason for candidate in found if candidate.name == "wave")


@pytest.mark.parametrize(
    ("n_own", "n_shared", "n_astray", "sure"),
    [(5, 2, 0, False), (4, 2, 0, True), (5, 3, 0, True), (5, 2, 1, True)],
)
def test_the_kind_of_records_with_fields_of_their_own_is_asked_about(n_own, n_shared, n_astray, sure):
    kinds = ["way" if k % 6 == 0 else "node" for k in range(N)]
    places = ["" if kind == "way" else f"{k / 7:.2f}" for k, kind in enumerate(kinds)]
    ways = [k for k, kind in enumerate(kinds) if kind == "way"]
    tags = {f"tag {j}": ["ab"[k % 2] if k in ways[:n_own] else "" for k in range(N)] for j in range(2)}
    for cells in tags.values():
        cells[1 : 1 + n_astray] = ["a"] * n_astray
    shared = {f"part {j}": ["" if k % 7 == 0 else f"{k * k % 59 / 8}" for k in range(N)] for j in range(n_shared)}
    label = apply(propose(table_of(type=kinds, lat=places, **tags, **shared, size=normal(N)))).label
    assert (label.name, label.sure) == ("type", sure)


def sky(least=3.0, hours=10):
    """Stars in a small field: hours, minutes and seconds, degrees, minutes and seconds."""
    seconds = [f"{least + k * 7 % 41 + k / 100:05.2f}" for k in range(N)]
    places = [[str(hours + k % 2), f"{7 + k % 3:02d}", s, "+12", f"{19 + k % 4}", s[:4]] for k, s in enumerate(seconds)]
    return {f"p{k}": list(cells) for k, cells in enumerate(zip(*places, strict=True))}


@pytest.mark.parametrize(("places", "are_one"), [(sky(), True), (sky(least=10), False), (sky(hours=23), False)])
def test_the_minutes_of_a_place_in_the_sky_are_no_button(places, are_one):
    plan = apply(
        propose(table_of(star=[f"V{k}" for k in range(N)], **places, kind=cycled(["ab", "c"], N), mag=normal(N)))
    )
    offered = {plan.label.name, *(other.name for other in plan.label.runners_up)}
    assert offered.isdisjoint(places) == are_one
    plain = apply(propose(table_of(**places, a=normal(N), b=normal(N, 1))))
    answers = {answer.text for question in plain.questions[:1] for answer in question.answers}
    assert answers.isdisjoint(places) == are_one


@pytest.mark.parametrize(("n_single", "n_twice", "is_one"), [(1, 0, False), (3, 0, False), (1, 2, True)])
def test_one_class_beside_single_rows_is_no_label(n_single, n_twice, is_one):
    """As a line above the table that was read as its first row, or "X" beside a few numbers."""
    flags = [*(str(k) for k in range(n_single)), *["7"] * n_twice, *["12"] * (N - n_single - n_twice)]
    found = propose(table_of(a=normal(N), b=normal(N, 1), flag=flags)).candidates
    assert ("flag" in [each.name for each in found]) == is_one
