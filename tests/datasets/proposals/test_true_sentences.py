"""Questions, reasons and labels say what holds for the table, and nothing is asked that changes nothing."""

from dataclasses import replace

import pytest

from datasets.base.dataset import UNLABELLED
from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, classes_line, orientation_question, propose
from datasets.reading import ReadOptions
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 300
LABEL = cycled("xy", N)


def planned(**columns):
    return apply(propose(table_of(**columns)))


def asked(plan, key):
    return next(question for question in plan.questions if question.key == key)


def test_odd_cells_of_a_column_that_is_left_out_are_not_asked_about():
    mostly_missing = [*["12.5"] * 20, *["high", "low"] * 4, *[""] * (N - 28)]
    plan = planned(a=normal(N), b=normal(N, 1), rest=mostly_missing, label=LABEL)
    assert dict(plan.columns.left_out)["rest"] == "272 of 300 cells are missing"
    assert plan.ready
    assert not any(question.key == "odd_cells" for question in plan.questions)
    put_back = apply(plan.proposal, plan.choices.saying("roles", "rest", "number"))
    assert asked(put_back, "odd_cells").blocking


def test_the_first_odd_cell_is_the_one_on_the_line_that_is_named():
    cells = normal(N)
    cells[4:20] = ["weak", *["strong"] * 9, *["faint"] * 3, *["pale"] * 3]
    question = asked(planned(a=cells, b=normal(N, 1), label=LABEL), "odd_cells")
    assert question.text == (
        "Column 'a': 16 of 300 cells are not usable numbers, the first on line 6: 'weak'. "
        "The most frequent: 'strong' (9), 'faint' (3), 'pale' (3). Treat them as missing?"
    )
    assert [answer.cost for answer in question.answers] == [
        "16 cells lose their value",
        "its numbers become words",
        "1 column fewer",
    ]


def test_a_few_codes_among_numbers_with_leading_zeros_make_a_column_of_text():
    area = cycled(["01", "02", "10", "75"], N)
    area[200:203] = ["2A", "2B", "2A"]
    plan = planned(a=normal(N), area=area, label=LABEL)
    assert "area" in plan.columns.categories
    unknown = planned(a=normal(N), area=[*area[:200], *["unknown"] * 100], label=LABEL)
    assert "area" not in unknown.columns.categories


def test_a_single_odd_cell_is_one():
    plan = planned(a=[*normal(N - 1), "oops"], b=[*normal(N - 1), "inf"], label=LABEL)
    assert "Column 'a': 1 of 300 cells is not a usable number, line 301: 'oops'. It counts as missing." in plan.costs
    assert asked(plan, "odd_cells").text.endswith("line 301: 'inf'. Treat it as missing?")


def test_a_place_is_said_only_where_it_is_true():
    names = [f"s{k * k}" for k in range(N)]
    plan = planned(sample=names, Sex=cycled("mf", N), a=normal(N), kind=cycled("uvw", N), note=names)
    shown = {answer.text: answer.cost for answer in asked(plan, "label").answers}
    assert shown["Sex"].startswith("column 2 of 5, 2 classes")
    assert shown["kind"].startswith("column 4 of 5, 3 classes")
    assert "column" not in plan.label.candidate.reason
    plan = planned(Sex=cycled("mf", N), a=normal(N), kind=cycled("uvw", N))
    shown = {answer.text: answer.cost for answer in asked(plan, "label").answers}
    assert shown["Sex"].startswith("first column, 2 classes")
    assert shown["kind"].startswith("last column, 3 classes")


def test_numbers_are_whole_only_where_they_are():
    for cells, words in ((["2.25", "3.75", "4"], "different numbers"), ("234", "different whole numbers")):
        plan = planned(result=cycled(cells, N), a=normal(N), b=normal(N, 1))
        assert plan.label.candidate.reason == f"its name is 'result' and it holds 3 {words}"


@pytest.mark.parametrize("name", ['{"ImportId":"condition"}', "{'ImportId': 'QID4_class'}"])
def test_a_name_that_is_json_is_no_reason(name):
    plan = planned(a=normal(N), **{name: cycled("uvw", N)}, b=normal(N, 1))
    assert "name" not in plan.label.candidate.reason


def test_a_computed_column_of_a_survey_is_no_label():
    plan = planned(a=normal(N), kind=cycled("uv", N), **{"{sum(Q1.NAOK, Q2.NAOK)}": cycled("1234", N)})
    assert plan.label.name == "kind"
    assert plan.label.candidate.where == "column 2 of 3"


def test_one_row_is_left_out():
    plan = planned(a=[*normal(N - 1), ""], b=normal(N, 1), label=LABEL)
    assert plan.costs[0] == "1 of 300 rows with missing values in a (1) is left out."


def test_classes_that_differ_in_capitals_are_counted_as_one_too():
    season = cycled(["wet", "less wet", "Less Wet"], N)
    plan = planned(a=normal(N), season=season, b=normal(N, 1))
    assert classes_line(plan.label.candidate).startswith("3 classes (2 if spellings are merged): ")
    assert "merged" not in classes_line(planned(a=normal(N), season=cycled("uvw", N)).label.candidate)


def test_once_spellings_are_merged_the_sentences_are_about_the_merged_classes():
    kinds = ["Open"] * 130 + ["open"] * 6 + ["OPEN"] * 4 + ["shut"] * (N - 141) + ["lost"]
    plan = planned(a=normal(N), kind=kinds)
    small = "Classes of fewer than 10 rows, whose accuracy is uncertain: open (6), OPEN (4)."
    assert small in plan.costs
    merged = apply(plan.proposal, replace(plan.choices, merge_spellings=True))
    assert merged.costs == ()
    assert classes_line(merged.label.candidate) == "last column, 3 classes: shut (159), Open (140), lost (1)"
    assert merged.label.candidate.n_single == 1


def test_words_for_a_missing_label_are_asked_about():
    kinds = [*cycled("uv", N - 9), *["NA"] * 6, *["Unknown"] * 2, "none"]
    plan = planned(a=normal(N), kind=kinds)
    question = asked(plan, "label_gaps")
    assert not question.blocking
    assert question.text.startswith("Among the labels: 'NA' (6), 'Unknown' (2). ")
    assert build_dataset(plan.table, plan.columns).class_names == ("NA", "Unknown", "none", "u", "v")
    without, kept = (apply(plan.proposal, answer.choices) for answer in question.answers)
    dataset = build_dataset(without.table, without.columns)
    assert (dataset.class_names, (dataset.y == UNLABELLED).sum()) == (("none", "u", "v"), 8)
    assert classes_line(without.label.candidate).startswith("last column, 3 classes: ")
    assert f"8 of {N} rows have no label: drawn in grey, not trained on." in without.costs
    assert not any("spelling" in note for note in dataset.notes)
    assert not {q.key for each in (without, kept) for q in each.questions} & {"label_gaps"}
    assert kept.columns == plan.columns
    for cells in (["+", "-", "w"], ["u", "none", "v"], ["u", "NA"]):  # classes, or nothing would be left
        chosen = apply(propose(table_of(a=normal(N), kind=cycled(cells, N))), Choices(label="kind"))
        assert not any(q.key == "label_gaps" for q in chosen.questions)
    spelt = [*cycled(["u", "U", "v"], N - 9), *["NA"] * 9]
    plan = planned(a=normal(N), kind=spelt)
    assert " 4 classes (3 if spellings are merged): " in classes_line(plan.label.candidate)
    without = apply(plan.proposal, asked(plan, "label_gaps").answers[0].choices)
    assert " 3 classes (2 if spellings are merged): " in classes_line(without.label.candidate)


def test_a_label_without_any_feature_is_not_asked_about():
    codes = [f"s{k * k % 9973}-{k}" for k in range(N)]
    plan = planned(sample=codes, note=codes[::-1], included=["True"] * (N - 2) + ["False"] * 2)
    assert (plan.label.sure, plan.columns.features, plan.ready) == (False, (), False)
    assert [question.key for question in plan.questions if question.blocking] == ["features"]


def test_where_no_column_can_be_the_label_nothing_else_is_asked():
    codes = [f"s{k * k % 9973}-{k}" for k in range(N)]
    plan = planned(sample=codes, note=codes[::-1])
    (question,) = [question for question in plan.questions if question.blocking]
    assert (question.key, question.answers) == ("label", ())
    assert "words that repeat often" in question.text  # some may repeat


def level_rows(names):
    """Rows that differ in level, as genes do, with columns of these names."""
    columns = {name: [f"{(k * k % 89) * 100 + j + k % 7}" for k in range(90)] for j, name in enumerate(names)}
    return planned(place=[f"{chr(65 + k % 26)}{chr(97 + k // 26)}burg" for k in range(90)], **columns)


@pytest.mark.parametrize(
    ("names", "asks"),
    [
        ([f"P{k}x" for k in range(22)], True),
        ([str(2000 + k) for k in range(22)], False),
        ([f"{2000 + k} [YR{2000 + k}]" for k in range(22)], False),
        ([f"{k}/22/20" for k in range(1, 12)], False),
    ],
)
def test_years_and_dates_in_columns_are_no_samples(names, asks):
    assert (orientation_question(level_rows(names), ReadOptions()) is not None) == asks
