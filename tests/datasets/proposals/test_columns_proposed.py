"""Odd cells, text, wide categories, identifiers: what is proposed for each column, and what the user may say."""

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset, column_of
from datasets.columns.cells import dates_or_times
from datasets.proposals import Choices, apply, propose
from datasets.proposals.roles import TELLS_PERSONS
from datasets.reading import ReadOptions, read_table
from datasets.reading.numerals import common_unit
from tests.datasets.planned import column_plan
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 300
LABEL = cycled("xyz", N)


def planned(name, **columns):
    plan = apply(propose(table_of(**columns, label=LABEL)))
    return plan, next(column for column in plan.planned if column.name == name)


def with_odd(n, cell="oops"):
    cells = normal(N)
    for k in range(n):
        cells[7 + 11 * k] = cell if isinstance(cell, str) else cell(k)
    return cells


@pytest.mark.parametrize(
    ("cells", "role", "asks", "missing"),
    [
        (with_odd(1), "number", False, True),
        (with_odd(4), "number", True, False),
        (with_odd(20, "not measured"), "number", False, True),
        (with_odd(20, "~"), "number", False, True),
        (with_odd(20, "--undefined--"), "number", False, True),
        (with_odd(27, "high"), "number", True, False),
        (with_odd(1, "inf"), "number", True, False),
        (with_odd(27, lambda k: f"A/{k} 2117{k}"), "number", True, False),
    ],
)
def test_odd_cells_never_stop_a_table_silently(cells, role, asks, missing):
    plan, column = planned("a", a=cells, b=normal(N, 1))
    assert (column.role, column.said, column.odd.ask) == (role, False, asks)
    assert ("a" in plan.columns.odd_as_missing) == missing
    question = next(question for question in plan.questions if question.key == "odd_cells")
    assert (question.blocking, question.column) == (asks, "a")
    assert f"line {9 if asks or missing else 0}" in question.text
    if asks:
        with pytest.raises(DataError, match="column 'a'"):
            build_dataset(plan.table, plan.columns)
    settled = apply(plan.proposal, question.answers[0].choices)
    assert settled.ready
    dataset = build_dataset(settled.table, settled.columns)
    n_odd = column.odd.n
    few = n_odd <= 0.02 * N
    assert dataset.n_samples == (N - n_odd if few else N)
    assert np.isfinite(dataset.X).all()


def test_what_can_be_said_about_odd_cells():
    plan, column = planned("a", a=with_odd(4), b=normal(N, 1))
    proposal = plan.proposal
    left = apply(proposal, Choices().saying("odd_cells", "a", "leave_out"))
    assert left.columns.features == ("b",)
    text = apply(proposal, Choices().saying("odd_cells", "a", "text"))
    assert dict(text.columns.left_out)["a"].startswith("taken as text")
    assert left.planned[0].odd_said
    assert text.planned[0].odd_said
    assert column.odd.examples == (("oops", 4),)


def test_a_tick_keeps_the_question_about_odd_cells():
    plan, _ = planned("a", a=with_odd(4), b=normal(N, 1))
    ticked = apply(plan.proposal, Choices().saying("roles", "a", "number"))
    assert not ticked.ready
    assert [question.key for question in ticked.questions if question.blocking] == ["odd_cells"]


def test_columns_of_other_odd_cells_are_asked_about_at_once():
    others = ["lost" if cell == "oops" else cell for cell in with_odd(4)]
    plan, _ = planned("a", a=with_odd(4), b=others, c=normal(N, 1))
    (question,) = [question for question in plan.questions if question.blocking]
    assert "'oops' (4)" in question.text
    assert "Other such cells are in b." in question.text
    assert apply(plan.proposal, question.answers[0].choices).ready
    same, _ = planned("a", a=with_odd(4), b=with_odd(4), c=normal(N, 1))
    assert "The same in b." in next(question.text for question in same.questions if question.blocking)


def test_mixed_codes_are_text():
    codes = [f"A/5 {21_000 + k}" if k % 3 == 0 else str(110_000 + 7 * k) for k in range(N)]
    plan, column = planned("ticket", a=normal(N), b=normal(N, 1), ticket=codes)
    assert (column.role, column.reason) == ("left_out", "it holds codes, nearly all different")
    assert plan.ready


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([f"Mr. {chr(65 + k % 26)}. Person{k}" for k in range(N)], "it holds names or text, nearly all different"),
        ([f"I liked the part number {k} of it very much" for k in range(N)], "it holds free text"),
        ([f"town {chr(65 + k % 90)}" for k in range(N)], "it has 90 different values, too many for categories"),
        (
            [f"the ministry of the number {k % 90} there" for k in range(N)],
            "it has 90 different values, too many for categories",
        ),
        ([""] * 200 + normal(100), "200 of 300 cells are missing"),
        ([f"1{k % 100:02d}1{k // 100}" for k in range(N)], ""),
    ],
)
def test_text_and_empty_columns_are_left_out_with_the_reason_and_put_back(cells, reason):
    plan, column = planned("c", a=normal(N), c=cells)
    assert (column.role == "left_out", column.reason) == (bool(reason), reason)
    if "different" in reason and "all" not in reason:
        back = apply(plan.proposal, Choices().saying("roles", "c", "categories"))
        dataset = build_dataset(back.table, back.columns)
        assert "c = other" in dataset.feature_names


@pytest.mark.parametrize(
    ("cells", "counts"),
    [
        ([3 * k + k % 2 for k in range(N)], "it counts upwards, like an identifier"),
        ([9 * k for k in range(N)], ""),
        ([k if k != 40 else 39 for k in range(N)], ""),
        ([7 * k % N for k in range(N)], "it counts the rows in another order"),
        ([14 * k % (2 * N) for k in range(N)], ""),
        ([k + 0.5 for k in range(N)], ""),
    ],
)
def test_numbers_that_count_with_gaps_are_identifiers(cells, counts):
    _, column = planned("probe", a=normal(N), probe=cells)
    assert (column.role == "left_out", column.reason) == (bool(counts), counts)
    _, year = planned("year", a=normal(N), year=cells)
    assert year.role == "number"


def test_a_wide_category_keeps_its_frequent_levels_and_other():
    cells = [f"rare {k}" if k % 10 == 0 else f"level {k % 7}" for k in range(N)]
    plan, column = planned("c", a=normal(N), c=cells)
    assert column.role == "categories"
    dataset = build_dataset(plan.table, plan.columns)
    names = [name for name in dataset.feature_names if name.startswith("c = ")]
    assert names == [*(f"c = level {k}" for k in range(7)), "c = other"]
    other = dataset.X[:, dataset.feature_names.index("c = other")]
    np.testing.assert_array_equal(other, [float(k % 10 == 0) for k in range(N)])
    assert "30 more values count as 'other'" in " ".join(dataset.notes)


@pytest.mark.parametrize(
    ("word", "n", "told"), [("id", 9, True), ("Patient_", 9, True), ("id", 5, False), ("dose", 9, False)]
)
def test_cells_that_number_persons_tell_these_apart(word, n, told):
    _, column = planned("horse", a=normal(N), horse=[f"{word}{k * k % n:02d}{k % n}" for k in range(N)])
    assert (column.role == "left_out") == told


@pytest.mark.parametrize(
    ("name", "least", "told"), [("CO_ESCOLA", 17_000, True), ("CO_ESCOLA", 7, False), ("AB_ESCOLA", 17_000, False)]
)
def test_large_numbers_behind_the_word_for_a_code_are_codes(name, least, told):
    cells = [least + k * k * 7 % 5000 for k in range(N)]
    _, column = planned(name, **{"a": normal(N), name: cells, "b": normal(N, 1)})
    assert (column.role == "left_out") == told


@pytest.mark.parametrize(("name", "told"), [("Compound", True), ("Compounds used", False)])
def test_numbers_of_compounds_in_any_order_are_identifiers(name, told):
    cells = [2 * (k * 7 % N) + 1 for k in range(N)]
    _, column = planned(name, **{"a": normal(N), name: cells, "b": normal(N, 1)})
    assert (column.role == "left_out") == told


def test_errors_behind_numbers_are_left_off_and_said():
    plan, column = planned(
        "age", a=normal(N), age=[f"{k % 50}.5 {'±' if k % 2 else '+/-'} 0.{k % 9}" for k in range(N)]
    )
    assert column.facts.numbers.values.tolist() == [k % 50 + 0.5 for k in range(N)]
    notes = " ".join(build_dataset(plan.table, plan.columns).notes)
    assert "cells were cleaned into numbers (the first on line 2, '0.5 +/- 0.0' as 0.5)" in notes


def test_numbers_with_a_unit_are_numbers():
    cells = [f"{k % 50 + 0.5} kg" for k in range(N)]
    plan, column = planned("mass", a=normal(N), mass=cells)
    assert column.role == "number"
    X = build_dataset(plan.table, plan.columns).X
    np.testing.assert_array_equal(X[:, 1], [k % 50 + 0.5 for k in range(N)])
    mixed = [f"{k} {'kg' if k % 2 else 'ml'}" for k in range(N)]
    assert planned("mass", a=normal(N), mass=mixed)[1].role == "left_out"
    staff = [f"{k % 50} Pers." for k in range(N)]
    assert planned("staff", a=normal(N), staff=staff)[1].role == "number"
    trucks = [f"{k % 50} trucks" if k % 5 == 0 else cell for k, cell in enumerate(staff)]
    assert planned("staff", a=normal(N), staff=trucks)[1].role == "left_out"  # two words
    assert planned("seat", a=normal(N), seat=[f"{k % 30}A" for k in range(N)])[1].role == "categories"


@pytest.mark.parametrize(
    ("cells", "unit"),
    [
        (["5 kg", "7.5kg", "12 kg"], "kg"),
        (["12 Pers.", "7 pers.", "30 PERS."], "pers."),
        (["12 Elm", "7 Oak", "30 Elm"], ""),
        (["12 Elm", "7 Elm"], ""),  # too few
        (["12 A", "7 A", "30 A"], "a"),  # ampere
        (["12 B", "7 B", "30 B"], ""),  # a letter is no word
        ([f"CHF 1’{k} incl. rent per month" for k in range(100, 120)], "incl. rent per month"),
        ([f"{k}000 PLN/m2" for k in range(20)], "pln/m2"),
        ([f"{k} rooms , 65m²" for k in range(20)], ""),
        (["9,7\u00a0м²", "12\u00a0м²", "30\u00a0м²"], "м²"),
        (["93.9(µm)", "5(µm)", "7.2(µm)"], "(µm)"),
        (["93.9(µm)", "5(nm)", "7.2(µm)"], ""),
        (["築22年", "築3年", "築4年"], "築…年"),
        (["築22年", "新3年", "築4年"], ""),
        ([*(f"{k} pcs" for k in range(9)), *(f"{k}.5" for k in range(9))], "pcs"),
        ([*(f"{k} pcs" for k in range(9)), *(f"{k}.5" for k in range(10))], ""),  # more without it
        ([f"22{337 + k} Hamburg" for k in range(20)], ""),  # a post code
        ([f"22{337 + k}0 Euro" for k in range(20)], "euro"),
        ([f"22{30 + k}0 Euro" for k in range(20)], "euro"),
        ([*(f"{k} pcs" for k in range(250)), *(f"on {k}" for k in range(50))], ""),
    ],
)
def test_the_unit_of_nearly_all_cells(cells, unit):
    assert common_unit(cells, [1] * len(cells)) == unit


def test_the_unit_of_nearly_all_rows():
    cells = ["35 kmpl", "40 Kmpl", "65 KMPL", "3 miles", "4 miles"]
    assert common_unit(cells, [30, 10, 20, 1, 1]) == "kmpl"
    assert common_unit(cells, [30, 10, 20, 5, 5]) == ""
    assert common_unit([*cells[:3], "new", "none yet"], [30, 10, 20, 1, 1]) == "kmpl"
    mileage = [f"{k % 50 + 20} {'kmpl' if k % 3 else 'Kmpl'}" for k in range(N)]
    _, column = planned("mileage", a=normal(N), mileage=["3 miles", *mileage[1:]])
    assert column.role == "number"
    assert column.odd.words == ("3 miles",)


ROW_NUMBERS = ["row", "index", "Unnamed: 0", "__index_level_0__", "", "PassengerId", "customerID", "sample_id", "Id"]


@pytest.mark.parametrize("name", [*ROW_NUMBERS, "grid", "paid", "HUMID", "column 7"])
def test_numbers_of_shuffled_rows_are_ids_by_their_name(name):
    rows = "".join(f"{k},{k}.5,{'xy'[k % 2]}\n" for k in (7, 2, 9, 4, 12, 5))
    proposed = column_plan(read_table(f"{name},a,label\n{rows}".encode(), "t.csv"))
    assert proposed.features == (("a",) if name in ROW_NUMBERS else (name, "a"))
    assert all(why == "it is a different number in every row, an id" for _, why in proposed.left_out)


@pytest.mark.parametrize(
    ("cell", "word"),
    [
        ("2024-01-05T10:00:00+02:00", "dates"),
        ("05.01.2024", "dates"),
        ("1/5/2024 3:05 PM", "dates"),
        ("05-Jan-2024", "dates"),
        ("Jan 5, 2024", "dates"),
        ("03FEB2025:00:00:00", "dates"),
        ("12:30", "times"),
        ("Model 3", ""),
        ("1.5.2", ""),
        ("5 apples 2024", ""),
    ],
)
def test_dates_and_times_as_they_are_written(cell, word):
    assert dates_or_times([cell] * 3) == word


@pytest.mark.parametrize(("cell", "advised"), [("1", False), ("1:2 3:4", True)])
def test_a_single_column_is_told_to_check_the_separator_where_that_may_help(cell, advised):
    with pytest.raises(DataError, match="one column only; a label") as error:
        propose(read_table(f"a\n{cell}\n5\n".encode(), "t.csv", ReadOptions(separator=";")))
    assert ("Check the separator" in str(error.value)) == advised


def test_rows_are_named_by_the_first_text_that_differs_else_by_an_identifier():
    names, codes, words = [f"Ann {k}" for k in range(N)], [f"KD-{k}" for k in range(N)], cycled(["u", "v", "w"], N)
    found = [planned("a", a=normal(N), id=range(N), word=words, who=names, code=codes)[0]]
    found.append(apply(found[0].proposal, Choices(roles=(("who", "categories"),))))
    found.append(apply(found[0].proposal, Choices(roles=(("who", "left_out"), ("code", "left_out")))))
    found.append(planned("a", a=normal(N), id=range(N), word=words)[0])
    found.append(planned("a", a=normal(N), index=range(N), some=names[: N // 2] + [""] * (N // 2))[0])
    assert [plan.columns.row_names for plan in found] == ["who", "code", "who", "id", ""]


def test_codes_of_cities_are_no_amounts():
    plan = apply(propose(table_of(city=[str(7 * k % 90) for k in range(N)], a=normal(N), kind=LABEL)))
    assert dict(plan.columns.left_out)["city"] == TELLS_PERSONS


@pytest.mark.parametrize(("n_different", "is_left_out"), [(10, False), (11, True)])
def test_decimals_that_repeat_are_no_identifier_whatever_their_name(n_different, is_left_out):
    density = [f"{k * k % n_different + 0.25:.2f}" if k >= n_different else f"{k}.25" for k in range(100)]
    plan = apply(propose(table_of(ID=density, a=normal(100), kind=cycled("uv", 100))))
    assert ("ID" in dict(plan.columns.left_out)) == is_left_out


@pytest.mark.parametrize(
    ("names", "left_out"),
    [
        (("Row", "Column"), {"Row", "Column"}),
        (("plate_row", "Well Col"), {"plate_row", "Well Col"}),
        (("Row", "Block"), set()),
        (("Row spacing", "Column"), set()),
    ],
)
def test_the_row_and_the_column_of_a_plate_are_no_features(names, left_out):
    n = 48
    where = {names[0]: [f"{'ABCDEF'[k // 8]}" for k in range(n)], names[1]: [f"{k % 8 + 1}" for k in range(n)]}
    lines = [
        ",".join([*where, "od", "kind"]),
        *(f"{where[names[0]][k]},{where[names[1]][k]},{k * k % 7}.{k},{'xy'[k % 5 % 2]}" for k in range(n)),
    ]
    plan = apply(propose(read_table("\n".join(lines).encode(), "t.csv")))
    assert {c.name for c in plan.planned if c.role == "left_out" and "plate" in c.reason} == left_out


@pytest.mark.parametrize(("name", "asks"), [("key", False), ("units", True)])
def test_names_of_rows_that_are_mostly_numbers_are_no_question(name, asks):
    cells = [*(f"{7000 + k * k}" for k in range(96)), "86 / a", "108 / 7", "b-11", "x"]
    plan = apply(
        propose(table_of(**{"a": normal(100), name.replace(" ", "__"): cells, "kind": cycled(["x", "y"], 100)}))
    )
    assert any(question.key == "odd_cells" and question.blocking for question in plan.questions) == asks


def test_a_unit_around_numbers_is_left_out():
    column = column_of(
        table_of(age=["築22年", "築3年", "築4.5年", *["築5年"] * 9, "新築"] * 4, kind=cycled("uv", 52)), "age"
    )
    np.testing.assert_array_equal(column.numbers.values[:3], [22, 3, 4.5])
    assert column.odd[12]


def test_a_unit_of_nearly_all_rows_is_one_though_most_words_are_of_others():
    cells = ["2階建", "3階建", "4階建", *(f"地下{k}地上{k}階建" for k in range(9))]
    assert common_unit(cells, [50, 40, 30, *[1] * 9]) == "階建"


def test_sodium_is_no_gap_among_metals():
    elements = cycled(["Na", "Mg", "Ca", "K"], N)
    assert not column_of(table_of(element=elements, size=normal(N)), "element").n_missing
    few = column_of(table_of(element=[e.replace("Mg", "Fe") for e in elements], size=normal(N)), "element")
    assert few.n_missing == elements.count("Na")


def test_a_citation_is_no_feature():
    cites = cycled(["Smith 2001", "Lee 2012", "this work"], N)
    plan = apply(propose(table_of(Reference=cites, reference__level=cites, size=normal(N), kind=cycled("mb", N))))
    assert ("Reference", "it tells where the values come from") in plan.columns.left_out
    assert "reference level" in plan.columns.features


def test_towns_that_differ_by_a_ring_are_no_spellings_of_one():
    towns = column_of(table_of(town=["Habo", "Håbo", "Malmö", "Malmo"], size=[1, 2, 3, 4]), "town")
    assert [[cell for cell, _ in group] for group in towns.spellings] == [["Malmö", "Malmo"]]


@pytest.mark.parametrize(("n_other", "role"), [(3, "number"), (6, "left_out")])
def test_a_word_for_most_gaps_makes_no_text_of_numbers(n_other, role):
    cells = [f"{k}.5" for k in range(86)] + ["NC"] * 8 + [f"n{k}a" for k in range(n_other)]
    n = len(cells)
    plan = apply(propose(table_of(wing=cells, size=normal(n), kind=cycled("uv", n))))
    assert next(column for column in plan.planned if column.name == "wing").role == role


@pytest.mark.parametrize(("n_blank", "role"), [(2, "left_out"), (12, "number")])
def test_a_few_gaps_leave_numbers_that_identify_the_rows_identifiers(n_blank, role):
    cells = ["" if k % 9 == 0 and k < 9 * n_blank else 12_345 + k * k * 7919 % 87_001 for k in range(120)]
    plan = apply(propose(table_of(inventory=cells, size=normal(120), kind=cycled("mb", 120))))
    assert plan.planned[0].role == role


@pytest.mark.parametrize(("n_codes", "role"), [(12, "left_out"), (8, "categories")])
def test_codes_most_of_which_differ_are_no_categories_of_a_short_table(n_codes, role):
    codes = [61_634 + 35 * (k % n_codes) for k in range(16)]
    plan = apply(propose(table_of(alim_code=codes, size=normal(16), kind=cycled("mb", 16))))
    assert next(column.role for column in plan.planned if column.name == "alim_code") == role


@pytest.mark.parametrize(("n_twice", "reason"), [(0, "it holds names, all different but for 'unused'"), (1, "")])
def test_names_beside_one_word_that_repeats_are_no_categories(n_twice, reason):
    """As of a plate most wells of which are unused."""
    names = [f"Sample X{max(k, n_twice)}" if k < 60 else "unused" for k in range(160)]
    plan = apply(propose(table_of(kind=cycled("ab", 160), content=names, a=normal(160), b=normal(160, 1))))
    assert dict(plan.columns.left_out).get("content", "") == reason
