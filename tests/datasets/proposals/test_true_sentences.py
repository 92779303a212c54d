"""Questions, reasons and labels say what holds for the table, and nothing is asked that changes nothing."""

from datasets.proposals import apply, propose
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 300
LABEL = cycled("xy", N)


def planned(**columns):
    return apply(propose(table_of(**columns)))


def asked(plan, key):
    return next(question for question in plan.questions if question.key == key)


def test_odd_cells_of_a_column_that_is_left_out_are_not_asked_about():
    mostly_missing = [*["12.5"] * 20, *["high", "low"] * 4, *[""] * (N - 28)]
    plan = planned(a=normal(N), rest=mostly_missing, label=LABEL)
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
