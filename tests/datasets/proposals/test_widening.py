"""Long tables, with a row for each quantity of a sample, and what they are once each quantity is a column."""

import pytest

from datasets.proposals import apply, orientation, propose, widening_question
from datasets.reading import Limits, ReadOptions, read_table

N = 15


def long(name="parameter", unit="", n_samples=N, quantities=("pH", "iron", "zinc"), leave_out=(), again=(), n_more=0):
    more = "".join(f",m{chr(97 + k)}" for k in range(n_more))
    lines = [f"place,kind,{name},value{',unit' if unit else ''}{more}"]
    for k in range(n_samples):
        for j, quantity in enumerate(quantities):
            of = f",{('mol', 'mg/l')[j > 0]}" if unit else ""
            of += "".join(f",{(k + m) % 7}" for m in range(n_more))  # of the place
            if (k, j) not in leave_out:
                lines += [f"p{k},{'uv'[k % 2]},{quantity},{k * 1.25 + 10 ** (j % 9)}{of}"] * (1 + ((k, j) in again))
    return ("\n".join(lines) + "\n").encode()


def some_of(n_quantities, n_each):
    """Each of 80 samples with a few of many quantities."""
    have = {(k, (k * 3 + i * 7) % n_quantities) for k in range(80) for i in range(n_each)}
    gone = {(k, j) for k in range(80) for j in range(n_quantities)} - have
    return long(n_samples=80, quantities=[f"q{chr(97 + j % 26)}{j // 26}" for j in range(n_quantities)], leave_out=gone)


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
        some_of(40, 3),
        long(n_more=9),  # 13 columns
    ],
)
def test_other_tables_are_not_offered_to_be_made_wide(data):
    assert asked(data) is None


@pytest.mark.parametrize("data", [some_of(40, 4), long(n_more=8), long(n_samples=10, quantities="ab")])
def test_what_is_just_enough_to_be_made_wide(data):
    assert asked(data) is not None


@pytest.mark.parametrize(("most", "fits"), [(7, True), (6, False)])
def test_a_table_that_would_be_too_wide_is_not_offered(monkeypatch, most, fits):
    monkeypatch.setattr(orientation, "Limits", lambda: Limits(columns=most))  # 3 quantities beside 4 columns
    assert (asked(long()) is not None) == fits


def test_columns_that_are_not_there_change_nothing():
    assert read_table(b"a,b\n1,2\n", "t.csv", ReadOptions(widened=("x", "a"))).columns == ("a", "b")


@pytest.mark.parametrize("is_varying", [False, True])
def test_a_key_of_the_samples_is_enough_where_other_columns_vary(is_varying):
    foods = [(k, j) for k in range(30) for j in range(5)]
    lines = [f"food {k},{'uv'[k % 2]},c{j},{k * 1.5 + 10**j},{(k * 5 + j) * 7 % 11 * is_varying}" for k, j in foods]
    data = "\n".join(["food,group,component,value,source", *lines]).encode()
    wide = read_table(data, "t.csv", asked(data).answers[0].options)
    assert (wide.n_rows, wide.columns) == (
        30,
        ("food", "group", *([] if is_varying else ["source"]), *(f"c{j}" for j in range(5))),
    )
    assert ("Left out with them: source." in wide.notes) == is_varying


def found(first="month", quantity="taxa", value="abundance", step=0.5, n_gone=12, zero=False):
    """Each of 120 samples, of a month each, with some of 24 taxa."""
    lines = [f"{first},{quantity},{value}"]
    for k in range(120):
        there = [j for j in range(24) if (k * 7 + j * 5) % 24 >= n_gone]
        lines += [f"{'JFM'[k % 3]}-{k},t{chr(97 + j)},{(k * 5 + j) % 41 * 2 * step + step}" for j in there]
    lines += ["J-0,ta,0"] * zero
    return "\n".join(lines).encode()


def test_taxa_become_columns_with_0_where_a_sample_has_none_and_months_stay_rows():
    question = asked(found(n_gone=13))
    assert question.text == (
        "Each of 120 samples has rows for some 'taxa', with 'abundance' in it. "
        "Make 24 columns of these, with 0 for absent ones?"
    )
    wide = read_table(found(n_gone=13), "t.csv", question.answers[0].options)
    assert (wide.n_rows, wide.columns[:2], wide.column("tx").count("0")) == (120, ("month", "td"), 65)
    assert asked(found(quantity="what")) is None  # not even months, however many
    assert wide.notes[-1] == "1,560 cells are 0, as their samples had no such row."


@pytest.mark.parametrize(("n_each", "asked_for"), [(5, True), (4, False)])
def test_few_of_many_sequences_in_each_sample_were_counted(n_each, asked_for):
    """As eDNA is written: most hashes occur in few samples."""
    rows = [f"s{k}-d{k % 2},{(k * 31 + i * i * 17) % 150:032x},{k * i + 3}" for k in range(80) for i in range(n_each)]
    question = asked("\n".join(["sample,Hash,nReads", *dict.fromkeys(rows)]).encode())
    assert (question is not None) == asked_for
    assert not asked_for or question.text.endswith("with 0 for absent ones?")


@pytest.mark.parametrize(("name", "n", "is_asked"), [("gene", 12, True), ("room", 12, False), ("room", 120, False)])
def test_quantities_may_be_numbered(name, n, is_asked):
    rows = [f"{2318338 + 77 * j},{'uvw'[k % 3]},b{k},{k * 1.25 + j * j:.2f}" for k in range(N) for j in range(n)]
    question = asked("\n".join([f"{name},region,brain,value", *rows]).encode())
    assert (question is not None) == is_asked
    assert not is_asked or question.answers[0].options.widened == (name, "value")


@pytest.mark.parametrize(
    ("data", "are_0"),
    [
        (found(), False),  # half of the pairs
        (found(n_gone=13, zero=True), False),
        (found(n_gone=13, value="result"), False),  # measured
        (found(n_gone=13, value="result", step=1), True),
        (found(n_gone=13, quantity="parameter"), False),
        (found(n_gone=13, quantity="parameter", step=1), True),
        (found(n_gone=13, quantity="parameter", value="result", step=1), False),  # answers
    ],
)
def test_absent_pairs_are_0_only_among_numbers_above_0_that_were_counted(data, are_0):
    name, value = data.split(b"\n", 1)[0].decode().split(",")[1:]
    wide = read_table(data, "t.csv", ReadOptions(widened=(name, value)))
    assert ("" not in wide.column("tx")) == are_0


@pytest.mark.parametrize(("name", "is_asked"), [("Cycle", True), ("wavelength (nm)", True), ("day", False)])
def test_a_curve_for_each_sample_is_made_wide(name, is_asked):
    rows = [f"w{k},{'uv'[k % 2]},{j},{k * 1.25 + j**0.5:.3f}" for k in range(N) for j in range(1, 9)]
    question = asked("\n".join([f"well,kind,{name},signal", *rows]).encode())
    assert (question is not None) == is_asked
    assert not is_asked or question.answers[0].options.widened == (name, "signal")


def test_samples_made_of_rows_are_not_offered_to_be_transposed():
    rows = [f"w{k},{j},{k * 10 + j**0.5:.3f}" for k in range(30) for j in range(1, 51)]
    data, wide = "\n".join(["well,Cycle,signal", *rows]).encode(), ReadOptions(widened=("Cycle", "signal"))
    plan = apply(propose(read_table(data, "t.csv", wide)))
    assert orientation.orientation_question(plan, ReadOptions()) is not None  # of the same table as a file
    assert orientation.orientation_question(plan, wide) is None


def answers(name="person_id", question="topic", n_persons=20, n_topics=3, n_again=0, more=""):
    """A row for each of two items of each topic, with a word to each; the items have the same names in all topics."""
    asked = [(k, topic, item) for k in range(n_persons) for topic in "abcdefgh"[:n_topics] for item in ("how", "why")]
    asked += [(0, "a", "how")] * n_again
    rows = [
        f"{k + 100},{topic}?,{item},{['yes', 'no', 'so so'][(k * k + j) * 5 % 3]}"
        for j, (k, topic, item) in enumerate(asked)
    ]
    rows = [f"{row},{more[j * j // 3 % len(more)]}" if more else row for j, row in enumerate(rows)]
    return "\n".join([f"{name},{question},item,answer{',more' if more else ''}", *rows]).encode()


@pytest.mark.parametrize(
    ("about", "is_asked"),
    [
        ({}, True),
        ({"n_again": 6}, True),
        ({"n_again": 7}, False),  # several rows for a question
        ({"name": "height"}, False),  # no identifier
        ({"n_topics": 2}, False),
        ({"n_persons": 9}, False),
        ({"question": "month"}, False),
        ({"more": "uvw"}, False),  # two columns could be the answer
    ],
)
def test_answers_in_words_are_made_wide_where_a_person_has_a_row_for_each_of_two_names(about, is_asked):
    data = answers(**about)
    question = asked(data)
    assert (question is not None) == is_asked
    if is_asked:
        wide = read_table(data, "t.csv", question.answers[0].options)
        assert (wide.n_rows, wide.columns[:3]) == (20, ("person_id", "a? how", "a? why"))
        assert (wide.row(0)[1], len(wide.columns)) == ("yes", 7)
        assert any(f"{about.get('n_again')} rows with other cells" in note for note in wide.notes) == bool(about)
