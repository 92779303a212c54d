"""What is downloaded: the rows as they came, and nothing that a spreadsheet runs."""

import csv
import io
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets.base.dataset import Dataset, Source
from pages.controls.table import _rows_csv

ROOT = Path(__file__).resolve().parents[2]
DATASET = Dataset(
    "t",
    np.array([[1.5, -2.0], [3.0, 4.0], [5.0, 6.0]]),
    np.array([0, -1, 1]),
    ("a", "=b"),
    ("@x", "y"),
    Source("t"),
    row_numbers=np.array([2, 3, 7]),
)


def rows_of(data):
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))


def test_62_all_rows_with_names_that_cannot_run():
    assert rows_of(_rows_csv(DATASET, None)) == [
        ["row", "a", "'=b", "class"],
        ["2", "1.5", "-2.0", "'@x"],
        ["3", "3.0", "4.0", ""],
        ["7", "5.0", "6.0", "y"],
    ]


def test_a_label_of_numbers_is_written_as_numbers():
    numeric = replace(DATASET, target=np.array([17.25, np.nan, -3.0]))
    assert [row[-1] for row in rows_of(_rows_csv(numeric, None))] == ["label", "17.25", "", "-3.0"]


def test_chosen_rows_in_their_order():
    assert [row[0] for row in rows_of(_rows_csv(DATASET, [2, 0]))] == ["row", "7", "2"]


def test_62_the_export_of_tables_on_screen_is_off():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["client"]["disableDataExport"] is True
