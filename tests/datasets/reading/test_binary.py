"""Excel, Parquet, ARFF, JSON, NPZ: the same data from each; bombs, lies and damage get one sentence and no harm.

The numbers are those of the list of bad inputs; the page's own (17 asks on screen, 63) are tested with the pages.
"""

import datetime
import json

import numpy as np
import pytest

from datasets.base import child_process
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import Limits, read_table
from tests.datasets.files import SOUND, X, npz, parquet, with_sheet, workbook
from tests.datasets.planned import column_plan


def refusal(data, name="t.bin", **options):
    with pytest.raises(DataError) as error:
        read_table(data, name, **options)
    sentence = str(error.value)
    assert name in sentence
    assert "Traceback" not in sentence
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("kind", SOUND)
def test_every_format_gives_the_same_data_under_any_name(kind):
    table = read_table(SOUND[kind], "wrong.csv")
    dataset = build_dataset(table, column_plan(table, "label" if "label" in table.columns else None))
    np.testing.assert_array_equal(dataset.X, X)
    np.testing.assert_array_equal(dataset.y, [0, 1, 0, 1])
    assert dataset.class_names == (("0", "1") if kind in ("npy", "libsvm") else ("x", "y"))


def test_dates_blanks_and_rows_of_a_workbook():
    table = read_table(
        workbook(s=[["when", "a", "label"], [datetime.date(2024, 2, 3), None, "x"], [], [None, 7.25, "y"]]),
        "t.xlsx",
    )
    assert table.rows == [("2024-02-03", "", "x"), ("", "7.25", "y")]
    assert table.line_numbers.tolist() == [2, 4]


@pytest.mark.parametrize("cells", [b"[1,2", b"{}", b"[]", b'{"a": [1], "b": [1, 2]}', b"[1, 2]", b"[" * 100_000])
def test_json_that_is_no_table(cells):
    refusal(cells, "t.json")


def test_too_many_columns_in_each_format():
    wide = {f"c{k}": [1.0] for k in range(30)}
    limits = Limits(columns=20)
    for data in (parquet(**wide), json.dumps([wide]).encode(), npz(X=np.ones((3, 30)), y=np.ones(3))):
        assert "20" in refusal(data, limits=limits)


def test_a_file_larger_than_a_pipe_is_read_by_a_child_that_starts_slowly(monkeypatch):
    monkeypatch.setattr(child_process, "_POLL_SECONDS", 0.001)  # asked many times before the child has read anything
    X = np.random.default_rng(0).normal(size=(40_000, 3))
    data = npz(X=X, y=np.arange(40_000) % 2)
    assert len(data) > 500_000
    table = read_table(data, "t.npz", limits=Limits(seconds=45))
    assert len(table.rows) == 40_000
    assert float(table.rows[-1][0]) == X[-1, 0]


def test_a_reading_that_takes_too_long_is_given_up():
    assert "0 s" in refusal(with_sheet("<row/>" * 2_000_000), limits=Limits(seconds=0.2))
