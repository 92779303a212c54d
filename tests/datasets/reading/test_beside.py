"""Sheets of a workbook that tell more of the rows of another one, or of its columns as samples."""

import pytest

from datasets.proposals import apply, orientation_question, propose
from datasets.reading import ReadOptions, other_sheet_question, read_table, sheets_question
from tests.datasets.files import workbook

N = 24
COUNTS = [["site", "fern", "moss", "reed"], *([f"s{k}", 3 * k % 7, k * k % 11, 2 * k] for k in range(N))]


def places(order=range(N), key="Plot"):
    return [[key, "habitat", "height"], *([f"s{k}", "fen" if k % 3 else "bog", 100 + k] for k in order)]


def test_a_sheet_that_names_the_same_rows_is_offered_and_added_by_their_names():
    data = workbook(counts=COUNTS, env=[*places(range(N - 1, 1, -1)), ["s99", "bog", 7]], about=[["by us"]])
    table = read_table(data, "t.xlsx")
    assert (table.sheet, table.beside, table.beside_samples) == ("counts", ("env",), ())
    question = other_sheet_question(table, ReadOptions())
    assert question.text == "The sheet 'env' has more columns for these rows. Add them?"
    options = question.answers[0].options
    joined = read_table(data, "t.xlsx", options)
    assert other_sheet_question(joined, options) is None
    assert joined.columns == ("site", "fern", "moss", "reed", "habitat", "height")
    assert joined.column("habitat") == ["", "", *("fen" if k % 3 else "bog" for k in range(2, N))]
    assert joined.column("height")[2:] == [str(100 + k) for k in range(2, N)]
    assert "2 columns of the sheet 'env' were added by 'site': 'habitat', 'height'." in joined.notes
    assert joined.line_numbers.tolist() == list(range(2, N + 2))


def test_other_sheets_of_the_same_rows_are_named():
    data = workbook(counts=COUNTS, env=places(), soil=[[row[0], "acid", row[1]] for row in places()])
    table = read_table(data, "t.xlsx", sheet="counts")
    assert table.beside == ("env", "soil")
    assert other_sheet_question(table, ReadOptions()).text.startswith("The sheet 'env' ('soil', too) has more columns")


def test_rows_without_names_go_by_their_order():
    counts = [row[1:] for row in COUNTS]
    env = [row[1:] for row in places()]
    data = workbook(counts=counts, env=env)
    table = read_table(data, "t.xlsx", sheet="counts")
    assert table.beside == ("env",)
    joined = read_table(data, "t.xlsx", ReadOptions(beside="env"), sheet="counts")
    assert joined.column("habitat") == ["fen" if k % 3 else "bog" for k in range(N)]
    assert "2 columns of the sheet 'env' were added, row by row: 'habitat', 'height'." in joined.notes
    assert read_table(workbook(counts=counts, env=env[:-1]), "t.xlsx", sheet="counts").beside == ()
    named = [[*row, cell] for row, cell in zip(counts, ["kind", *"uv" * 12], strict=True)]
    assert read_table(workbook(counts=named, env=env), "t.xlsx", sheet="counts").beside == ()


@pytest.mark.parametrize(
    "env",
    [
        [row[:1] + row[2:] for row in places()],  # no words
        [*places()[:9]],  # few of the rows
        places(key="habitat")[:1] + [["fen", f"s{k}", k] for k in range(N)],  # names beside names that repeat
        [[*row[:1], "fern", row[2]] if k == 0 else row for k, row in enumerate(places())][:1] + places()[1:3],
    ],
)
def test_other_sheets_are_not_offered(env):
    table = read_table(workbook(counts=COUNTS, env=env), "t.xlsx", sheet="counts")
    assert table.beside + table.beside_samples == ()
    assert other_sheet_question(table, ReadOptions()) is None


def test_numbers_name_rows_below_the_same_name_only():
    counts = [["id", *COUNTS[0][1:]], *([7 * k, *row[1:]] for k, row in enumerate(COUNTS[1:]))]
    env = [["ID", "habitat"], *([7 * k, "fen" if k % 3 else "bog"] for k in range(N - 1, 0, -1))]
    data = workbook(counts=counts, env=env)
    joined = read_table(data, "t.xlsx", ReadOptions(beside="env"), sheet="counts")
    assert joined.column("habitat")[:4] == ["", "fen", "fen", "bog"]
    env[0][0] = "height"
    assert read_table(workbook(counts=counts, env=env), "t.xlsx", sheet="counts").beside == ()


def test_a_sheet_about_samples_in_columns_turns_the_table():
    names = [f"S{7 * k % 10}" for k in range(10)]
    genes = [["gene", *names], *([f"g{k}", *(10.5**k + j * k % 5 for j in range(10))] for k in range(8))]
    legend = [
        ["strain", "kind", "colour"],
        *([name, "wild" if int(name[1]) < 4 else "mutant", "red"] for name in names),
    ]
    data = workbook(genes=genes, legend=legend)
    table = read_table(data, "t.xlsx", sheet="genes")
    assert (table.beside, table.beside_samples) == ((), ("legend",))
    question = other_sheet_question(table, ReadOptions())
    assert question.text == ("The sheet 'legend' describes these columns. Add what it says, and take columns as rows?")
    options = question.answers[0].options
    assert options.transposed
    turned = read_table(data, "t.xlsx", options, sheet="genes")
    assert turned.column("sample") == names
    assert turned.column("kind") == ["wild" if int(name[1]) < 4 else "mutant" for name in names]
    assert apply(propose(turned)).label.name == "kind"
    assert orientation_question(apply(propose(turned)), options) is None


def test_sheets_of_other_kinds_are_not_joined():
    raw = [["cell", "a", "b"], *([f"c{k}", k, k * k] for k in range(9))]
    shifted = [["cell", "a", "b"], *([k + 0.5, "low", "high"] for k in range(9))]
    assert sheets_question(read_table(workbook(raw=raw, out=shifted), "t.xlsx"), ReadOptions()) is None
    assert sheets_question(read_table(workbook(raw=raw, out=raw), "t.xlsx"), ReadOptions()) is not None


def of_samples():
    names = [f"S{k}" for k in range(10)]
    genes = [["gene", *names], *([f"g{k}", *(10.5**k + j * k % 5 for j in range(10))] for k in range(8))]
    legend = [["strain", "kind"], *([name, "wild" if int(name[1]) < 4 else "mutant"] for name in names)]
    return genes, legend


def test_a_line_below_the_names_may_be_the_key_to_a_sheet_about_samples():
    genes, legend = of_samples()
    read = ["", *(["mean"] * 5 + ["max"] * 5)]
    genes = [["gene", *(f"run {k} of" for k in "abcdefghij")], genes[0][:], read, *genes[1:]]
    genes[1][0] = ""
    table = read_table(workbook(genes=genes, legend=legend), "t.xlsx", sheet="genes")
    assert table.beside_samples == ("legend",)
    turned = read_table(workbook(genes=genes, legend=legend), "t.xlsx", ReadOptions(beside="legend", transposed=True))
    assert turned.column("kind") == ["wild"] * 4 + ["mutant"] * 6


@pytest.mark.parametrize(("name", "cell"), [("unit", "7"), ("Campo", "7"), ("kind", "low")])
def test_a_sheet_that_explains_columns_or_tells_of_words_is_about_no_samples(name, cell):
    genes, legend = of_samples()
    assert read_table(workbook(genes=genes, legend=legend), "t.xlsx", sheet="genes").beside_samples == ("legend",)
    legend[0][1], genes[1][2] = name, cell
    assert read_table(workbook(genes=genes, legend=legend), "t.xlsx", sheet="genes").beside_samples == ()


def test_rows_that_are_samples_by_a_name_need_no_sheet_about_their_columns():
    genes, legend = of_samples()
    rows = [
        ["id", "Patient ID", *genes[0][1:]],
        *([f"r{k}", f"P{k // 2}", *row[1:]] for k, row in enumerate(genes[1:])),
    ]
    assert read_table(workbook(rows=rows, legend=legend), "t.xlsx", sheet="rows").beside_samples == ()
    rows[0][1] = "series"
    assert read_table(workbook(rows=rows, legend=legend), "t.xlsx", sheet="rows").beside_samples == ("legend",)


@pytest.mark.parametrize(
    ("n_each", "key", "offered"),
    [(2, "s{}", ("env",)), (1.9, "s{}", ()), (4, "s{}", ("env",)), (5, "s{}", ()), (2, "{}", ())],  # 5 sites are few
)
def test_rows_that_share_one_of_another_sheet_take_its_cells(n_each, key, offered):
    sites = [key.format(int(k / n_each)) for k in range(N)]
    counts = [COUNTS[0], *([site, *row[1:]] for site, row in zip(sites, COUNTS[1:], strict=True))]
    env = [places()[0], *([key.format(k), *row[1:]] for k, row in enumerate(places()[1:-3]))]
    table = read_table(workbook(counts=counts, env=env), "t.xlsx", sheet="counts")
    assert table.beside == offered
    if offered:
        joined = read_table(workbook(counts=counts, env=env), "t.xlsx", ReadOptions(beside="env"), sheet="counts")
        assert joined.column("habitat") == ["fen" if int(k / n_each) % 3 else "bog" for k in range(N)]


def test_numbers_shared_by_rows_are_a_key_in_the_first_column_below_the_same_name():
    counts = [["plot", "site", "moss"], *([f"p{k}", k % 7, k * k % 11] for k in range(N))]
    env = [["site", "habitat", "n"], *([k, "fen" if k % 3 else "bog", 9 - k] for k in range(9))]
    assert read_table(workbook(counts=counts, env=env), "t.xlsx", sheet="counts").beside == ("env",)
    moved = [row[::-1] for row in env]
    assert read_table(workbook(counts=counts, env=moved), "t.xlsx", sheet="counts").beside == ()
    env[0][0] = "area"
    assert read_table(workbook(counts=counts, env=env), "t.xlsx", sheet="counts").beside == ()


@pytest.mark.parametrize(
    ("name", "step", "offered"),
    [("site", 7, ("times", "env")), ("person", 7, ("env",)), ("site", 1, ("env",)), ("site", 7.25, ("env",))],
)
def test_numbers_of_the_same_rows_are_enough_below_the_same_name_and_stand_first(name, step, offered):
    """Unless they only count, as other sheets count their own rows, or are measurements."""
    keys = [step * (k + 1) for k in range(N)]
    counts = [COUNTS[0], *([key, *row[1:]] for key, row in zip(keys, COUNTS[1:], strict=True))]
    env = [["Site", "habitat"], *([key, "fen" if key % 3 else "bog"] for key in [*keys, 999])]
    times = [[name, "start", "end"], *([key, key / 9, key * 1.5] for key in keys)]
    table = read_table(workbook(counts=counts, env=env, times=times), "t.xlsx", sheet="counts")
    assert table.beside == offered
    joined = read_table(workbook(counts=counts, env=env), "t.xlsx", ReadOptions(beside="env"), sheet="counts")
    assert "1 column of the sheet 'env' was added by 'site': 'habitat'." in joined.notes


@pytest.mark.parametrize(("n", "offered"), [(10, ("env",)), (9, ())])
def test_ten_rows_in_the_same_order_are_enough(n, offered):
    counts, env = [[row[1:] for row in rows[: n + 1]] for rows in (COUNTS, places())]
    assert read_table(workbook(counts=counts, env=env), "t.xlsx", sheet="counts").beside == offered


@pytest.mark.parametrize(("n_known", "offered"), [(18, ("env",)), (17, ())])
def test_nine_names_of_ten_must_be_there(n_known, offered):
    env = [*places()[: n_known + 1], *([f"other {k}", "fen", k] for k in range(6))]
    assert read_table(workbook(counts=COUNTS[:21], env=env), "t.xlsx", sheet="counts").beside == offered


@pytest.mark.parametrize(("shift", "offered"), [(0, True), (3, False)])
def test_rows_with_the_same_numbers_that_disagree_are_others(shift, offered):
    plots = [["ID", "plot", "x"], *([k, f"p{k % 4}", k * k] for k in range(1, N))]
    herbs = [["ID", "plot", "herb"], *([k, f"p{(k + shift) % 4}", "fern" if k % 3 else "moss"] for k in range(1, N))]
    table = read_table(workbook(plots=plots, herbs=herbs), "t.xlsx", sheet="plots")
    assert table.beside == (("herbs",) if offered else ())
