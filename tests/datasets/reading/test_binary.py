"""Excel, Parquet, ARFF, JSON, NPZ: the same data from each; bombs, lies and damage get one sentence and no harm.

The numbers are those of the list of bad inputs; the page's own (17 asks on screen, 63) are tested with the pages.
"""

from __future__ import annotations

import datetime
import json
import random
import time

import numpy as np
import pytest

from datasets.base import child_process
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import Limits, read_table
from tests.datasets.files import ROWS, SOUND, X, npz, parquet, with_sheet, workbook
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


@pytest.mark.parametrize("kind", ["excel", "parquet", "npz"])
def test_05_flipped_bytes(kind):
    draw = random.Random(0)
    told = []
    for _ in range(4):
        data = bytearray(SOUND[kind])
        for place in draw.sample(range(8, len(data)), 40):
            data[place] ^= 1 << draw.randrange(8)
        try:
            read_table(bytes(data), "t.bin")
        except DataError as error:
            told.append(str(error))
    assert told
    assert all("t.bin" in sentence for sentence in told)


def test_13_far_cell():
    data = with_sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    assert "XFD1048576" in refusal(data)
    assert "A900000" in refusal(with_sheet('<row r="900000"><c r="A900000"><v>1</v></c></row>'))


def test_17_several_sheets_are_listed_and_one_can_be_asked_for():
    data = workbook(one=ROWS, notes=[], two=[["c", "d", "label"], [5, 6, "u"]])
    table = read_table(data, "t.xlsx")
    assert (table.sheets, table.sheet, table.columns) == (("one", "two"), "one", ("a", "b", "label"))
    assert "2 sheets" in " ".join(table.notes)
    assert read_table(data, "t.xlsx", sheet="two").columns == ("c", "d", "label")
    assert "no sheet 'three'" in refusal(data, sheet="three")


def test_a_title_page_is_passed_over():
    table = read_table(workbook(title=[["Trees of 2020"]], empty=[], two=ROWS), "t.xlsx")
    assert (table.sheets, table.sheet, len(table.rows)) == (("title", "two"), "two", 4)
    assert "header row and no rows" in refusal(workbook(title=[["Trees"]], more=[["x"]]), "t.xlsx")


@pytest.mark.parametrize("cells", [b"[1,2", b"{}", b"[]", b'{"a": [1], "b": [1, 2]}', b"[1, 2]", b"[" * 100_000])
def test_json_that_is_no_table(cells):
    refusal(cells, "t.json")


def test_too_many_columns_in_each_format():
    wide = {f"c{k}": [1.0] for k in range(30)}
    limits = Limits(columns=20)
    for data in (parquet(**wide), json.dumps([wide]).encode(), npz(X=np.ones((3, 30)), y=np.ones(3))):
        assert "20" in refusal(data, limits=limits)


def test_64_a_cancelled_reading_ends_its_child_at_once():
    began = time.monotonic()
    assert "cancelled" in refusal(with_sheet("<row/>" * 2_000_000), cancelled=lambda: True)
    assert time.monotonic() - began < 20


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


def test_the_memory_of_the_child_is_bounded():
    records = b"[" + b'{"a":1.5},' * 1_500_000 + b'{"a":1.5}]'
    sentence = refusal(records, limits=Limits(child_memory=200_000_000))
    assert "memory" in sentence
