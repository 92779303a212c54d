"""Missing values: the default keeps the most, its cost is counted in cells of the table, and nothing is invented."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.columns import build_dataset, missing_costs
from datasets.proposals import Choices, apply, propose, unasked_plan
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 200
LABEL = cycled("xy", N)


def gappy(cells, every, gap=""):
    return [gap if k % every == 0 else cell for k, cell in enumerate(cells)]


def plan_of(choices=None, **columns):
    return apply(propose(table_of(**columns, label=LABEL)), choices)


def test_a_few_rows_are_left_out():
    plan = plan_of(a=gappy(normal(N), 100), b=normal(N, 1))
    assert (plan.gaps.choice, plan.gaps.ask) == ("drop_rows", False)
    assert plan.costs[0] == "2 of 200 rows with missing values in a (2) are left out."
    dataset = build_dataset(plan.table, plan.columns)
    assert dataset.n_samples == 198
    assert "2 of 200 rows have missing values in a (2) and were left out." in dataset.notes


def test_no_class_is_left_out_with_a_few_rows():
    label = ["missed" if k % 100 == 7 else "hit" if k % 2 else "late" for k in range(N)]
    time = ["" if name == "missed" else cell for name, cell in zip(label, normal(N), strict=True)]
    plan = apply(propose(table_of(time=time, b=normal(N, 1), label=label)))
    assert plan.gaps.choice == "impute"
    assert set(build_dataset(plan.table, plan.columns).class_names) == {"missed", "hit", "late"}


TOLD = "The gaps of 'since' tell the label: nearly all rows of some classes have one, hardly any others do."


@pytest.mark.parametrize("gap", ["", "unknown"])
@pytest.mark.parametrize("astray", [0, 5, 6])  # of 100 rows of a class
def test_gaps_that_are_those_of_a_class_are_named(astray, gap):
    label = ["healthy" if k % 8 == 0 else "mild" if k % 2 else "severe" for k in range(N)]
    since = [gap if name == "healthy" else cell for name, cell in zip(label, normal(N), strict=True)]
    since[1 : 1 + 2 * astray : 2] = [gap] * astray
    plan = apply(propose(table_of(since=since, b=gappy(normal(N, 1), 7), label=label)))
    if gap:
        (question,) = [question for question in plan.questions if question.key == "odd_cells"]
        plan = apply(plan.proposal, question.answers[0].choices.saying("odd_cells", "since", "missing"))
    assert (TOLD in plan.gaps.sentence) == (astray < 6)


@pytest.mark.parametrize("astray", [0, 5, 6])
def test_gaps_of_categories_that_are_those_of_a_class_are_named(astray):
    label = ["healthy" if k % 8 == 0 else "mild" if k % 2 else "severe" for k in range(N)]
    since = ["" if name == "healthy" else "abc"[k * k % 3] for k, name in enumerate(label)]
    since[1 : 1 + 2 * astray : 2] = [""] * astray
    plan = apply(propose(table_of(since=since, b=normal(N, 1), label=label)), Choices("label"))
    assert plan.columns.categories == ("since",)
    assert (TOLD in plan.gaps.sentence) == (astray < 6)


def test_a_few_gaps_of_a_class_or_those_of_all_classes_tell_nothing():
    label = ["rare" if k < 4 else "mild" if k % 2 else "severe" for k in range(N)]
    since = ["" if name == "rare" else cell for name, cell in zip(label, normal(N), strict=True)]
    assert TOLD not in apply(propose(table_of(since=since, b=normal(N, 1), label=label))).gaps.sentence
    label = ["mild" if k % 2 else "severe" if k % 3 else "" for k in range(N)]
    since = [cell if name == "" else "" for name, cell in zip(label, normal(N), strict=True)]
    plan = apply(
        propose(table_of(since=since, b=normal(N, 1), label=label)), Choices("label").saying("roles", "since", "number")
    )
    assert plan.gaps.costs["impute"].n_filled > 0
    assert TOLD not in plan.gaps.sentence


def test_many_gaps_are_filled_so_that_no_row_is_lost():
    plan = plan_of(a=gappy(normal(N), 5), b=gappy(normal(N, 1), 7), c=normal(N, 2))
    n_filled = 40 + 29
    assert plan.gaps.choice == "impute"
    assert plan.costs[0] == f"{n_filled} missing cells are filled with the median of the column: a (40), b (29)."
    assert plan.ready
    dataset = build_dataset(plan.table, plan.columns)
    assert dataset.n_samples == N
    known = np.array([float(cell) for cell in gappy(normal(N), 5) if cell])
    assert dataset.X[0, 0] == np.median(known)
    assert f"{n_filled} missing cells were filled" in dataset.notes[0]


def test_columns_with_very_many_gaps_go_first_and_can_come_back():
    plan = plan_of(a=normal(N), seldom=["" if k % 3 else "5.5" if k % 2 else "7.5" for k in range(N)])
    assert plan.columns.features == ("a",)
    assert plan.gaps.sentence == ""
    assert "Left out, as most of their cells are missing: seldom." in plan.costs
    back = apply(plan.proposal, Choices().saying("roles", "seldom", "number"))
    assert back.columns.features == ("a", "seldom")
    assert back.gaps.ask  # a third of all cells would be filled
    assert not back.ready
    assert apply(back.proposal, back.questions[0].answers[0].choices).ready


def test_where_all_columns_have_very_many_gaps_they_are_used_and_it_is_asked():
    plan = plan_of(a=["" if k % 3 else f"{k}.5" for k in range(N)], b=["" if k % 4 else f"{k}.5" for k in range(N)])
    assert plan.columns.features == ("a", "b")
    assert not plan.ready
    assert plan.questions[0].key == "missing"


def test_what_the_user_chose_is_not_asked():
    plan = plan_of(Choices(missing="drop_rows"), a=gappy(normal(N), 3), b=normal(N, 1))
    assert (plan.gaps.choice, plan.gaps.ask) == ("drop_rows", False)
    assert plan.costs[0] == "67 of 200 rows with missing values in a (67) are left out."
    assert not any(question.key == "missing" for question in plan.questions)


def test_each_answer_keeps_what_it_says():
    plan = plan_of(a=gappy(normal(N), 5), b=gappy(normal(N, 1), 7), c=normal(N, 2))
    question = next(question for question in plan.questions if question.key == "missing")
    assert not question.blocking
    for answer in question.answers:
        settled = apply(plan.proposal, answer.choices)
        dataset = build_dataset(settled.table, settled.columns)
        assert answer.cost.startswith(f"{dataset.n_samples:,} of 200 rows and {dataset.n_features} of 3 columns stay")


@pytest.mark.parametrize(
    ("choice", "names", "first"),
    [
        ("level", ("c = (missing)", "c = p", "c = q"), "(missing)"),
        ("most_frequent", ("c = p", "c = q"), "p"),
    ],
)
def test_a_missing_category_is_a_level_or_the_most_frequent(choice, names, first):
    cells = gappy(["p" if k % 3 else "q" for k in range(N)], 4, "NA")
    plan = plan_of(Choices(category_gaps=choice), a=normal(N), c=cells)
    dataset = build_dataset(plan.table, plan.columns)
    assert tuple(sorted(dataset.feature_names[1:])) == names
    assert dataset.n_samples == N
    np.testing.assert_array_equal(dataset.X[:, 1:].sum(axis=1), 1.0)
    assert dataset.X[0, dataset.feature_names.index(f"c = {first}")] == 1.0
    assert f"50 missing cells in categories count as {'a level' if choice == 'level' else 'the most'}" in plan.costs[0]


def test_gaps_of_categories_are_cells_of_the_table_and_never_a_median():
    cells = gappy(["pqr"[k % 3] for k in range(N)], 4)
    table = table_of(a=gappy(normal(N), 10), c=cells, b=normal(N, 1), label=LABEL)
    columns = replace(apply(propose(table)).columns, category_gaps="gap", missing="impute")
    costs = missing_costs(table, columns)
    assert costs["impute"].n_filled == 20 + 50
    assert costs["drop_rows"].n_rows == N - 60
    assert costs["drop_columns"].n_columns == 1
    dataset = build_dataset(table, columns)
    assert f"{20 + 50} missing cells were filled" in dataset.notes[0]
    assert dataset.feature_names == ("a", "c = p", "c = q", "c = r", "b")
    assert set(np.unique(dataset.X[:, 1:4])) == {0.0, 1.0}
    np.testing.assert_array_equal(dataset.X[:, 1:4].sum(axis=1), 1.0)


def test_a_level_that_stands_only_in_dropped_rows_makes_no_column():
    a = ["" if k == 30 else cell for k, cell in enumerate(normal(N))]
    c = ["once" if k == 30 else "pq"[k % 2] for k in range(N)]
    plan = plan_of(Choices(missing="drop_rows"), a=a, c=c)
    assert build_dataset(plan.table, plan.columns).feature_names == ("a", "c = p", "c = q")


def test_rows_without_any_value_are_not_invented():
    a = ["" if k < 10 else cell for k, cell in enumerate(normal(N))]
    b = ["" if k < 20 else cell for k, cell in enumerate(normal(N, 1))]
    plan = plan_of(Choices(missing="impute"), a=a, b=b)
    assert plan.gaps.costs["impute"].n_rows == N - 10
    assert plan.gaps.costs["impute"].n_filled == 10
    dataset = build_dataset(plan.table, plan.columns)
    assert dataset.n_samples == N - 10
    assert "10 of 200 rows have no value in any feature and were left out." in dataset.notes


def test_unlabelled_rows_are_said():
    label = [cell if k % 4 else "" for k, cell in enumerate(LABEL)]
    plan = apply(propose(table_of(a=normal(N), label=label)))
    assert "50 of 200 rows have no label: drawn in grey, not trained on." in plan.costs


def test_numbers_that_come_back_count_their_words_as_missing():
    value = [
        *(f"{k}.5" for k in range(9)),
        *(f"from {k}" for k in "abcdef"),
        *[""] * 30,
        *(f"{k}.25" for k in range(11)),
    ]
    error = [*(f"0.{k}1" for k in range(9)), *[""] * 36, *(f"0.{k}2" for k in range(11))]
    what = [f"thing {chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(56)]
    plan = apply(propose(table_of(what=what, value=value, error=error)), Choices(label="error"))
    assert plan.columns.features == ("value",)
    assert build_dataset(plan.table, plan.columns).n_samples == 20


def test_words_that_count_as_missing_are_named():
    kind = ["?" if k % 5 == 1 else "NA" if k % 50 == 0 else "ab"[k % 2] for k in range(N)]
    plan = plan_of(a=gappy(normal(N), 7), kind=kind)
    assert "Read as missing: '?' (40), 'NA' (4)." in plan.gaps.sentence
    assert "Read as missing" not in plan_of(a=gappy(normal(N), 7), kind=cycled("ab", N)).gaps.sentence


def test_words_that_count_as_missing_are_named_in_columns_that_are_left_out_for_them_and_in_a_label_of_numbers():
    mostly = ["*" if k % 3 else cell for k, cell in enumerate(normal(N))]
    size = ["NA" if k % 10 == 0 else cell for k, cell in enumerate(normal(N, 1))]
    plan = plan_of(a=normal(N, 2), mostly=mostly, size=size, name=[f"n{k} {k}" if k % 9 else "?" for k in range(N)])
    assert plan.gaps.sentence.endswith("Read as missing: 'NA' (20).")
    assert "Read as missing in columns left out: '*' (133)." in plan.costs
    of_size = apply(plan.proposal, Choices(label="size")).costs
    assert {"Read as missing in the label: 'NA' (20).", "Read as missing in columns left out: '*' (133)."} <= {*of_size}
    plan = plan_of(a=normal(N, 2), b=normal(N, 3), mostly=mostly)
    assert not any(question.key == "missing" for question in plan.questions)  # it would change nothing


def test_gaps_of_rows_without_a_label_tell_nothing():
    label = ["" if k % 8 == 0 else "mild" if k % 2 else "severe" for k in range(N)]
    since = ["" if name == "" else cell for name, cell in zip(label, normal(N), strict=True)]
    sentence = apply(propose(table_of(since=since, b=gappy(normal(N, 1), 7), label=label))).gaps.sentence
    assert "tell the label" not in sentence


def test_gaps_of_categories_alone_are_asked_about_as_such():
    cells = gappy(["p" if k % 3 else "q" for k in range(N)], 4)
    plan = plan_of(a=normal(N), c=cells)
    (question,) = (question for question in plan.questions if question.key == "missing")
    assert [answer.text for answer in question.answers] == [
        "count them as a level of their own",
        "count them as the most frequent level",
    ]
    settled = apply(plan.proposal, question.answers[1].choices)
    assert settled.columns.category_gaps == "most_frequent"
    assert not any(question.key == "missing" for question in settled.questions)
    both = plan_of(a=gappy(normal(N), 5), c=cells)
    assert any("median" in answer.text for q in both.questions if q.key == "missing" for answer in q.answers)


def test_skipped_questions_of_chinese_surveys_are_gaps():
    plan = plan_of(
        a=normal(N),
        why=[
            "(跳过)" if k % 4 == 0 else "(空)" if k % 8 == 1 else "…" if k % 8 == 5 else "pq"[k // 4 % 2]
            for k in range(N)
        ],
    )
    assert plan.proposal.fact("why").n_missing == N // 2


@pytest.mark.parametrize(("n_features", "n_rows"), [(3, 48), (2, 50)])
def test_rows_without_a_value_in_any_of_several_features_are_left_out_categories_too(n_features, n_rows):
    n = 50
    columns = {f"c{k}": ["uvw"[j % (4 + k) % 3] for j in range(n)] for k in range(n_features - 1)} | {"x": normal(n)}
    for cells in columns.values():
        cells[3] = cells[17] = ""
    plan = apply(propose(table_of(**columns, kind=cycled("pq", n))), Choices("kind"))
    assert build_dataset(plan.table, plan.columns).n_samples == n_rows
    said = "2 of 50 rows with no value in any feature are left out"
    assert any(said in cost for cost in plan.costs) == (n_rows == 48)
    assert any("count as a level of their own" in cost for cost in plan.costs) == (n_rows == 50)


@pytest.mark.parametrize(("n_others", "n_unlabelled"), [(3, 10), (2, 0)])
def test_a_word_that_is_a_gap_in_other_columns_is_no_label_unless_a_person_says_so(n_others, n_unlabelled):
    columns = {f"c{k}": gappy(normal(N, k), 7 + k, ".") for k in range(n_others)}
    kinds = cycled("uv", N)
    kinds[1::20] = ["."] * 10
    plan = apply(propose(table_of(**columns, kind=kinds)), Choices("kind"))
    assert plan.label.candidate.n_unlabelled == n_unlabelled
    (question,) = [each for each in plan.questions if each.key == "label_gaps"]
    assert question.text == "Among the labels: '.' (10). Does it mean that a row has no label?"
    unlabelled, a_class = (apply(plan.proposal, answer.choices).label.candidate for answer in question.answers)
    assert (unlabelled.n_unlabelled, a_class.n_unlabelled) == (10, 0)


@pytest.mark.parametrize("n_filled", [0, 1])
def test_rows_without_any_value_leave_nothing_to_choose(n_filled):
    empty = [k % 3 == 0 for k in range(N)]
    a = ["" if gone else cell for gone, cell in zip(empty, normal(N), strict=True)]
    b = ["" if gone else cell for gone, cell in zip(empty, normal(N, 1), strict=True)]
    a[:n_filled] = ["1.5"] * n_filled
    label = ["" if gone else cell for gone, cell in zip(empty, LABEL, strict=True)]
    names = [f"row {k}" for k in range(N)]  # a row without any cell would not be read
    plan = apply(propose(table_of(name=names, a=a, b=b, label=label)), Choices(label="label"))
    assert plan.gaps.ask == (n_filled == 1)
    # Those that are left out are not drawn in grey.
    assert [line for line in plan.costs if "grey" in line] == [
        "1 of 200 rows has no label: drawn in grey, not trained on."
    ] * n_filled


@pytest.mark.parametrize(("n_same", "has_other", "back"), [(3, False, True), (2, False, False), (3, True, False)])
def test_measurements_that_most_wells_lack_stay_where_no_other_number_is(n_same, has_other, back):
    lacks = [k % 5 > 1 for k in range(N)]
    measured = {
        f"m{j}": ["" if gone else cell for gone, cell in zip(lacks, normal(N, j), strict=True)] for j in range(n_same)
    }
    other = {"other": normal(N, 9)} if has_other else {}
    plan = plan_of(**measured, **other, kind=cycled("pqr", N))
    roles = {column.name: column.role for column in plan.planned}
    assert [roles[name] for name in measured] == ["number" if back else "left_out"] * n_same
    assert (plan.gaps.ask, plan.gaps.choice) == (back, "drop_rows")


def test_a_remark_in_a_column_of_numbers_makes_no_row():
    a, b = normal(50), normal(50, 1)
    a[20], a[40], b[20], b[40] = "diluted by 45", "diluted by 45", "", ""
    gas = ["" if k in (20, 40) else gas for k, gas in enumerate(cycled(["N2O", "CO2"], 50))]  # a level of its own
    table = table_of(a=a, b=b, gas=gas, kind=cycled("uv", 50))
    dataset = build_dataset(table, unasked_plan(table).columns)
    assert dataset.n_samples == 48
    assert "2 of 50 rows have no value in any feature and were left out." in dataset.notes


def test_leaving_out_rows_is_not_proposed_where_none_would_stay():
    columns = {f"site {k}": [j % 9 + 1 if j % 7 == k else "" for j in range(70)] for k in range(7)}
    plan = apply(propose(table_of(name=[f"n{j}" for j in range(70)], **columns)))
    assert plan.gaps.costs["drop_rows"].n_rows == 0
    assert plan.gaps.choice == "impute"


@pytest.mark.parametrize(("n_there", "used"), [(6, True), (5, False)])
def test_cells_are_mostly_missing_only_if_they_are_in_rows_with_a_label(n_there, used):
    n = 60
    labelled = [k for k in range(n) if k % 5 == 0]  # as of mice of five sessions each
    kinds = ["" if k not in labelled else "uv"[k // 5 % 2] for k in range(n)]
    power = [f"{k / 7:.2f}" if k in labelled[:n_there] else "" for k in range(n)]
    doses = ["pq"[k // 10 % 2] if k in labelled[:n_there] else "" for k in range(n)]
    plan = apply(
        propose(table_of(a=normal(n), group=kinds, dose=doses, power=power, b=normal(n, 1))), Choices(label="group")
    )
    why = f"{n - n_there} of 60 cells are missing"
    assert dict(plan.columns.left_out) == ({} if used else {"dose": why, "power": why})
    other = apply(plan.proposal, Choices(label="a"))  # all rows have this one
    assert {"dose", "power"} <= {name for name, _ in other.columns.left_out}


@pytest.mark.parametrize(
    ("cells", "kind", "asks"),
    [
        (["not told"] * 110 + [str(min(k, 47) ** 2) for k in range(90)], "numbers", True),
        (["not told"] * 110 + [str(k % 45) for k in range(90)], "words", False),  # codes, most of which repeat
        (["not told"] * 60 + ["not seen"] * 50 + [str(min(k, 47) ** 2) for k in range(90)], "words", False),
        (["нет данных"] * 150 + [str(k % 9) for k in range(50)], "numbers", False),
    ],
)
def test_one_word_beside_numbers_that_differ_is_a_gap_at_any_share(cells, kind, asks):
    plan = plan_of(Choices("label"), a=[cells[7 * k % N] for k in range(N)], b=normal(N), c=normal(N, 1))
    assert plan.proposal.fact("a").kind == kind
    assert any(question.key == "odd_cells" for question in plan.questions) == asks
