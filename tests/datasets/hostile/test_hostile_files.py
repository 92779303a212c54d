"""Every oddity alone and in pairs: exactly the expected data, classes and left-out list, or the one sentence."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest

from datasets.base.dataset import UNLABELLED
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import read_table
from tests.datasets.hostile.corpus import ODDITIES, hostile
from tests.datasets.planned import column_plan

ALONE = [(name,) for name in ODDITIES]
PAIRS = [
    pair for pair in combinations(ODDITIES, 2) if "plain" not in pair and ODDITIES[pair[0]][0] != ODDITIES[pair[1]][0]
]


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def load(data):
    table = read_table(data, "t.csv")
    plan = column_plan(table)
    return plan, build_dataset(table, plan)


def test_the_corpus_is_large_enough():
    assert len(ALONE) + len(PAIRS) > 300


@pytest.mark.parametrize("names", ALONE + PAIRS, ids=" + ".join)
def test_read_exactly(names):
    sheet = hostile(*names)
    plan, dataset = load(sheet.file())
    kept = [k for k in range(12) if k not in sheet.dropped]
    expected = np.array([[k + 1, (k + 1) ** 2 + 0.5] for k in kept])
    names_in_file = [row[-1] for row in sheet.rows]
    if "units" in names:
        assert dataset.feature_names == tuple(unit_name(sheet, name) for name in sheet.features)
        left_out = {f"{name} unit": why for name, why in sheet.left_out.items()}
    else:
        assert dataset.feature_names == tuple(sheet.features)
        left_out = sheet.left_out
    np.testing.assert_array_equal(dataset.X, expected)
    assert dataset.class_names == tuple(sorted(set(filter(None, names_in_file))))
    labels = [dataset.class_names[c] if c != UNLABELLED else "" for c in dataset.y]
    assert labels == [names_in_file[k] for k in kept]
    assert dict(plan.left_out) == left_out
    assert dataset.row_numbers.tolist() == [sheet.line_of(k) for k in kept]


def unit_name(sheet, name):
    """Both header lines joined; copies and blanks are only told apart after that."""
    if name.startswith("column "):
        return "unit"
    return "a unit (2)" if name == "a (2)" else f"{name} unit"


BROKEN = {
    "infinite": ("1e999", "'1e999' is infinite"),
    "too large": ("1e200", "overflow"),
}
DIALECTS = [
    "plain",
    "semicolons",
    "tabs",
    "pipes",
    "crlf",
    "cr",
    "utf-16",
    "cp1252",
    "gz",
    "comments",
    "blank lines",
    "id",
]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("trouble", BROKEN)
def test_a_broken_cell_is_named_with_line_and_column(trouble, dialect):
    cell, words = BROKEN[trouble]
    sheet = hostile(dialect)
    sheet.rows[6][sheet.header[0].index("b")] = cell
    with pytest.raises(DataError) as error:
        load(sheet.file())
    assert str(error.value).startswith(f"t.csv, line {sheet.line_of(6)}, column 'b': ")
    assert words in str(error.value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_word_among_numbers_is_missing_and_named_with_line_and_column(dialect):
    sheet = hostile(dialect)
    sheet.rows[6][sheet.header[0].index("b")] = "oops"
    _, dataset = load(sheet.file())
    assert dataset.row_numbers.tolist() == [sheet.line_of(k) for k in range(12) if k != 6]
    where = f"(the first on line {sheet.line_of(6)}, 'oops')"
    assert f"Column 'b': 1 cell that is not a usable number counts as missing {where}." in dataset.notes


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_line_with_too_many_cells_is_named(dialect):
    sheet = hostile(dialect)
    sheet.rows[6] += ["1", "2"]
    with pytest.raises(DataError) as error:
        load(sheet.file())
    n = len(sheet.header[0])
    assert f"t.csv, line {sheet.line_of(6)} has {n + 2} columns, the first line has {n}" in str(error.value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_quote_that_is_never_closed_is_named(dialect):
    sheet = hostile(dialect)
    data = sheet.file()
    if sheet.gz or sheet.encoding == "utf-16":
        pytest.skip("the quote is put in as a byte")
    data = data.replace(b"49.5", b'"49.5').replace(b"49,5", b'"49,5')
    with pytest.raises(DataError, match=f"line {sheet.line_of(6)}: a quote that is opened there is never closed"):
        load(data)
