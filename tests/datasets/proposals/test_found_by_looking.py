"""Faults that somebody careless found with tables of everyday life, each by the table that showed it."""

import json

import numpy as np
import pytest

from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, orientation_question, propose, sentinel_offer
from datasets.proposals.roles import TELLS_PERSONS
from datasets.reading import ReadOptions, read_table
from datasets.reading.table import codes_outside
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 120


@pytest.mark.parametrize("name", ["SalePrice", "medv", "median_house_value"])
def test_a_price_in_the_last_column_is_among_the_answers(name):
    prices = [1000 * int(60 + 7 * k % 400) for k in range(N)]
    columns = {"MSSubClass": cycled([20, 60, 120], N), "SaleCondition": cycled(["Normal", "Partial"], N), name: prices}
    plan = apply(propose(table_of(Zoning=cycled(["RL", "RM", "FV"], N), Area=normal(N), **columns)))
    assert plan.label.name == name or name in [answer.text for answer in plan.questions[0].answers]


IDENTIFIERS = [61_634 + 7 * (k % 80 * 37 % 97 * 997 % 9_001) for k in range(N)]  # some people come twice
AN_IDENTIFIER = "it holds the numbers of an identifier"


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("#", [k // 2 + 1 for k in range(N)], "it counts upwards, like an identifier"),
        ("#", [N - k // 2 for k in range(N)], ""),
        ("#", [k // 20 + 1 for k in range(N)], ""),  # of a batch
        *((name, IDENTIFIERS, AN_IDENTIFIER) for name in ("Sample code number", "patient_nbr", "customer_id")),
        *((name, IDENTIFIERS, AN_IDENTIFIER) for name in ("CLIENTNUM", "MatchKey", "user no.")),
        *((name, IDENTIFIERS, "") for name in ("number of patients", "student height", "orders", "idle time")),
        ("keys per minute", IDENTIFIERS, ""),
        *((name, IDENTIFIERS, AN_IDENTIFIER) for name in ("idSitio", "id_nummer", "ID oliva")),
        ("id of the plot here", IDENTIFIERS, ""),
        *((name, IDENTIFIERS, "it holds codes") for name in ("MUNCOD", "alim_code", "행정기관코드")),
        ("codling", IDENTIFIERS, ""),
        ("Sujet", [k % 17 for k in range(N)], TELLS_PERSONS),
        ("Numero di conferimento", [48_000 + 10 * (k * 5 % 97) for k in range(N)], AN_IDENTIFIER),
        ("Numero di abitanti", [4_800 + 10 * (k * 5 % 97) for k in range(N)], ""),
        ("ean", normal(N), ""),  # of an eye: no bar code
        ("alley", ["Grvl" if k % 9 == 0 else "NA" for k in range(N)], "it is Grvl or missing in every row"),
        ("value", ["<5" if k % 6 == 0 else ">100" if k % 6 == 1 else str(5 + k % 90) for k in range(N)], ""),
    ],
)
def test_columns_are_left_out_for_a_reason_or_used(name, cells, reason):
    plan = apply(propose(table_of(**{name: cells}, size=normal(N), kind=cycled("mb", N))))
    column = next(column for column in plan.planned if column.name == name)
    assert (column.role, column.reason) == ("left_out" if reason else "number", reason)
    if name == "value":
        dataset = build_dataset(plan.table, plan.columns)
        np.testing.assert_array_equal(dataset.X[:2, 0], [5, 100])
        assert "40 cells were cleaned into numbers (the first on line 2, '<5' as 5)" in " ".join(dataset.notes)


@pytest.mark.parametrize(
    ("name", "cells", "role"),
    [
        ("shop_id", [k * 5 % 12 for k in range(N)], "left_out"),
        ("phase_id", [k * 3 % 5 for k in range(N)], "categories"),
        ("Trial", [k * 3 % 5 for k in range(N)], "categories"),
        ("subsample", [k * 5 % 23 for k in range(N)], "left_out"),
        ("sample size", [k * 5 % 23 for k in range(N)], "number"),
        ("properties.OBJECTID", [k * 5 % 12 for k in range(N)], "left_out"),
        ("TARGET_FID", [k * 5 % 12 for k in range(N)], "left_out"),
        ("properties.nr", [4 * (k * 7 % N) for k in range(N)], "left_out"),
        ("역ID", [k * 5 % 12 for k in range(N)], "left_out"),
        ("USER_通し番号", [k * 5 % 12 for k in range(N)], "left_out"),
        ("ACID", [k * 5 % 12 for k in range(N)], "number"),
        ("seen", [20190101 + 100 * (k % 12) + k % 28 for k in range(N)], "left_out"),  # dates
        ("seen", [28190101 + 100 * (k % 12) + k % 28 for k in range(N)], "number"),
        ("seen", [20190108 + 100 * (k % 12) + k % 28 for k in range(N)], "number"),
        ("seen", [20191301 + 100 * (k % 12) + k % 28 for k in range(N)], "number"),
        ("vial no", [1000 + 7 * (k * 7 % N) for k in range(N)], "left_out"),
        ("cases number", [1 + (k * 7 % N) ** 2 for k in range(N)], "number"),  # counts differ in length
        ("vial no", [1000 + 7 * (k * 7 % (N // 2)) for k in range(N)], "number"),
        ("key", [k * 5 % 12 for k in range(N)], "number"),
        ("key", [("C", "D", "E", "F", "G", "A")[k % 6] for k in range(N)], "categories"),
        ("patient", [k * 5 % 12 for k in range(N)], "left_out"),
        ("patient", [f"P{k * 5 % 12}" for k in range(N)], "left_out"),
        ("subject", ["maths", "music", "art", "maths", "sport"] * (N // 5), "categories"),
        ("patient age", [k * 5 % 12 for k in range(N)], "number"),
        ("kode_kota", [k * 5 % 12 for k in range(N)], "categories"),
        ("kode_kota", [k * 5 % 23 for k in range(N)], "left_out"),
        ("plot", [k * 5 % 12 for k in range(N)], "categories"),
        ("plot", [k * 5 % 12 + 0.5 for k in range(N)], "number"),
        ("plot", np.random.default_rng(0).integers(1, 3, N).tolist(), "number"),
        ("Plot #", [k * 5 % 23 for k in range(N)], "left_out"),
        ("What is your participant number?", [k * 5 % 97 for k in range(N)], "left_out"),
        ("participant", cycled(["Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz"], N), "categories"),
        ("size", [k * 5 % 12 for k in range(N)], "number"),
        ("area", [f"0{k * 5 % 12 + 1000}" for k in range(N)], "categories"),
        ("area", [f"{k % 3}{7 * k + 1000}" for k in range(N)], "left_out"),
        ("month", [f"{k % 12 + 1:02d}" for k in range(N)], "number"),
    ],
)
def test_numbers_of_groups_persons_and_codes_are_no_measurements(name, cells, role):
    plan = apply(propose(table_of(size_1=normal(N), **{name: cells}, kind=cycled("mb", N))))
    assert {column.name: column.role for column in plan.planned}[name] == role


def test_a_first_column_of_numbers_that_rise_in_nearly_all_rows_is_an_identifier():
    numbers = [3 * k + k % 3 for k in range(N)]
    numbers[7], numbers[8] = numbers[8], numbers[7]
    columns = {"N": numbers, "size": normal(N), "kind": cycled("mb", N)}
    assert ("N", "it counts upwards, like an identifier") in apply(propose(table_of(**columns))).columns.left_out
    behind = {"size": columns["size"], "N": numbers, "kind": columns["kind"]}
    assert "N" in apply(propose(table_of(**behind))).columns.features
    rng = np.random.default_rng(0)
    for other in (rng.permutation(numbers), [k + 9 * (k % 6 == 0) for k in numbers], [90 * k for k in numbers]):
        assert "N" in apply(propose(table_of(**columns | {"N": other}))).columns.features


def test_none_is_an_answer_among_words_and_a_gap_among_numbers():
    training = cycled(["None", "short", "long", "None"], N)
    weight = [cell if k % 40 else "None" for k, cell in enumerate(normal(N))]
    plan = apply(propose(table_of(weight=weight, training=training, kind=cycled("mb", N))))
    facts = {name: plan.proposal.fact(name) for name in ("weight", "training")}
    assert facts["training"].n_missing == 0
    assert facts["weight"].n_missing == N // 40
    assert "training = None" in build_dataset(plan.table, plan.columns).feature_names


def test_patient_numbers_before_a_table_without_names_are_no_feature():
    rows = [f"{8_400_000 + k * 7919 % 90_000},{'MB'[k * k % 3 % 2]},{k % 7}.5,{k % 5}.25" for k in range(N)]
    plan = apply(propose(read_table("\n".join(rows).encode(), "wdbc.data")))
    assert plan.planned[0].reason == "it holds large numbers, nearly all different, like an identifier"
    assert plan.columns.features == ("column 3", "column 4")


def test_a_first_column_without_a_name_may_hold_numbers_of_several_lengths():
    numbers = [10_000 + 7919 * k * k for k in range(N)]
    rows = [f"{numbers[k * 7 % N]},{'MB'[k * k % 3 % 2]},{k % 7}.5,{numbers[k * 11 % N]}" for k in range(N)]
    plan = apply(
        propose(
            read_table("\n".join(rows).encode(), "wdbc.data"),
        )
    )
    assert plan.planned[0].reason == "it holds large numbers, nearly all different, like an identifier"
    assert plan.columns.features == ("column 3", "column 4")


def test_a_short_table_of_measurements_is_asked_about_with_its_last_column():
    towns = [f"town {k}" for k in range(20)]
    plan = apply(propose(table_of(town=towns, people=[900 + 37 * k for k in range(20)], travel=normal(20))))
    assert [answer.text for answer in plan.questions[0].answers] == ["travel", "people"]
    chosen = apply(plan.proposal, plan.questions[0].answers[0].choices)
    assert (chosen.ready, chosen.columns.label_mode, chosen.columns.features) == (True, "bins", ("people",))


def test_marks_of_training_and_test_rows_are_no_feature():
    plan = apply(propose(table_of(Case=cycled(["Train", "Test"], N), size=normal(N), Class=cycled("mb", N))))
    assert plan.columns.left_out == (("Case", "it marks training and test rows"),)
    by_name = table_of(
        excluir=["uvu"[k % 7 % 3] for k in range(N)], kind=cycled("mb", N), Treino_Teste=cycled("01", N), size=normal(N)
    )
    assert [each.name for each in propose(by_name).candidates] == ["kind", "excluir", "size"]
    assert dict(apply(propose(by_name)).columns.left_out) == {"Treino_Teste": "it marks training and test rows"}
    scores = propose(table_of(size=normal(N), test_after_training=cycled("0123", N))).candidates
    assert [each.name for each in scores] == ["test_after_training"]


def test_free_text_is_not_offered_where_no_feature_is_left():
    messages = [f"we all meet again at {k % 100} o'clock" for k in range(N)]
    plan = apply(propose(table_of(type=cycled(["ham", "spam"], N), text=messages)))
    (question,) = [question for question in plan.questions if question.blocking]
    assert question.answers == ()
    assert "(text: it holds free text)" in question.text


def test_one_word_in_many_columns_of_numbers_is_one_question():
    gappy = [*normal(N - 20), *["Sin dato x"] * 20]
    plan = apply(propose(table_of(a=gappy, b=gappy[::-1], c=cycled(["p", "q"], N), label=cycled("xy", N))))
    (question,) = [question for question in plan.questions if question.key == "odd_cells"]
    assert question.text.endswith("The same in b. Treat them as missing?")
    settled = apply(plan.proposal, question.answers[0].choices)
    assert {column.name for column in settled.planned if column.odd_said} == {"a", "b"}
    assert settled.columns.odd_as_missing == ("a", "b")


def test_signs_are_two_classes_where_a_column_holds_both():
    plan = apply(propose(table_of(a=normal(N), direction=cycled("+-", N))))
    assert plan.label.name == "direction"
    assert dict(plan.label.candidate.classes).keys() == {"+", "-"}
    assert (
        apply(propose(table_of(a=[*normal(N - 2), "-", "-"], label=cycled("xy", N)))).proposal.fact("a").n_missing == 2
    )


def test_a_column_has_its_own_decimal_mark():
    points, commas = [f"{k}.5" for k in range(N)], [f"{k * k % 31},{k % 10}" for k in range(N)]
    table = table_of(a=points, b=commas, c=[f"{k},234" for k in range(1, N + 1)], label=cycled("xy", N))
    facts = propose(table).facts
    assert table.decimal == "."
    assert facts[1].numbers.values[4] == 16.4
    assert facts[2].numbers.values[4] == 5234.0


def test_codes_with_leading_zeros_are_text():
    plan = apply(propose(table_of(a=normal(N), area=cycled(["01", "02", "10", "2A", "ZZ"], N), label=cycled("xy", N))))
    assert plan.ready
    assert "area" in plan.columns.categories


@pytest.mark.parametrize(("n_rare", "ready"), [(2, False), (3, True)])
def test_a_label_that_is_nearly_always_the_same_is_asked_about(n_rare, ready):
    label = ["on"] * (N - n_rare) + ["off"] * n_rare
    assert apply(propose(table_of(a=normal(N), b=normal(N, 1), status__class=label))).label.sure == ready


def test_words_below_dates_begin_a_summary():
    rows = "".join(f"2024-03-{k:02},{k * k % 17}.5,{k % 7},{'xy'[k % 2]}\n" for k in range(1, 29))
    for end, n in (("AVG,8.1,3,\nNum,28,28,\n", 2), ("", 0)):
        (*groups,) = propose(read_table(f"day,a,b,kind\n{rows}{end}".encode(), "t.csv")).groups
        assert [(group.kind, len(group.rows)) for group in groups] == ([("summary", n)] if n else [])


GENES = [f"{chr(65 + k % 26)}{chr(65 + k // 26 % 26)}{j}" for k in range(200) for j in range(3)]


@pytest.mark.parametrize("names", [GENES, [str(7 * k + 100_001) for k in range(600)]])
def test_genes_named_by_words_or_numbers_are_no_samples(names):
    columns = {f"Sample{k}": [f"{10 * (j % 40) + k / 7:.2f}" for j in range(600)] for k in range(1, 9)}
    plan = apply(propose(table_of(**{"column 1": names}, **columns)))
    assert orientation_question(plan, ReadOptions()) is not None


def test_whole_numbers_without_a_name_beside_few_rows_are_no_genes():
    columns = {f"Sample{k}": [f"{10 * (j % 40) + k / 7:.2f}" for j in range(60)] for k in range(1, 9)}
    plan = apply(propose(table_of(**{"column 1": [str(j * 7) for j in range(60)]}, **columns)))
    assert orientation_question(plan, ReadOptions()) is None


@pytest.mark.parametrize(
    ("name", "is_proposed"),
    [("patient", True), ("Site ID", True), ("patient type", False), ("Favourite subject", False)],
)
def test_columns_named_after_groups_are_proposed_for_the_split(name, is_proposed):
    plan = apply(propose(table_of(a=normal(N), **{name: cycled("uvwxyz", N)}, kind=cycled("mb", N))), Choices("kind"))
    (column,) = build_dataset(plan.table, plan.columns).split_columns
    assert column.proposed == is_proposed


def test_codes_of_a_column_in_words_tell_no_more_than_it():
    towns = cycled(["Bandung", "Bogor", "Depok", "Garut"], N)
    codes = [{"Bandung": "3204", "Bogor": "3201", "Depok": "3276", "Garut": "3205"}[town] for town in towns]
    again = [str(2 * int(code)) for code in codes]
    plan = apply(propose(table_of(town=towns, number=codes, other=again, kind=cycled("mb", N))))
    assert ("number", "it tells no more than town") in plan.columns.left_out
    numbers = apply(propose(table_of(number=codes, other=again, kind=cycled("mb", N))))
    assert numbers.columns.features == ("number", "other")  # of two measurements both stay
    places = [f"{code}.5" for code in codes]
    assert "latitude" in apply(propose(table_of(town=towns, latitude=places, kind=cycled("mb", N)))).columns.features


def test_a_few_words_for_most_of_many_measurements_are_asked_about():
    words = ["dead", "cold injury", "c", "m", "n.s."]
    heights = [cell if k % 3 == 0 else words[k % 5] for k, cell in enumerate(normal(3 * N))]
    plan = apply(propose(table_of(height=heights, a=normal(3 * N, 1), kind=cycled("mb", 3 * N))))
    (question,) = [question for question in plan.questions if question.key == "odd_cells"]
    assert (question.column, question.blocking) == ("height", True)
    assert f"{2 * N} of {3 * N} cells" in question.text
    remarks = [cell if k % 3 == 0 else f"remark {k % 40}" for k, cell in enumerate(normal(3 * N))]
    assert (
        propose(table_of(height=remarks, a=normal(3 * N, 1), kind=cycled("mb", 3 * N))).fact("height").kind == "words"
    )


@pytest.mark.parametrize(
    ("words", "part", "n", "is_number"),
    [
        (["IDL"], ".5", 5, True),
        (["IDL"], ".5", 4, False),
        (["IDL", "none left"], ".5", 5, False),
        (["IDL"], "", 5, False),
    ],
)
def test_one_word_among_a_few_measurements_is_asked_about(words, part, n, is_number):
    cells = [f"{k}{part}" if k < n else words[k % len(words)] for k in range(N)]
    assert (
        propose(table_of(lead=cells, a=normal(N), kind=cycled("mb", N))).fact("lead").kind == "numbers"
    ) == is_number


@pytest.mark.parametrize("word", ["Total", "Average", "Count"])
def test_totals_of_groups_are_skipped_and_the_groups_stay(word):
    region = [name for town in ("North", "South", "East") for name in (*[town] * 5, f"{town} {word}")]
    region += ["Grand Total", "Total war"]
    plan = apply(propose(table_of(region=region, sold=range(20), b=normal(20))))
    assert [group.kind for group in plan.proposal.groups] == ["summary"]
    assert plan.proposal.groups[0].rows == (5, 11, 17, 18)
    assert set(plan.proposal.table.column("region")) == {"North", "South", "East", "Total war"}


@pytest.mark.parametrize(
    ("code", "others", "n", "is_asked"),
    [
        ("999", 36, 3, True),
        ("99.9", 20, 3, True),
        ("88888", 36, 3, True),
        ("999", 36, 1, False),
        ("999", 400, 3, False),
        ("998", 36, 3, False),
    ],
)
def test_a_number_far_above_all_others_may_mean_a_gap(code, others, n, is_asked):
    cells = [code if k % (N // n) == 0 else f"{(k * 7) % others + 0.5}" for k in range(N)]
    plan = apply(propose(table_of(bmi=cells, a=normal(N), kind=cycled("mb", N))))
    question = sentinel_offer(plan, ReadOptions())
    assert (question is not None) == is_asked
    if question is not None:
        assert question.text.startswith(f"{code} in 'bmi' stands apart from all other values.")


def test_zeros_far_below_all_other_numbers_may_mean_gaps():
    def asks(n_columns, least=150, other="7"):
        alleles = {
            f"allele{k}": [str(0 if j % 15 == k else least + (j * (k + 3)) % 61) for j in range(N)]
            for k in range(n_columns)
        }
        table = table_of(
            **alleles, depth=[other if j == 5 else f"{j % 9 + 1}.5" for j in range(N)], kind=cycled("mb", N)
        )
        return sentinel_offer(apply(propose(table)), ReadOptions())

    assert asks(3).text == (
        "0 in 'allele0', 'allele1', 'allele2' stands apart from all other values. Does it mean a missing value?"
    )
    assert asks(3, least=31) is not None
    assert asks(2) is asks(3, least=29) is asks(3, other="0") is None


def test_several_codes_are_one_question():
    high = ["99.9" if k % 40 == 0 else f"{k % 9}.5" for k in range(N)]
    low = ["-99" if k % 40 == 0 else f"{k % 9}.5" for k in range(N)]
    question = sentinel_offer(apply(propose(table_of(hb=high, age=low, kind=cycled("mb", N)))), ReadOptions())
    assert (
        question.text == "99.9 and -99 in 'hb', 'age' stand apart from all other values. Do they mean a missing value?"
    )


def test_a_question_on_a_code_names_all_columns_that_an_answer_changes():
    items = {name: ["99" if k % 40 == n else f"{(k * k + n) % 6}" for k in range(N)] for n, name in enumerate("abc")}
    age = ["99" if k == 7 else f"{k % 70 + 20}" for k in range(N)]
    plan = apply(propose(table_of(**items, age=age, size=normal(N), kind=cycled("mb", N))))
    assert sentinel_offer(plan, ReadOptions()).text == (
        "99 in 'a', 'b', 'c' stands apart from all other values. Does it mean a missing value, in 'age' too?"
    )


def test_totals_of_groups_that_another_column_names_are_skipped():
    towns = ("North", "South", "East")
    shop = [name for town in towns for name in (*(f"{town} {k}" for k in range(6)), f"Summe {town}")] + ["Gesamt"]
    region = [name for town in towns for name in (*[town] * 6, "")] + [""]
    plan = apply(propose(table_of(shop=shop, region=region, sold=range(22), b=normal(22))))
    assert plan.proposal.groups[0].rows == (6, 13, 20, 21)
    other = [cell.replace("Summe", "Shop") for cell in shop]
    assert not propose(table_of(shop=other[:-1], region=region[:-1], sold=range(21), b=normal(21))).groups


def test_a_number_in_most_rows_is_no_code():
    cells = ["999" if k % 3 else f"{k % 9}.5" for k in range(N)]
    assert sentinel_offer(apply(propose(table_of(bmi=cells, a=normal(N), kind=cycled("mb", N)))), ReadOptions()) is None


def test_one_ticked_box_is_a_feature_and_one_word_is_none():
    always = apply(propose(table_of(a=normal(N), paid=["x"] * N, kind=cycled("mb", N))))
    assert ("paid", "it is x in every row") in always.columns.left_out
    for cell, role in (("x", "categories"), ("Ja", "categories"), ("+", "categories"), ("Hamburg", "left_out")):
        plan = apply(propose(table_of(a=normal(N), paid=cycled([cell, "", ""], N), kind=cycled("mb", N))))
        assert {column.name: column.role for column in plan.planned}["paid"] == role


def test_a_word_that_means_a_gap_may_outnumber_the_numbers():
    cells = ["ND" if k % 4 else f"{k}.5" for k in range(N)]
    plan = apply(
        propose(
            table_of(mip2=cells, a=normal(N), kind=cycled("mb", N)),
        ),
        Choices("kind"),
    )
    column = next(column for column in plan.planned if column.name == "mip2")
    assert column.facts.kind == "numbers"
    assert column.reason == f"{N * 3 // 4} of {N} cells are missing" or column.odd_are_missing


def test_codes_with_a_word_among_them_are_categories_without_a_question():
    cells = cycled(["75", "4", "250101", "EXTRA"], N)
    kinds = np.random.default_rng(0).choice(["m", "b"], N).tolist()
    plan = apply(propose(table_of(code=cells, a=normal(N), kind=kinds)))
    assert plan.ready
    assert plan.columns.categories == ("code",)
    counts = [str(k) if k % 9 else "EXTRA" for k in range(N)]  # too many to be codes
    rarely = [cell if k % 24 else "EXTRA" for k, cell in enumerate(cycled("1234", N))]
    for numbers in ([cell if k % 9 else "EXTRA" for k, cell in enumerate(normal(N))], counts, rarely):
        assert not apply(propose(table_of(weight=numbers, a=normal(N), kind=kinds))).ready


def test_rows_without_any_value_say_so():
    cells = ["" if k % 12 == 0 else cell for k, cell in enumerate(normal(N))]
    plan = apply(propose(table_of(a=cells, b=cells, kind=cycled("mb", N))))
    assert plan.costs[0] == "10 of 120 rows with no value in any feature are left out."


def test_another_table_of_the_file_is_among_the_costs():
    sales = "\n".join(f"{'uv'[k % 2]},{k},{k * k % 7},{k % 9}" for k in range(40))
    staff = "\n".join(f"n{k},{20 + k % 9},{k},t{k % 3},{k % 4}" for k in range(20))
    text = f"Sales\nshop,a,b,c\n{sales}\n\nStaff\nname,age,pay,team,kids\n{staff}\n"
    plan = apply(propose(read_table(text.encode(), "t.csv")))
    assert any(
        line.startswith("1 other table begins on line ") and line.endswith("To use another, choose it as 'Table'.")
        for line in plan.costs
    )


def test_the_same_measurements_again_are_no_feature():
    a = normal(N)
    planned = {
        each.name: each
        for each in apply(propose(table_of(a=a, again=a, near=[*a[1:], a[0]], kind=cycled("uv", N)))).planned
    }
    assert (planned["again"].role, planned["again"].reason) == ("left_out", "it is the same as a")
    assert planned["near"].role == "number"
    metres = [f"{k * k % 113}" for k in range(N)]
    lengths = {"m": metres, "mm": [f"{cell}000" for cell in metres], "km": [repr(int(cell) / 1000) for cell in metres]}
    other = {each.name: each for each in apply(propose(table_of(**lengths, kind=cycled("uv", N)))).planned}
    assert [other[name].reason for name in lengths] == ["", "it is proportional to m", "it is proportional to m"]
    tiny = {"p": [f"{0.5 + k / 300:.4f}" for k in range(N)], "q": [f"{0.9 - k / 300:.4f}" for k in range(N)]}
    tiny = {name: ["1e-60", *cells[1:]] for name, cells in tiny.items()}  # all others are 1e59 times as large
    assert not apply(propose(table_of(**tiny, kind=cycled("uv", N)))).columns.left_out
    short = {name: cells[:13] for name, cells in (("a", a), ("again", a))}
    left_out = dict(apply(propose(table_of(**short, kind=cycled("uv", 13)))).columns.left_out)
    assert left_out == {"again": "it is the same as a"}
    alike = {name: cells[:12] for name, cells in (("a", a), ("again", a))}  # of few rows by chance
    assert not apply(propose(table_of(**alike, kind=cycled("uv", 12)))).columns.left_out
    pixels = cycled(["0.5", "1.5", "0.25"], N)
    few = apply(propose(table_of(p0=pixels, p1=pixels, kind=cycled("uv", N)))).planned
    assert [each.role for each in few] == ["number", "number"]


@pytest.mark.parametrize(
    ("below", "asked"),
    [
        ([-1] * 3, True),
        ([-9] * 3, True),
        ([-1] * 2, False),
        ([-1, -1, -1, -2], False),
        ([-1, -1, -1, -0.5], False),
        ([-5] * 4, False),
    ],
)
def test_the_only_numbers_below_0_may_mean_that_there_is_none(below, asked):
    ages = [*below, *(k % 40 for k in range(N - len(below)))]
    few = [*below, *(k % 3 for k in range(N - len(below)))]  # answers about 0
    halves = [*below, *(k % 40 + 0.5 for k in range(N - len(below)))]
    for cells, is_asked in ((ages, asked), (few, False), (halves, asked)):
        plan = apply(propose(table_of(a=normal(N), age=cells, kind=cycled("uv", N))))
        assert (sentinel_offer(plan, ReadOptions()) is not None) == is_asked


def test_long_codes_of_a_few_rows_identify_them():
    codes = [140_000_000 + k * 7919 % 97 * 1000 + k for k in range(30)]
    table = table_of(a=normal(30), ccn=codes, short=[code % 100_000 for code in codes], kind=cycled("uv", 30))
    planned = {each.name: each for each in apply(propose(table)).planned}
    assert planned["ccn"].reason == "it holds large numbers, nearly all different, like an identifier"
    assert planned["short"].role == "number"


def test_codes_are_gaps_only_where_they_lie_outside_all_other_numbers():
    items = {name: ["99" if k % 40 == n else f"{(k * k + n) % 6}" for k in range(N)] for n, name in enumerate("abc")}
    ages = ["99" if k == 7 else f"{k % 70 + 20}" for k in range(N)]
    tags = [f"{k + 60}" for k in range(N)]  # 99 is one of them
    words = ["99" if k == 3 else cell for k, cell in enumerate(cycled("mbf", N))]
    table = table_of(**items, age=ages, tag=tags, kind=words)
    options = sentinel_offer(apply(propose(table)), ReadOptions()).answers[0].options
    assert (options.codes, options.missing) == (("99",), ())
    data = "\n".join(",".join(row) for row in (table.columns, *table.rows)).encode()
    read = read_table(data, "t.csv", options)
    gaps = {name: sum(not cell for cell in read.column(name)) for name in read.columns}
    assert gaps == {"a": 3, "b": 3, "c": 3, "age": 1, "tag": 0, "kind": 0}
    by_hand = read_table(data, "t.csv", ReadOptions(missing=("99",)))
    assert [by_hand.column(name).count("") for name in ("age", "tag", "kind")] == [1, 1, 1]


@pytest.mark.parametrize(("code", "is_number"), [("-2", False), ("5", True)])
def test_texts_beside_the_codes_of_a_survey_make_no_numbers(code, is_number):
    n = 60
    other = [code] * 56 + [f"something else {k}" for k in range(4)]
    plan = apply(propose(table_of(a=normal(n), other=other, label=cycled("xy", n))))
    column = next(column for column in plan.planned if column.name == "other")
    assert (column.role == "number") == is_number
    assert any(question.key == "odd_cells" and question.blocking for question in plan.questions) == is_number


def test_codes_with_leading_zeros_are_no_pairs_of_numbers():
    n = 40
    codes, pressures = [f"{20 + k % 3}/{k + 40:03}" for k in range(n)], [f"{110 + k}/{60 + k}" for k in range(n)]
    table = propose(table_of(code=codes, pressure=pressures, label=cycled("xy", n))).table
    assert {"pressure 1", "pressure 2"} <= set(table.columns)
    assert "code 1" not in table.columns


def test_zeros_in_the_same_rows_may_mean_gaps_though_other_columns_have_zeros_too():
    fewer = ["0.0" if j % 30 == 0 else f"{150 + j * 11 % 61}.5" for j in range(N)]
    cells = ["0.0" if j % 15 == 0 else f"{150 + j * 7 % 61}.5" for j in range(N)]
    other = ["0.0" if j % 15 == 0 else f"{150 + j * 13 % 59}.5" for j in range(N)]
    table = table_of(a=cells, b=other, c=fewer, n=[f"{k % 4}.0" for k in range(N)], kind=cycled("mb", N))
    question = sentinel_offer(apply(propose(table)), ReadOptions())
    assert question.text == "0.0 in 'a', 'b', 'c' stands apart from all other values. Does it mean a missing value?"
    assert codes_outside(["0.0", "3.0", "9.5"], ["0.0"], ".") == []
    assert codes_outside(["0.0", "3.0", "8.5"], ["0.0"], ".") == ["0.0"]


def test_a_number_to_predict_has_no_label_where_it_says_na():
    cells = ["NA" if k % 5 == 0 else "" if k % 7 == 0 else f"{k * 1.25}" for k in range(N)]
    plan = apply(propose(table_of(a=normal(N), wage=cells, b=normal(N, 1))), Choices(label="wage"))
    n = sum(cell in ("NA", "") for cell in cells)
    assert f"{n} of {N} rows have no label: drawn in grey, not trained on." in plan.costs


def test_lists_with_many_blanks_are_left_out_as_lists():
    answers = ["red; green", "green; blue", "blue", "red; blue"]
    cells = [answers[k % 4] if k % 3 == 0 else "" for k in range(N)]
    plan = apply(propose(table_of(a=normal(N), picked=cells, label=cycled("xy", N))))
    (column,) = [column for column in plan.planned if column.name == "picked"]
    assert column.reason == "it holds lists of answers, each of which is a column"


@pytest.mark.parametrize("begin", ["data = ", "var map.data = ", ""])
def test_records_that_a_script_assigns_are_read(begin):
    features = [{"properties": {"n": k, "area": k * k % 7}, "geometry": {"type": ["a", "b"][k % 2]}} for k in range(12)]
    table = read_table(f"{begin}{json.dumps({'features': features})}{';' if begin else ''}".encode(), "t.geojson")
    assert table.n_rows == 12
    plan = apply(propose(table))
    assert plan.label is None or not plan.label.name.startswith("geometry")


def test_names_in_records_that_stand_within_others_are_told_apart():
    places = [{"id": k, "name": f"place {k}", "votes": [{"name": f"p{j}", "n": j} for j in range(4)]} for k in range(6)]
    table = read_table(json.dumps(places).encode(), "t.json")
    assert (table.columns, table.row(5)) == (("id", "name", "votes.name", "n"), ("1", "place 1", "p1", "1"))


@pytest.mark.parametrize(("name", "role"), [("ISBN13", "left_out"), ("volume", "number")])
def test_numbers_of_books_with_gaps_are_no_measurements(name, role):
    numbers = ["" if k % 5 == 0 else str(978_000_000 + k * 7919 % 9973) for k in range(N)]
    plan = apply(
        propose(
            table_of(
                a=normal(N),
                **{name: numbers},
                weight=[str(10**8 + k % 7) for k in range(N)],
                cost=[str(10**7 * k) for k in range(N)],
                label=cycled("xy", N),
            )
        )
    )
    assert next(column.role for column in plan.planned if column.name == name) == role
