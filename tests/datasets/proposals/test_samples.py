"""Samples in columns that lines above their names describe, and wells of a plate."""

import numpy as np
import pytest

from datasets.proposals import apply, orientation_question, propose
from datasets.reading import ReadOptions, read_table
from tests.datasets.files import workbook


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
    assert "kind" not in table.columns and "unit" not in table.columns


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
