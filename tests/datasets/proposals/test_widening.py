"""Long tables, with a row for each quantity of a sample, and what they are once each quantity is a column."""

import pytest

from datasets.proposals import apply, propose, widening_question
from datasets.reading import ReadOptions, read_table

N = 15


def long(name="parameter", unit="", n_samples=N, quantities=("pH", "iron", "zinc"), leave_out=(), again=()):
    lines = [f"place,kind,{name},value{',unit' if unit else ''}"]
    for k in range(n_samples):
        for j, quantity in enumerate(quantities):
            of = f",{('mol', 'mg/l')[j > 0]}" if unit else ""
            if (k, j) not in leave_out:
                lines += [f"p{k},{'uv'[k % 2]},{quantity},{k * 1.25 + 10**j}{of}"] * (1 + ((k, j) in again))
    return ("\n".join(lines) + "\n").encode()


def asked(data, options=None):
    return widening_question(apply(propose(read_table(data, "t.csv"))), options or ReadOptions())


@pytest.mark.parametrize(
    "data", [long(), long("what", unit="unit"), long("what", quantities=[f"q{k}" for k in range(100)])]
)
def test_a_long_table_is_made_wide_at_one_press(data):
    question = asked(data)
    assert question.text.startswith("Each of 15 samples has a row for each '")
    assert asked(data, question.answers[0].options) is None
    wide = read_table(data, "t.csv", question.answers[0].options)
    assert wide.n_rows == N
    assert wide.columns[:2] == ("place", "kind")
    assert "unit" not in wide.columns


def test_gaps_stay_blank_rows_keep_their_order_and_line_and_what_is_left_out_is_said():
    data = long(unit="unit", leave_out={(0, 1), (4, 0)})
    wide = read_table(data, "t.csv", asked(data).answers[0].options)
    assert wide.columns == ("place", "kind", "pH", "zinc", "iron")
    assert wide.row(0) == ("p0", "u", "1.0", "100.0", "")
    assert wide.row(4) == ("p4", "u", "", "105.0", "15.0")
    assert wide.line_numbers[:3].tolist() == [2, 4, 7]
    assert wide.notes[-2:] == (
        "Each of 15 samples had a row for each 'parameter': these are columns of 'value' now.",
        "Left out with them: unit.",
    )


@pytest.mark.parametrize(
    "data",
    [
        long("year"),  # nothing tells that these are quantities
        long("what", quantities=[f"q{k}" for k in range(99)]),
        long(n_samples=9, quantities="abcde"),  # few samples
        long(again={(3, 1)}),  # a sample twice
        long(quantities="ab", leave_out={(k, 1) for k in range(N) if k > 2}),  # of which most have one only
    ],
)
def test_other_tables_are_not_offered_to_be_made_wide(data):
    assert asked(data) is None


def test_columns_that_are_not_there_change_nothing():
    assert read_table(b"a,b\n1,2\n", "t.csv", ReadOptions(widened=("x", "a"))).columns == ("a", "b")
