"""Samples in columns between annotations of the rows, such as the class of a lipid, that look like a label."""

import pytest

from datasets.proposals import Choices, apply, orientation_question, propose
from datasets.reading import ReadOptions, read_table


def lipids(n_samples=10, first="LipidIon", scale=10.0, n_behind=3, names=("ko", "wt")):
    """Lipids with their class and what spectrometers measure, before and behind the samples."""
    samples = [f"{names[k % 2]}_{k // 2}" for k in range(n_samples)]
    lines = [",".join([first, "Mode", "RT", *samples, "Class", *(f"score {k}" for k in range(n_behind))])]
    for k in range(40):
        cells = [f"{(k % 8 + 1) * scale ** (k % 5) + 3 * j:.1f}" for j in range(n_samples)]
        behind = [f"{(k * k + j) % 37}.5" for j in range(n_behind)]
        lines.append(
            ",".join([f"L{k}+H", ("pos", "neg")[k % 2], f"{k / 7:.2f}", *cells, ("PC", "PE", "TG")[k % 3], *behind])
        )
    return "\n".join(lines).encode()


def asked(data, choices=None):
    plan = apply(propose(read_table(data, "t.csv")), choices)
    assert plan.label.sure
    return orientation_question(plan, ReadOptions())


def test_an_annotation_that_looks_like_a_label_hides_no_samples_in_columns():
    question = asked(lipids())
    assert "'LipidIon' names the rows" in question.text
    turned = read_table(lipids(), "t.csv", question.answers[0].options)
    assert turned.column("sample") == [f"{('ko', 'wt')[k % 2]}_{k // 2}" for k in range(10)]
    assert "Left out beside these: Mode, RT, Class, score 0, score 1 and more." in turned.notes[-1]
    assert [name for name, _ in apply(propose(turned)).label.sizes] == ["ko", "wt"]


@pytest.mark.parametrize(
    "data",
    [
        lipids(n_samples=9),
        lipids(first="Patient"),  # with a diagnosis
        lipids(scale=1.0),  # descriptors of compounds, each with a level of its own
        lipids(names=("p", "p")),  # no groups
    ],
)
def test_a_label_of_other_tables_needs_no_such_question(data):
    assert asked(data) is None


def test_a_label_that_was_chosen_is_none_of_the_annotations():
    assert asked(lipids(), Choices(label="Class")) is None


@pytest.mark.parametrize(("n_behind", "name"), [(10, "ko_0"), (11, "score 0")])
def test_samples_are_the_longest_run_of_numbers_between_annotations(n_behind, name):
    turned = read_table(lipids(n_behind=n_behind), "t.csv", ReadOptions(transposed=True))
    assert turned.column("sample")[0] == name


@pytest.mark.parametrize(
    ("first", "n_digits", "is_asked"),
    [("Country", 0, False), ("COMUNE", 4, False), ("Region", 5, True), ("gene", 0, True)],
)
def test_figures_of_countries_are_samples_in_rows(first, n_digits, is_asked):
    levels = [f"{chr(97 + j)}_{sex}" for sex in ("girls", "boys") for j in range(4)]
    rows = [f"{chr(65 + k % 26)}{'land' * (k > 25)}{'7' * (k < n_digits)}," for k in range(40)]
    rows = [row + ",".join(str((k + 3) ** 5 % 99991 * 9 + j) for j in range(8)) for k, row in enumerate(rows)]
    data = "\n".join([",".join([first, *levels]), *rows]).encode()
    question = orientation_question(apply(propose(read_table(data, "t.csv"))), ReadOptions())
    assert (question is not None) == is_asked


@pytest.mark.parametrize(("n_lines", "is_above"), [(6, True), (3, False)])
def test_many_lines_about_samples_stand_above_the_names_of_what_describes_the_rows(n_lines, is_above):
    """As BinBase of the Fiehn laboratory writes them; the names of samples are the line whose cells all differ."""
    ahead, samples = ("BinBase name", "index", "mz", "id", "PubChem", "InChI"), range(24)
    about = {"file id": [f"{k * k}a{k}" for k in samples], "class": [f"c{k // 3}" for k in samples]}
    about |= {"comment": [f"P{k}.{k % 5}" for k in samples], "species": [("cave", "surface")[k % 2] for k in samples]}
    about |= {"organ": [("Brain", "Liver", "Muscle")[k % 3] for k in samples]}
    about |= {"treatment": [("fed", "starved", "refed")[k // 2 % 3] for k in samples]}
    lines = [",".join([*[""] * 5, name, *cells]) for name, cells in [*about.items()][-n_lines:]]
    lines.append(",".join([*ahead, *[""] * len(samples)]))
    for row in range(60):
        annotations = [f"m-{'abcdefgh'[row % 8]}{row}", 400 + 13 * row, 73 + row, 7 * row, row * row, f"K{row}"]
        levels = [100 * 3 ** (row % 6) + (row * k) % 37 for k in samples]
        lines.append(",".join(map(str, [*annotations, *levels])))
    table = read_table("\n".join(lines).encode(), "t.csv")
    assert (table.columns[:6] == ahead) == is_above
    if is_above:
        assert list(table.columns[6:]) == about["file id"]
        question = orientation_question(apply(propose(table)), ReadOptions())
        turned = read_table("\n".join(lines).encode(), "t.csv", question.answers[0].options)
        assert turned.column("treatment") == about["treatment"]
