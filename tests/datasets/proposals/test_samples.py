"""What columns raise as questions: samples that lines above describe, wells, blanks that mean 0, codes of gaps."""

import re
from dataclasses import replace

import numpy as np
import pytest

from datasets.columns.formulas import name_elements
from datasets.proposals import apply, blanks_question, orientation_question, propose, sentinel_offer
from datasets.proposals.apply import _is_number
from datasets.reading import ReadOptions, read_table
from datasets.reading.samples import (
    are_wells,
    described_samples,
    repeated_axes,
    samples_in_columns,
    wells_in,
)
from tests.datasets.files import workbook
from tests.datasets.proposals.tables import cycled, normal, table_of


def described(*lines, before=("mass", "id"), numbers=tuple(range(9))):
    """A table of features in rows, their samples named s0, s1, ... below lines that describe these."""
    X = np.outer(10.0 ** np.arange(8), 2.0 + np.arange(len(numbers)) / 7)
    header = ",".join([*before, *(f"s{k}" for k in numbers)])
    rows = [",".join([str(k + 0.5), f"C{k}", *(f"{value:.2f}" for value in row)]) for k, row in enumerate(X)]
    return "\n".join([*lines, header, *rows, ""]).encode()


def test_lines_above_the_names_that_describe_samples_become_columns():
    lines = ("batch 7 of the machine", ",kind" + ",a" * 5 + ",b" * 4, ",organ" + ",liver" * 9)
    lines = (*lines, ",run," + ",".join("123456789"), ",who" + ",m,f,m" * 3)
    data = described(*lines)
    table = read_table(data, "t.csv")
    assert "Lines above the names describe samples; transposed, the table has a column for each: 'kind', 'who'." in (
        table.notes
    )
    question = orientation_question(apply(propose(table)), ReadOptions())
    assert "'mass' names the rows" in question.text
    plan = apply(propose(read_table(data, "t.csv", question.answers[0].options)))
    assert plan.table.columns[0::9] == ("sample", "kind")
    assert plan.table.column("kind") == ["a"] * 5 + ["b"] * 4
    assert plan.table.column("who") == ["m", "f", "m"] * 3
    assert plan.table.column("sample") == [f"s{k}" for k in range(9)]


@pytest.mark.parametrize(("above", "asked"), [(True, True), (False, False)])
def test_features_that_are_counted_are_asked_about_below_a_line_of_classes(above, asked):
    """As MS-DIAL writes them, with words such as the adduct of each beside its number."""
    X = np.outer(10.0 ** (np.arange(40) % 8) + np.arange(40), 2.0 + np.arange(9) / 7)
    rows = [",".join([str(k), f"[M{'+-'[k % 2]}H]", *(f"{value:.2f}" for value in row)]) for k, row in enumerate(X)]
    names = ",".join(["Alignment ID", "Adduct type", *(f"s{k}" for k in range(9))])
    lines = [",Class" + ",blank" * 4 + ",sample" * 5] if above else []
    plan = apply(propose(read_table("\n".join([*lines, names, *rows]).encode(), "t.csv")))
    assert plan.label.name.endswith("Adduct type")
    assert (orientation_question(plan, ReadOptions()) is not None) == asked


def test_what_samples_are_is_read_out_of_keys_and_out_of_workbooks():
    lines = ("!Series_title,x", "!Sample_ch1" + ",tissue: liver" * 5 + ",tissue: skin" * 4)
    data = described(*lines, before=("id",)).replace(b",C", b"")
    table = read_table(data, "t.csv", ReadOptions(transposed=True))
    assert (table.columns[-1], table.column("tissue")[4:6]) == ("tissue", ["liver", "skin"])
    rows = [line.split(",") for line in described(*(",kind" + ",a" * 5 + ",b" * 4,)).decode().splitlines()]
    rows = [[float(cell) if cell[:1].isdigit() else cell for cell in row] for row in rows]
    table = read_table(workbook(one=rows), "t.xlsx", ReadOptions(transposed=True))
    assert table.column("kind") == ["a"] * 5 + ["b"] * 4


@pytest.mark.parametrize(
    "line",
    [
        ",unit" + ",kg" * 5 + ",mm" * 4,  # units
        ",kind" + ",a" * 5 + ",,,",  # few
        "x,kind,y" + ",a" * 4 + ",b" * 4,  # the name of more than the samples
        ",kind" + ",a" * 9,  # one group
        ",kind,a,b,c,d,e,f,f,f,f",  # more than half of them differ
    ],
)
def test_other_lines_above_the_names_describe_no_samples(line):
    data = described("title", line)
    assert not any("describe samples" in note for note in read_table(data, "t.csv").notes)
    table = read_table(data, "t.csv", ReadOptions(transposed=True))
    assert "kind" not in table.columns
    assert "unit" not in table.columns


def test_wells_of_a_plate_are_samples_below_a_time():
    names = [f"{row}{k}" for row in "ABC" for k in range(1, 6)]
    rows = [",".join([str(300 * k), f"37.{k % 3}", *(f"0.{k + j:02d}" for j in range(15))]) for k in range(9)]
    data = "\n".join([",".join(["time", "temp", *names]), *rows]).encode()
    question = orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    table = read_table(data, "t.csv", question.answers[0].options)
    assert (table.column("sample"), table.columns[1]) == (names, "0")
    plan = apply(propose(table))
    assert [name for name, _ in plan.label.sizes] == list("ABC")
    few = "\n".join(line[: line.rindex(",")] for line in data.decode().splitlines())
    for _ in range(3):
        few = "\n".join(line[: line.rindex(",")] for line in few.splitlines())
    assert orientation_question(apply(propose(read_table(few.encode(), "t.csv"))), ReadOptions()) is None


def species(n=40, large=12, zeros=0):
    names = [f"sp{k}" for k in range(8)]
    rows = []
    for k in range(n):
        counts = [str(1 + k * j % large) if (k * k + k // 3 + 7 * j) % (3 + j % 5) == 0 else "" for j in range(8)]
        counts[0] = "0" if k < zeros else counts[0]
        rows.append(",".join([f"{k / 7:.2f}", "uv"[k % 2], *counts]))
    return "\n".join([",".join(["depth", "kind", *names]), *rows]).encode()


def test_blanks_beside_counts_above_0_are_asked_about():
    table = read_table(species(zeros=2), "t.csv")
    question = blanks_question(apply(propose(table)), ReadOptions())
    assert question.text == (
        "8 columns hold numbers above 0 or blanks (sp0, sp1, sp2, sp3, sp4 and more). Do blanks mean 0? "
        "3 rows are blank in all of them."
    )
    some = read_table(species(zeros=2), "t.csv", question.answers[1].options)
    assert (table.n_rows - some.n_rows, any(not any(row[2:]) for row in some.rows)) == (3, False)
    options = question.answers[0].options
    filled = read_table(species(zeros=2), "t.csv", options)
    assert [row[2:6] for row in filled.rows[1:3]] == [("0", "2", "3", "0"), ("0", "0", "0", "0")]
    assert blanks_question(apply(propose(filled)), options) is None
    assert filled.notes[-1].startswith("Blanks count as 0 in 8 columns: sp0, sp1,")
    features = apply(propose(table)).columns.features
    assert (features, apply(propose(filled)).columns.features[1:]) == (("depth",), tuple(f"sp{k}" for k in range(8)))


@pytest.mark.parametrize("data", [species(zeros=5, n=16), species(large=9), species().replace(b",,", b",0,")])
def test_answers_that_few_gave_and_counts_with_zeros_are_not_asked_about(data):
    few = b"\n".join(b",".join(line.split(b",")[:7]) for line in data.splitlines())
    assert blanks_question(apply(propose(read_table(few, "t.csv"))), ReadOptions()) is None


def test_codes_that_stand_for_no_answer_are_asked_about():
    rows = [[1 + k % 5, k * k % 4, (k * 7) % 3, 20 + k, "uv"[k % 2]] for k in range(40)]
    for k in range(0, 40, 6):
        rows[k][0] = rows[k][1] = rows[k][2] = -2 if k % 4 else -3
    data = "\n".join(["q1,q2,q3,age,kind", *(",".join(map(str, row)) for row in rows)]).encode()
    question = sentinel_offer(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    assert question.text.startswith("-2 and -3 in 'q1', 'q2', 'q3' stand apart from all other values.")
    assert question.answers[0].options.codes == ("-2", "-3")
    two = data.replace(b"q3", b"q4").replace(b"\n-2,-2,-2", b"\n-2,-2,2").replace(b"\n-3,-3,-3", b"\n-3,-3,2")
    assert sentinel_offer(apply(propose(read_table(two, "t.csv"))), ReadOptions()) is None
    scale = "\n".join(
        ["q1,q2,q3,q4,kind", *(f"{k % 7 - 3},{k * k % 7 - 3},{k % 5 - 2},{k % 3 - 2},{'uv'[k % 2]}" for k in range(60))]
    )
    assert sentinel_offer(apply(propose(read_table(scale.encode(), "t.csv"))), ReadOptions()) is None
    high = data.replace(b"-2", b"97").replace(b"-3", b"99")
    assert sentinel_offer(apply(propose(read_table(high, "t.csv"))), ReadOptions()).answers[0].options.codes == (
        "97",
        "99",
    )


def test_one_quantity_of_several_is_taken_for_each_sample():
    names = [f"{kind}_{k}" for kind in ("ctrl", "drug") for k in (1, 2, 3)]
    header = [
        "Protein",
        "Score",
        *(f"Intensity {name}" for name in names),
        *(f"LFQ intensity {name}" for name in names),
    ]
    lines = [",".join([*header, "MS/MS count", "id"])]
    for k in range(20):
        level = [str(10**6 * (k + 1) ** 2 + 1000 * j) for j in range(12)]
        lines.append(",".join([f"P{k}", str(k / 7), *level, str(3 + k), str(k)]))
    data = "\n".join(lines).encode()
    question = orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    table = read_table(data, "t.csv", question.answers[0].options)
    assert table.column("sample") == [f"LFQ intensity {name}" for name in names]
    assert [name for name, _ in apply(propose(table)).label.sizes] == ["ctrl", "drug"]
    five = data.replace(b"LFQ intensity ctrl_1", b"LFQ ctrl_1")
    table = read_table(five, "t.csv", ReadOptions(transposed=True))
    assert table.column("sample") == [f"Intensity {name}" for name in names]


def test_places_on_a_chromosome_are_no_samples():
    counts = [",".join(str(9**j + k) for j in range(6)) for k in range(20)]
    rows = [f"g{k},chr{k % 3},{k * 100},{k * 100 + 99},{'+-'[k % 2]},99,{of}" for k, of in enumerate(counts)]
    data = "\n".join(["Geneid,Chr,Start,End,Strand,Length,a1,a2,a3,b1,b2,b3", *rows]).encode()
    table = read_table(data, "t.csv", ReadOptions(transposed=True))
    assert table.column("sample") == ["a1", "a2", "a3", "b1", "b2", "b3"]


def test_lines_below_the_names_may_tell_of_a_description_too():
    data = described().decode().splitlines()
    rows = [f"g{k},gene {k}," + row.split(",", 2)[2] for k, row in enumerate(data[1:])]
    lines = [data[0], "kind,na" + ",a" * 5 + ",b" * 4, *rows]
    table = read_table("\n".join(lines).encode(), "t.csv", ReadOptions(transposed=True))
    assert table.column("kind") == ["a"] * 5 + ["b"] * 4


def curves(step=1, n=30, n_more=0):
    """Pairs of x and y: of the second one x grows by `step`."""
    rows = []
    for k in range(n):
        ys = [k * k % 7, k * k % 11, k % 5, k % 6, *range(n_more)]
        xs = [200 + k, 200 + step * k, *[200 + k] * (2 + n_more)]
        rows.append(",".join(f"{x},{y}" for x, y in zip(xs, ys, strict=True)))
    names = ["blank", "wt1", "wt2", "mut1", *(f"mut{k + 2}" for k in range(n_more))]
    return "\n".join([",".join(f"{name} nm,{name} Abs" for name in names), *rows]).encode()


def test_a_repeated_axis_before_each_curve_is_left_out_and_curves_are_samples():
    table = read_table(curves(), "t.csv")
    assert table.columns == ("blank nm", "blank Abs", "wt1 Abs", "wt2 Abs", "mut1 Abs")
    assert table.notes[-1] == "Each second column repeats 'blank nm': 3 of these were left out."
    assert len(read_table(curves(step=2), "t.csv").columns) == 8  # another axis
    assert len(read_table(curves(n=19), "t.csv").columns) == 8
    question = orientation_question(apply(propose(read_table(curves(n_more=3), "t.csv"))), ReadOptions())
    assert "'blank nm' names the rows" in question.text


def test_names_one_column_too_far_left_are_moved():
    names = ["class", "name", *(f"S{k}" for k in range(8)), ""]
    rows = [[str(k + 1), "ab"[k % 2], f"g{k}", *(str(9**k % 97 + j) for j in range(8))] for k in range(20)]
    data = "\n".join("\t".join(row) for row in [names, *rows]).encode()
    table = read_table(data, "t.txt")
    assert table.columns == ("column 1", *names[:-1])
    assert "The last column had no name and the first one counts the rows, so names were moved by one." in table.notes
    numbered = data.replace(b"class", b"id", 1)
    assert read_table(numbered, "t.txt").columns == ("id", *names[1:-1], "column 11")
    assert read_table(data.replace(b"\n3\t", b"\n9\t"), "t.txt").columns[0] == "class"


def test_rows_called_features_below_groups_of_samples_are_asked_about_whatever_their_levels():
    X = np.random.default_rng(0).normal(size=(30, 8))
    X -= X.mean(axis=1, keepdims=True)  # no row has a level of its own
    names = [f"{kind}_{k}: log" for kind in ("wt", "mut") for k in "abcd"]

    def asked(first):
        rows = [",".join([f"m{k}", *(f"{x:.3f}" for x in X[k]), ""]) for k in range(30)]
        data = "\n".join([",".join([first, *names, "note"]), *rows]).encode()
        return orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())

    assert "'Compound' names the rows" in asked("Compound").text
    assert asked("plant") is None


@pytest.mark.parametrize(("name", "asked"), [("S{k}-{day}", True), ("S{k}", False)])
def test_counts_of_which_a_few_species_hold_most_are_samples_where_their_names_form_groups(name, asked):
    """In size samples differ nearly as much as species do, in orders of magnitude they do not."""
    names = [name.format(k=k + 100, day="d1" if k % 3 else "d5") for k in range(30)]
    species = [f"{chr(65 + j % 26)}{'aeiou'[j % 5] * (1 + j // 26)} sp" for j in range(40)]
    counts = [[int(9 ** (j % 7) * (1 + (j == 6) * 4000 * (k == 3))) + j * k % 7 for k in range(30)] for j in range(40)]
    rows = [",".join([str(j + 1), species[j], *map(str, counts[j])]) for j in range(40)]
    table = read_table("\n".join([",".join(["", "Species", *names]), *rows]).encode(), "t.csv")
    assert (orientation_question(apply(propose(table)), ReadOptions()) is not None) == asked


def test_the_most_different_column_before_the_samples_names_the_rows():
    header = ["Family", "ISTD", "Name", *(f"S{k}" for k in range(6)), "grade", *(f"wt{k}" for k in range(6))]
    columns = (True,) * 6
    values = {"Family": 3, "ISTD": 9, "Name": 50}.get  # a sample has 60
    numeric = (False, False, False, *columns, False, *columns)
    assert samples_in_columns(header, numeric, lambda name: values(name, 60), ())[1:] == (10, 16)
    assert samples_in_columns(header[:9], numeric[:9], lambda name: values(name, 60), ()) == ("Name", 3, 9)
    numbered = (True, False, False, *columns)
    for n, first in ((50, "Name"), (60, "Family")):
        sizes = {"Family": n, "ISTD": 9, "Name": 46}
        assert samples_in_columns(header[:9], numbered, sizes.__getitem__, ())[0] == first
    assert samples_in_columns(header[:12], numeric[:12], lambda name: values(name, 60), ())[1:] == (3, 12)


@pytest.mark.parametrize("number", [True, False])
@pytest.mark.parametrize(
    ("between", "first"), [("Average RT", "Peptide"), ("m/z", "Peptide"), ("Start", "Peptide"), ("Clone", "Clone")]
)
def test_a_statistic_before_the_samples_names_no_rows(number, between, first):
    """Charges are numbers beside it, so that it stands among these."""
    header = ["Cluster", "Peptide", "Charge", between, *(f"S{k}" for k in range(6))]
    numeric = (number, False, True, False, *(True,) * 6)
    sizes = {"Cluster": 30, "Peptide": 38, "Charge": 3, between: 40}
    assert samples_in_columns(header, numeric, lambda name: sizes.get(name, 60), ()) == (first, 4, 10)


def test_wells_in_a_line_below_the_names_are_samples_too():
    names = [f"{row}{k}" for row in "ABC" for k in range(1, 6)]
    rows = [",".join([str(300 * k), *(f"0.{k + j:02d}" for j in range(15))]) for k in range(9)]
    lines = [",".join(["time", *(f"run {k} of" for k in range(15))]), ",".join(["", *names]), *rows]
    table = read_table("\n".join(lines).encode(), "t.csv", ReadOptions(header_lines=2))
    question = orientation_question(apply(propose(table)), ReadOptions(header_lines=2))
    assert question is not None
    assert "'time'" in question.text
    few = [
        ",".join([*line.split(",")[:5], *[f"x{j}" if not k else "1" for j in range(6)]]) for k, line in enumerate(lines)
    ]
    table = read_table("\n".join(few).encode(), "t.csv", ReadOptions(header_lines=2))
    assert orientation_question(apply(propose(table)), ReadOptions(header_lines=2)) is None


def differences():
    rows = [[k * 7 % 50, k * k % 41, -1 if k % 11 == 0 else k % 37, "uv"[k % 2]] for k in range(60)]
    more = [[(row[0] * j) % 60 - (3 + k % 3 if k % 5 == 0 else 0) for j in (1, 2, 3)] for k, row in enumerate(rows)]
    return "\n".join(["a,b,c,kind,d,e,f", *(",".join(map(str, row + of)) for row, of in zip(rows, more, strict=True))])


def test_minus_1_among_counts_less_their_background_is_no_code():
    text = differences()
    assert sentinel_offer(apply(propose(read_table(text.encode(), "t.csv"))), ReadOptions()) is None
    rows = [line.split(",")[:4] for line in text.splitlines()]
    alone = "\n".join(map(",".join, rows))
    question = sentinel_offer(apply(propose(read_table(alone.encode(), "t.csv"))), ReadOptions())
    assert question.answers[0].options.codes == ("-1",)


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (("", "kind", *"uuuvvv"), (2, 8)),
        (("", "kind", *"uuuvv"), None),  # five
        (("", "kind", *"uuvvww"), (2, 8)),
        (("", "kind", *"uuvvwx"), None),  # more groups than half of the samples
        (("", "", *"uuuuuu"), None),  # one group
        (("kind", *"uuuvvv"), (1, 7)),
        (("a", "b", "", *"uuuvvv"), None),
        (("", "unit", *["mg", "ml", "min"] * 2), None),
        (("survival", *["S", "NS", "S"] * 2), (1, 7)),  # and no nanoseconds
        (("survival", *["s", "ns", "s"] * 2), None),
    ],
)
def test_a_line_that_says_of_each_sample_which_group_it_belongs_to(line, place):
    assert described_samples(line) == place


@pytest.mark.parametrize(("n", "are"), [(6, True), (5, False)])
def test_twelve_wells_in_two_rows_are_a_plate(n, are):
    names = [f"A{k}" for k in range(1, 7)] + [f"B{k}" for k in range(1, n + 1)]
    assert are_wells(names) == are
    assert not are_wells([f"A{k}" for k in range(1, 13)])
    assert wells_in([("time", *names), ("", "x")]) == (list(range(1, n + 7)) if are else [])


def pairs(n):
    return [values for k in (5, 9, 7) for values in (range(n), range(k, k + n))]


@pytest.mark.parametrize(
    ("columns", "repeated"),
    [
        (pairs(20), [2, 4]),
        (pairs(20)[:4], []),  # two curves
        (pairs(19), []),
        (pairs(20)[:5], []),  # an axis without a curve
        ([range(20)] * 6, []),
        ([range(20)] * 5 + [range(9, 29)], [2, 4]),  # two lines
        ([[3] * 20, range(5, 25)] * 3, []),
        ([*pairs(20)[:4], range(1, 21), range(5, 25)], []),
    ],
)
def test_the_first_column_is_an_axis_where_each_second_one_repeats_it(columns, repeated):
    assert repeated_axes([[str(value) for value in column] for column in columns]) == repeated


def test_sizes_of_which_no_thing_has_all_are_not_asked_about_as_counts():
    rows = []
    for k in range(40):
        sizes = [
            f"{12 + (k * j) % 7}.{k % 9 + 1}" if (k * k + k // 3 + 7 * j) % (3 + j % 5) == 0 else "" for j in range(8)
        ]
        rows.append(",".join(["uv"[k % 2], *sizes]))
    sizes = "\n".join([",".join(["bone", *(f"w{k}" for k in range(8))]), *rows])
    assert blanks_question(apply(propose(read_table(sizes.encode(), "t.csv"))), ReadOptions()) is None
    cover = sizes.replace(",12.", ",0.")
    assert blanks_question(apply(propose(read_table(cover.encode(), "t.csv"))), ReadOptions()) is not None


@pytest.mark.parametrize("n", [4, 3])
def test_parts_of_the_names_of_joined_sheets_group_them(n):
    names = ["C1a", "C1b", "R1a", "R1b"][:n]
    peaks = [[["time", "area"], *([k / 7, (k * k) % 31 + j] for k in range(9))] for j in range(n)]
    data = workbook(**dict(zip(names, peaks, strict=True)))
    joined = propose(read_table(data, "t.xlsx", ReadOptions(all_sheets=True))).table
    groups = [name for name in joined.columns if name.endswith("read from sheet")]
    assert bool(groups) == (n == 4)
    for name in groups[:1]:
        assert joined.column(name) == ["C"] * 18 + ["R"] * 18


@pytest.mark.parametrize(("name", "asked"), [("iBAQ", True), ("depth", False)])
def test_what_proteomics_calls_a_quantity_is_of_samples_whatever_their_levels(name, asked):
    rows = [f"P{k},{k / 7:.3f}," + ",".join(str(10**j * 7 + k) for j in range(6)) for k in range(30)]
    data = "\n".join(["Protein,Score," + ",".join(f"{name} {j}" for j in range(6)), *rows]).encode()
    assert (orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions()) is not None) == asked


@pytest.mark.parametrize(("top", "codes"), [(1, ("7",)), (4, None)])
def test_7_among_yes_and_no_stands_for_no_answer(top, codes):
    def cell(k, j):
        return 7 if (k * 3 + j) % 11 == 0 else (k * (j + 2) + k // 3) % (top + 1)

    rows = [",".join(map(str, [*(cell(k, j) for j in range(4)), 20 + k, "uv"[k % 2]])) for k in range(60)]
    data = "\n".join(["q1,q2,q3,q4,age,kind", *rows]).encode()
    question = sentinel_offer(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    assert (question and question.answers[0].options.codes) == codes


def heights(*lines, n_blank=2):
    """Features in rows under one name for all samples, which the first line names and others describe."""
    X = np.outer(10.0 ** np.arange(8), 2.0 + np.arange(9) / 7)
    rows = [",".join([f"C{k}", str(k % 3), *(f"{value:.2f}" for value in row)]) for k, row in enumerate(X)]
    names = "," + "label," + ",".join(f"s{k}" for k in range(9))
    kinds = "," + "kind," + ",".join(["a"] * 4 + ["b"] * (5 - n_blank) + [""] * n_blank)
    return "\n".join([names, kinds, *lines, "id,kind" + ",Peak Height" * 9, *rows, ""]).encode()


def test_a_line_above_one_name_for_all_samples_names_each_and_blanks_of_a_line_are_no_group():
    data = heights(*(f",{name}," + ",".join(f"{name}{k}" for k in range(9)) for name in ("run", "file", "day")))
    table = read_table(data, "t.csv")
    assert table.columns == ("id", "kind", *(f"s{k}" for k in range(9)))
    question = orientation_question(apply(propose(table)), ReadOptions())  # though "kind" looks like a label
    turned = read_table(data, "t.csv", question.answers[0].options)
    assert turned.column("sample") == [f"s{k}" for k in range(9)]
    assert turned.column(turned.columns[-1]) == ["a"] * 4 + ["b"] * 3 + [""] * 2


@pytest.mark.parametrize(("n_blank", "asked"), [(1, True), (2, False)])
def test_a_sample_of_which_nothing_was_measured_is_one_all_the_same(n_blank, asked):
    X = np.outer(10.0 ** np.arange(8), 2.0 + np.arange(20) / 7)
    names = ",".join(["gene", "about", *(f"{'wt' if k % 2 else 'ko'}_{k}" for k in range(20))])
    rows = [
        ",".join([f"g{k}", "", *["" if 5 <= j < 5 + n_blank else f"{x:.2f}" for j, x in enumerate(row)]])
        for k, row in enumerate(X)
    ]
    data = "\n".join([names, *rows, ""]).encode()
    question = orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    assert (question is not None) == asked
    assert read_table(data, "t.csv", ReadOptions(transposed=True)).n_rows == 20


def turned(names, below=()):
    """A matrix of these features, with lines below it, taken as samples in columns."""
    rows = [f"{name},g{k}," + ",".join(str((k + 2) ** 2 * (j + 9)) for j in range(8)) for k, name in enumerate(names)]
    head = "gene,kind," + ",".join(f"{'ab'[j % 2]}_{j // 2}" for j in range(8))
    data = "\n".join([head, *rows, *below]).encode()
    question = orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    return apply(propose(read_table(data, "t.csv", question.answers[0].options)))


def test_what_genes_are_called_says_nothing_of_their_numbers():
    names = ["CP", "TANK", "PLOT", "key", "row", "column", *(f"G{k}" for k in range(9))]
    columns = turned(names).columns
    assert (set(names) <= set(columns.features), columns.categories) == (True, ())


def test_rows_that_are_no_data_are_left_out_before_the_table_is_turned():
    plan = turned(
        [f"G{k}" for k in range(9)], ["Total,," + ",".join(str(284 * (j + 9)) for j in range(8)), "As of 2009"]
    )
    assert plan.columns.features == tuple(f"G{k}" for k in range(9))
    assert "2 rows that look like no data were left out first (lines 11, 12)." in plan.table.notes


@pytest.mark.parametrize(("n_elements", "asked"), [(5, True), (4, False)])
def test_elements_in_rows_are_features_though_errors_stand_below_them(n_elements, asked):
    elements = [name for symbol in ("Mg", "Al", "Si", "P", "S")[:n_elements] for name in (symbol, f"{symbol} Err")]
    rows = [
        f"{e}," + ",".join("< LOD" if k > 5 and (j * j + k) % 7 == 0 else f"{k * k * 9 + j}.5" for j in range(9))
        for k, e in enumerate(elements)
    ]
    data = "\n".join(["ID," + ",".join(f"{'LP'[j % 2]}{j}" for j in range(9)), *rows]).encode()
    question = orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    assert (question is not None) == asked


def test_a_line_below_the_table_stays_skipped_once_blanks_are_0():
    data = species().replace(b",,,,,,,\n", b",1,,,,,,\n") + b"\nTotals of all sites,,,,,,,,,"
    plan = apply(propose(read_table(data, "t.csv")))
    assert [group.kind for group in plan.proposal.groups] == ["footer"]
    question = blanks_question(plan, ReadOptions())
    assert len(question.answers) == 1
    assert read_table(data, "t.csv", question.answers[0].options).n_rows == 40


def test_lines_left_out_before_turning_stay_in_a_table_that_is_not_turned():
    data = b"a,b,kind\n" + b"".join(b"%d,%d.5,%s\n" % (k, k * k % 7, b"xy"[k % 2 : k % 2 + 1]) for k in range(20))
    assert read_table(data, "t.csv", ReadOptions(without_lines=(3, 4))).n_rows == 20
    assert read_table(data, "t.csv", ReadOptions(without_lines=(3, 4), blanks_are_0=True)).n_rows == 18


def test_a_gene_called_like_a_code_is_a_number_to_predict():
    plan = turned(["CP", "CODE", *(f"G{k}" for k in range(9))])
    assert _is_number(plan.proposal, plan.proposal.fact("CP"))


def test_a_few_symbols_of_elements_among_other_names_are_no_elements():
    symbols = ["Mg", "Al", "Si", "P", "S", "Cl", "K", "Ca", "Fe", "Zn"]
    assert name_elements([*symbols, *(f"gene {k}" for k in range(9))])
    assert not name_elements([*symbols, *(f"gene {k}" for k in range(11))])


def counts(*, times):
    """Three columns of 0 and 1, with 9 in so many rows."""
    cells = ["9" if k in (4, 21, 38)[:times] else str(k * k % 3 % 2) for k in range(60)]
    return table_of(a=cells, b=cells[1:] + cells[:1], c=cells[2:] + cells[:2], x=normal(60), kind=cycled("uv", 60))


@pytest.mark.parametrize(("times", "asked"), [(1, False), (2, True)])
def test_a_large_count_in_one_row_is_no_code(times, asked):
    assert (sentinel_offer(apply(propose(counts(times=times))), ReadOptions()) is not None) == asked


def test_counts_of_a_table_that_was_turned_are_no_codes():
    table = replace(counts(times=3), is_turned=True)
    assert sentinel_offer(apply(propose(table)), ReadOptions()) is None


@pytest.mark.parametrize(("n_wells", "asked"), [(24, True), (20, False)])
def test_wells_below_each_other_in_time_are_samples(n_wells, asked):
    wells = {f"c{k}_{'uvw'[k % 3]}": [f"{0.1 * k + 0.01 * j:.3f}" for j in range(40)] for k in range(n_wells)}
    table = table_of(Time=[f"00:{j:02d}:03" for j in range(40)], **wells)
    question = orientation_question(apply(propose(table)), ReadOptions())
    assert (question is not None) == asked


def test_what_counters_of_reads_could_not_count_is_no_gene():
    counts = ["__no_feature", "__ambiguous", "__not_aligned"]
    genes = [*(f"gene{k}" for k in range(30)), counts[0], *(f"gene{k}" for k in range(30, 40)), *counts[1:]]
    table = table_of(gene=genes, **{f"s{k}": [(j * 7 + k) % 50 for j in range(43)] for k in range(8)})
    plan = apply(propose(table))
    assert [plan.proposal.source.cell(k, "gene") for group in plan.proposal.groups for k in group.rows] == counts


def test_dashes_beside_counts_above_0_are_asked_about():
    data = re.sub(rb"(?<=,)(?=[,\n]|$)", b"-", species(zeros=0))
    question = blanks_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    assert question.text.startswith("8 columns hold numbers above 0 or dashes (sp0, ")
    assert question.answers[0].text == "count dashes as 0"
    filled = read_table(data, "t.csv", question.answers[0].options)
    assert not {"-", ""} & set(filled.column("sp1"))
    assert filled.notes[-1].startswith("Dashes count as 0 in 8 columns: sp0, sp1,")
