"""Columns: what is recognised and why, what each choice does and costs, numbered as in the list of bad inputs."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from datasets.base.dataset import UNLABELLED
from datasets.base.errors import DataError
from datasets.columns import build_dataset, column_of, count_singles
from datasets.reading import read_table
from tests.datasets.planned import column_plan


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def plan_of(text, label=None):
    table = read_table(text.encode(), "t.csv")
    return table, column_plan(table, label=label)


def load(text, label=None, **choices):
    table, plan = plan_of(text, label)
    return build_dataset(table, replace(plan, **choices))


def table_of(**columns):
    """A CSV of the columns, cell by cell."""
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return "\n".join(lines) + "\n"


N = 12
A = [k * k for k in range(N)]
LABEL = ["x", "y", "z"] * (N // 3)
ODD = {
    "id": (list(range(N)), "it counts the rows"),
    "when": ([f"2024-01-{k + 1:02d}" for k in range(N)], "it holds dates"),
    "words": ([f"free text {k}" for k in range(N)], "it holds names or text, nearly all different"),
    "const": (["5"] * N, "it is 5 in every row"),
    "void": (["", "?"] * (N // 2), "it is empty"),
    "copy": ([{"x": "one", "y": "two", "z": "three"}[c] for c in LABEL], "it says the same as the label"),
    "code": ([{"x": 1, "y": 2, "z": 3}[c] for c in LABEL], "it says the same as the label"),
}


@pytest.mark.parametrize("name", ODD)
def test_columns_left_out_with_the_reason_and_put_back(name):
    cells, reason = ODD[name]
    table, plan = plan_of(table_of(a=A, **{name: cells}, label=LABEL))
    assert plan.left_out == ((name, reason),)
    assert plan.features == ("a",)
    assert f"{name} ({reason})" in " ".join(build_dataset(table, plan).notes)
    if name in ("id", "const", "code"):
        put_back = replace(plan, features=("a", name), left_out=())
        np.testing.assert_array_equal(build_dataset(table, put_back).X[:, 1], np.array(cells, dtype=float))


def test_marks_of_a_few_rows_do_not_say_the_same_as_a_rare_label():
    marks = {name: [int(k % 200 == rest) for k in range(800)] for name, rest in (("a", 3), ("b", 7), ("label", 11))}
    _, plan = plan_of(table_of(**marks), label="label")
    assert plan.features == ("a", "b")


def test_a_copy_of_a_label_of_many_values_is_found():
    n = 60_000  # a search through what was met before would take minutes
    halves = [k // 2 for k in range(n)]
    text = table_of(a=[k % 17 for k in range(n)], doubled=[2 * v for v in halves], label=halves)
    _, plan = plan_of(text, label="label")
    assert dict(plan.left_out)["doubled"] == "it says the same as the label"
    assert plan.features == ("a",)


def test_36_categories_become_columns():
    colours = ["red", "blue", "blue", "red", "green", "green"] * 2
    dataset = load(table_of(a=A, colour=colours, label=LABEL))
    assert dataset.feature_names == ("a", "colour = blue", "colour = green", "colour = red")
    np.testing.assert_array_equal(dataset.X[:3, 1:], [[0, 0, 1], [1, 0, 0], [1, 0, 0]])
    assert "colour: each of its 3 values became a column of 0 and 1." in dataset.notes
    table, plan = plan_of(table_of(a=A, colour=colours, label=LABEL))
    assert build_dataset(table, replace(plan, features=("a",), categories=())).X.shape == (N, 1)


def test_32_infinite_and_40_huge_cells_are_named():
    for cell, word in (
        ("inf", "infinite"),
        ("1e999", "infinite"),
        ("1e200", "overflow"),
        ("-1e71", "overflow"),
    ):
        with pytest.raises(DataError, match=word) as error:
            load(f"a,label\n1,x\n2,y\n{cell},x\n4,y\n")
        assert "line 4, column 'a'" in str(error.value)


def test_34_thousands_marks_are_cleaned_and_said():
    dataset = load('a,label\n"1,234",x\n2,y\n"-5,000,000.5",x\n−7,y\n8%,x\n')
    np.testing.assert_array_equal(dataset.X[:, 0], [1234, 2, -5000000.5, -7, 8])
    assert "4 cells were cleaned into numbers (the first on line 2, '1,234' as 1234)" in " ".join(dataset.notes)
    german = load("a;b;label\n1.234.567,5;0,5;x\n2,5;1,5;y\n3,5;2,5;x\n")
    np.testing.assert_array_equal(german.X[:, 0], [1234567.5, 2.5, 3.5])


def test_47_singles_kept_left_out_or_merged():
    text = table_of(a=A, label=["x"] * 5 + ["y"] * 5 + ["u", "v"])
    kept = load(text)
    assert kept.class_names == ("u", "v", "x", "y")
    assert "single row" in " ".join(kept.notes)
    left = load(text, singles="leave_out")
    assert left.class_names == ("x", "y")
    assert left.y.tolist() == [0] * 5 + [1] * 5 + [UNLABELLED] * 2
    merged = load(text, singles="merge")
    assert merged.class_names == ("x", "y", "single rows")
    assert merged.y.tolist() == [0] * 5 + [1] * 5 + [2, 2]


def test_49_numbers_as_label_are_binned_or_kept():
    values = [round(0.37 * k, 2) for k in range(90)]
    text = table_of(a=[k % 17 for k in range(90)], price=values)
    table, plan = plan_of(text, label="price")
    assert plan.label_mode == "bins"
    dataset = build_dataset(table, plan)
    assert np.bincount(dataset.y).tolist() == [30, 30, 30]
    assert dataset.target is None
    assert [np.ptp(np.array(values)[dataset.y == k]) < 11 for k in range(3)] == [True] * 3
    continuous = build_dataset(table, replace(plan, label_mode="continuous", n_bins=5))
    np.testing.assert_array_equal(continuous.target, values)
    assert np.bincount(continuous.y).tolist() == [18] * 5
    assert continuous.class_names[0].startswith("≤")
    assert "were cut into 3 classes of about equal frequency." in " ".join(dataset.notes)
    tied = build_dataset(*plan_of(table_of(a=[k % 17 for k in range(90)], price=[0] * 55 + values[55:]), label="price"))
    assert np.bincount(tied.y).tolist() == [55, 5, 30]
    assert "were cut into 3 classes of unequal size, as ties stay together." in " ".join(tied.notes)
    assert "are kept as they are, beside 5 classes" in " ".join(continuous.notes)


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([round(14.1 + 0.4 * k, 1) for k in range(30)], ("≤ 18", "18 … 22", "> 22")),
        ([1000 * k * k for k in range(30)], ("≤ 90000", "90000 … 370000", "> 370000")),
        (
            [round(1 + k * 1e-9, 9) for k in range(30)],
            ("≤ 1.0000000097", "1.0000000097 … 1.000000019", "> 1.000000019"),
        ),
        ([-0.5 + k for k in range(30)], ("≤ 9", "9 … 19", "> 19")),
    ],
)
def test_ranges_are_named_by_the_shortest_numbers_that_divide_the_values(values, names):
    table, plan = plan_of(table_of(a=[k % 17 for k in range(30)], price=values), label="price")
    dataset = build_dataset(table, replace(plan, label_mode="bins"))
    assert dataset.class_names == names
    edges = [float(name.split()[-1]) for name in names[:-1]]
    np.testing.assert_array_equal(dataset.y, np.searchsorted(edges, values, side="left"))


@pytest.mark.parametrize(("values", "offered"), [(range(30), True), ([f"person {k}" for k in range(30)], False)])
def test_a_label_without_repeats_is_offered_as_a_number_only_where_it_is_one(values, offered):
    lines = ["a,who", *(f"{k % 7},{value}" for k, value in enumerate(values))]
    table = read_table("\n".join(lines).encode(), "t.csv")
    plan = replace(column_plan(table), label="who", label_mode="classes", features=("a",))
    with pytest.raises(DataError, match="every class of the label column 'who' has a single row") as caught:
        build_dataset(table, plan)
    assert ("treat it as a number" in str(caught.value)) == offered


TEXT = """a,colour,when,void,price,label
1,red,2024-01-01,,"1,200",x
2,blue,2024-01-02,?,7,x
,red,2024-01-03,NA,word,y
4,green,2024-01-04,,9,y
5,red,2024-01-05,,10,z
"""


def test_kind_counts_and_examples():
    table = read_table(TEXT.encode(), "t.csv")
    facts = {name: column_of(table, name) for name in table.columns}
    assert {name: f.kind for name, f in facts.items()} == {
        "a": "numbers",
        "colour": "words",
        "when": "dates",
        "void": "empty",
        "price": "numbers",
        "label": "words",
    }
    assert (facts["a"].n_values, facts["a"].n_missing) == (4, 1)
    assert facts["colour"].examples == ("red", "blue", "green")
    assert (facts["void"].n_values, facts["void"].n_missing, facts["void"].examples) == (0, 5, ())


@pytest.mark.parametrize(("missing", "n"), [("drop_rows", 2), ("impute", 1), ("drop_columns", 1)])
def test_classes_of_one_row_are_counted_among_the_rows_that_stay(missing, n):
    table = read_table(TEXT.replace("word", "8").encode(), "t.csv")
    plan = replace(column_plan(table, label="label"), missing=missing)
    assert count_singles(table, plan) == n
    notes = " ".join(build_dataset(table, plan).notes)
    assert f"{n} class{'es have' if n > 1 else ' has'} a single row" in notes


def test_numbers_that_are_cut_into_classes_have_no_singles():
    table = read_table(TEXT.encode(), "t.csv")
    plan = column_plan(table, label="a")
    assert count_singles(table, replace(plan, features=("colour",), categories=("colour",))) == 4
    assert count_singles(table, replace(plan, label_mode="bins")) == 0


NAMES = ["Ann", "", "x\u202ey", "a\nb", "n" * 60, *(f"P{k}" for k in range(5, N))]


def test_a_column_names_the_rows_that_stay_cut_and_on_one_line(monkeypatch):
    table, plan = plan_of(table_of(a=A, id=range(N), label=LABEL))
    table = table.with_column("who", NAMES)
    plan = replace(plan, features=("a",), left_out=(("who", ""), ("id", "")), row_names="who")
    dataset = build_dataset(table, plan)
    assert dataset.row_names.tolist() == ["Ann", "", "x\u202ey", "a⏎b", f"{'n' * 39}…", *NAMES[5:]]
    assert [dataset.row_title(k) for k in (0, 1)] == ["Ann (line 2)", "line 3"]
    assert [dataset.row_title(k, capital=True) for k in (0, 1)] == ["Ann (line 2)", "Line 3"]
    some = dataset.of_rows(np.array([5, 0]))
    assert some.row_columns(range(2)) == {"line": [7, 2], "name": ["P5", "Ann"]}
    by_id = build_dataset(table, replace(plan, row_names="id"))
    assert by_id.row_title(3) == "id 3 (line 5)"
    bare = build_dataset(table, replace(plan, row_names=""))
    assert (bare.row_names, bare.row_title(3), bare.row_columns([3])) == (None, "line 5", {"line": [5]})
    monkeypatch.setattr("datasets.columns.build._MOST_NAMED_ROWS", N - 1)
    assert build_dataset(table, plan).row_names is None


def test_gaps_leave_each_row_its_name():
    table, plan = plan_of(table_of(a=["", *A[1:]], b=A, who=[f"P{k} x" for k in range(N)], label=LABEL))
    dataset = build_dataset(table, plan)
    assert dataset.row_names.tolist() == [f"P{k} x" for k in range(1, N)]


def test_a_sign_before_a_blank_is_part_of_the_number():
    table = read_table(b"a;b\n- 4;u\n+ 12;v\n7;u\n- x;v\n", "t.csv")
    np.testing.assert_array_equal(column_of(table, "a").numbers.values, [-4, 12, 7, np.nan])
