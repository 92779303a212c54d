"""A clean table in every dialect, alone and in pairs: exactly the same data, whatever the file looks like."""

import gzip
import warnings
from itertools import combinations, product

import numpy as np
import pytest

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
