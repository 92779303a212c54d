"""What was detected is told, and what a person says about marks and missing words counts instead."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import Detected, ReadOptions, is_missing, missing_words, read_table
from tests.datasets.planned import column_plan

TEXT = "a;b;label\n1,5;2;x\n2,5;?;y\n3,5;NA;x\n4,5;-999;y\n5,5;7;x\n"


def load(text, **options):
    table = read_table(text.encode(), "t.csv", ReadOptions(**options))
    return build_dataset(table, column_plan(table, label="label"))


@pytest.mark.parametrize(
    ("data", "detected"),
    [
        (TEXT.encode(), Detected("utf-8", ";", 1, 0, "LF")),
        (b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(), Detected("utf-8-sig", ";", 1, 0, "CRLF")),
        (TEXT.replace("\n", "\r").encode("utf-16"), Detected("utf-16", ";", 1, 0, "CR")),
        (TEXT.replace("x", "ü").encode("cp1252"), Detected("cp1252", ";", 1, 0, "LF")),
        (b"# one\n# two\n" + TEXT.replace(";", "\t").encode(), Detected("utf-8", "\t", 1, 2, "LF")),
        (b"1,2,0\n3,4,1\n", Detected("utf-8", ",", 0, 0, "LF")),
    ],
)
def test_what_was_detected_is_told(data, detected):
    assert read_table(data, "t.csv").detected == detected


def test_missing_words_of_the_table_and_those_added():
    table = read_table(TEXT.encode(), "t.csv")
    assert missing_words(table) == ("?", "NA")
    assert build_dataset(table, column_plan(table)).n_samples == 3
    longer = TEXT + "6,5;3;y\n7,5;4;x\n8,5;9;y\n"
    dataset = load(longer, missing=("-999", " 7 "))
    np.testing.assert_array_equal(dataset.X, [[1.5, 2], [6.5, 3], [7.5, 4], [8.5, 9]])
    assert "2 cells that say '-999' or '7' count as missing." in dataset.notes


def test_usual_missing_words_in_any_case_and_no_others():
    assert all(map(is_missing, ["", "?", "na", "Na", "N/A", "NaN", "NULL", "None", "NONE", "-", ".", "<NA>", "NaT"]))
    assert all(map(is_missing, ["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"]))  # of spreadsheets
    assert not any(map(is_missing, ["0", "no", "missing", "--", "n a", "..", "NAN "]))


@pytest.mark.parametrize(
    ("cell", "options", "number"),
    [
        ("1.234", {}, 1.234),
        ("1.234", {"thousands": "."}, 1234.0),
        ("1.234.567,5", {"thousands": "."}, 1234567.5),
        ("1,234", {}, 1.234),
        ("1,234", {"decimal": "."}, 1234.0),
        ("1,234", {"thousands": ","}, 1234.0),
        ("1,234", {"decimal": ","}, 1.234),
        ("1 234", {}, 1234.0),
        ("1 234", {"thousands": " "}, 1234.0),
        ("1'234.5", {"thousands": "'"}, 1234.5),
        ("1’234", {"thousands": "'"}, 1234.0),
    ],
)
def test_34_thousands_mark_as_it_is_said(cell, options, number):
    text = f"a;label\n{cell};x\n2;y\n3;x\n4;y\n"
    assert load(text, separator=";", **options).X[0, 0] == number


@pytest.mark.parametrize(
    ("cell", "options"),
    [("1,234", {"thousands": ""}), ("1 234", {"thousands": ","}), ("1'234", {"thousands": " "})],
)
def test_34_grouping_by_another_mark_than_said_is_no_number(cell, options):
    dataset = load(f"a;label\n{cell};x\n2;y\n3;x\n4;y\n", decimal=".", **options)
    assert dataset.X[:, 0].tolist() == [2, 3, 4]
    assert "1 cell that is not a usable number counts as missing (the first on line 2" in " ".join(dataset.notes)


def test_marks_that_cannot_be_are_one_sentence():
    with pytest.raises(DataError, match="The comma cannot be both the decimal and the thousands mark"):
        load(TEXT, decimal=",", thousands=",")


@pytest.mark.parametrize(
    ("cells", "doubtful"),
    [
        (("1,234", "2,500"), "1,234"),
        (("1,234", "2,5"), ""),
        (("0,234", "1,500"), ""),
        (("12", "3"), ""),
        (("1.234", "12.500"), "1.234"),
        (("1.234", "12.5001"), ""),
    ],
)
def test_34_marks_that_could_be_either_are_told(cells, doubtful):
    text = "a;label\n" + "".join(f"{cell};x\n" for cell in cells)
    assert read_table(text.replace(",", ".").replace(";", ",").encode(), "t.csv").detected.doubtful == ""
    table = read_table(text.encode(), "t.csv")
    assert table.detected.doubtful == doubtful
    assert ("could as well be thousands" in " ".join(table.notes)) == bool(doubtful)
    assert read_table(text.encode(), "t.csv", ReadOptions(decimal=table.decimal)).detected.doubtful == ""
