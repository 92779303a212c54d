"""Every oddity alone and in pairs: exactly the expected data, classes and left-out list."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest

from datasets.base.dataset import UNLABELLED
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
