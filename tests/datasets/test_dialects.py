"""A clean table in every dialect is exactly the same data; any other bytes are a data set or one sentence."""

import contextlib
import gzip
import warnings
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import read_table
from tests.datasets.planned import column_plan

N, MISSING_ROW = 12, 4
LABELS = ["größer", "herb", "süß"]
# What varies, its plain value first.
DIALECTS = {
    "separator": [",", ";", "\t", "|", "decimal commas"],
    "end": ["\n", "\r\n", "\r"],
    "encoding": ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "gzip"],
    "comments": [0, 2],
    "blank": [False, True],
    "trailing": [False, True],
    "spaces": [False, True],
    "missing": ["7", "?", "NA", ""],
    "name": ["b", "", "a", '<b onclick="x">**b**</b>'],
    "units": [False, True],
}
PAIRS = [
    {one: x, other: y}
    for one, other in combinations(DIALECTS, 2)
    for x, y in product(DIALECTS[one][1:], DIALECTS[other][1:])
]


def written(cell, spaces):
    return f'"{cell.replace(chr(34), chr(34) * 2)}"' if '"' in cell else f" {cell} " if spaces else cell


def file_of(separator, end, encoding, comments, blank, trailing, spaces, missing, name, units):
    """The bytes of the file, and how many lines stand above the first row."""
    rows = [[f"{k}", f"{k * k}.5", LABELS[k % 3]] for k in range(N)]
    rows[MISSING_ROW][0] = missing
    if separator == "decimal commas":
        rows, separator = [[cell.replace(".", ",") for cell in row] for row in rows], ";"
    table = [["a", name, "label"], *[["unit"] * 3] * units, *rows]
    lines = [f"# comment {k}: made by the tests" for k in range(comments)]
    for row in table:
        lines += [separator.join(written(cell, spaces) for cell in row) + separator * trailing, *[""] * blank]
    text = end.join(lines) + end
    data = gzip.compress(text.encode()) if encoding == "gzip" else text.encode(encoding)
    return data, comments + (1 + units) * (1 + blank)


@pytest.mark.parametrize(
    "changes", [{name: value} for name, each in DIALECTS.items() for value in each] + PAIRS, ids=str
)
def test_read_exactly(changes):
    dialect = {name: values[0] for name, values in DIALECTS.items()} | changes
    data, above = file_of(**dialect)
    kept = [k for k in range(N) if k != MISSING_ROW or dialect["missing"] == "7"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = read_table(data, "t.csv")
        dataset = build_dataset(table, column_plan(table))
    first = [7 if k == MISSING_ROW else k for k in kept]
    np.testing.assert_array_equal(dataset.X, np.column_stack([first, [k * k + 0.5 for k in kept]]))
    assert dataset.class_names == tuple(LABELS)
    assert [dataset.class_names[code] for code in dataset.y] == [LABELS[k % 3] for k in kept]
    assert dataset.row_numbers.tolist() == [above + k * (1 + dialect["blank"]) + 1 for k in kept]
    unit = " unit" * dialect["units"]
    shown = {"": "unit" if unit else "column 2", "a": f"a{unit} (2)"}.get(dialect["name"], dialect["name"] + unit)
    assert dataset.feature_names == ("a" + unit, shown)


def load(data, name="t.csv", label=None):
    table = read_table(data if isinstance(data, bytes) else data.encode(), name)
    return build_dataset(table, column_plan(table, label=label))


def test_only_blank_lines_are_one_sentence():
    with pytest.raises(DataError, match="only blank lines"):
        load("\n \n")


@example(b";")
@example(b'\r"\n;')
@settings(max_examples=600, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(alphabet='ab1.,;\t"\n\r?-e', max_size=200).map(str.encode)))
def test_whatever_the_bytes_are_it_is_a_data_set_or_a_sentence(data):
    dataset = None
    with contextlib.suppress(DataError):
        dataset = load(data)
    if dataset is not None:
        assert np.isfinite(dataset.X).all()
        assert len(dataset.class_names) >= 2
