"""Packed files and long texts are read in a child: the same table, the same sentences, and never the bytes in here."""

from __future__ import annotations

import gzip
import sys

import pytest

from datasets.base.errors import DataError
from datasets.reading import FaultyLinesError, Limits, ReadOptions, read_table
from datasets.reading.compact_rows import CompactRows
from datasets.reading.text import read_text
from tests.pages.app_page import workbook

PLAIN = "größe;art\n" + "".join(f"{k},5;{'xy'[k % 2]}\n" for k in range(9_000))
ODD = "a,b,c\n1,2,x\n1,2\n# said\n" + "3,4,\x1f \x1e \x1d z\n" * 5_000 + "5,6,y\n"
FAULTY = "a,b\n" + "1,x\n" * 50 + "1,2,3\n" * 3


@pytest.fixture
def workbook_bytes():
    return workbook(one=[["a", "b"], [1, "x"], [2, "y"]], two=[["a", "b"], [9, "z"], [8, "w"]])


def plain(text, **options):
    return read_text(text.encode("cp1252"), "t.csv", Limits(), ReadOptions(**options))


@pytest.mark.parametrize("text", [PLAIN, ODD], ids=["plain", "odd"])
def test_the_table_is_the_one_that_is_read_here(text):
    zipped = read_table(gzip.compress(text.encode("cp1252")), "t.csv")
    assert zipped == plain(text)
    assert zipped.detected == plain(text).detected
    assert zipped.detected.encodings == plain(text).detected.encodings
    assert zipped.column(zipped.columns[-1]) == plain(text).column(zipped.columns[-1])
    assert zipped.rows[len(zipped.rows) // 2] == plain(text).rows[len(zipped.rows) // 2]


def test_what_was_said_about_the_file_goes_along():
    said = {"separator": ";", "header_lines": 0, "decimal": ".", "missing": ("x",)}
    there = read_table(gzip.compress(PLAIN.encode("cp1252")), "t.csv", ReadOptions(**said))
    assert there.columns == ("column 1", "column 2")
    assert set(there.column("column 2")) == {"art", "", "y"}


def test_long_text_is_read_by_the_child_and_short_text_here(monkeypatch):
    asked = []
    monkeypatch.setattr(
        sys.modules["datasets.reading.read_table"], "read_apart", lambda *told: asked.append(told) or plain(PLAIN)
    )
    read_table(b"a,b\n" + b"1,x\n" * 250_000, "long.csv")
    assert len(asked) == 1
    read_table(b"a,b\n1,x\n2,y\n", "short.csv")
    assert len(asked) == 1


def test_the_bytes_of_a_packed_file_are_never_unpacked_here(monkeypatch):
    monkeypatch.setattr(gzip, "GzipFile", None)
    assert len(read_table(gzip.compress(b"a,b\n1,x\n2,y\n"), "t.csv.gz").rows) == 2


def test_faulty_lines_can_still_be_skipped():
    packed = gzip.compress(FAULTY.encode())
    with pytest.raises(FaultyLinesError) as there:
        read_table(packed, "t.csv")
    with pytest.raises(FaultyLinesError) as here:
        plain(FAULTY)
    assert str(there.value) == str(here.value)
    assert there.value.lines == here.value.lines
    assert there.value.can_skip
    assert len(read_table(packed, "t.csv", ReadOptions(faulty_lines="skip")).rows) == 50


def test_a_packed_workbook_is_read_as_one(workbook_bytes):
    table = read_table(gzip.compress(workbook_bytes), "t.xlsx.gz")
    assert table.sheets == ("one", "two")
    assert read_table(gzip.compress(workbook_bytes), "t.xlsx.gz", sheet="two").rows[0] == ("9", "z")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (gzip.compress(b"a,b\n1,2\n")[:-6], "cannot be unpacked"),
        (gzip.compress(b""), "empty once unpacked"),
        (gzip.compress(b"0" * 5_000_000), "unpacks to more than"),
        (gzip.compress(b"%PDF-1.4 and so on"), "PDF"),
    ],
    ids=["damaged", "empty", "bomb", "pdf"],
)
def test_sentences_come_back(data, words):
    with pytest.raises(DataError, match=words):
        read_table(data, "t.csv.gz", limits=Limits(decoded_bytes=4_000_000))


def test_a_reading_that_is_given_up_leaves_no_process():
    with pytest.raises(DataError, match="was cancelled"):
        read_table(gzip.compress(PLAIN.encode()), "t.csv.gz", cancelled=lambda: True)
    with pytest.raises(DataError, match=r"(took|needs) more memory"):
        read_table(gzip.compress(PLAIN.encode() * 400), "t.csv.gz", limits=Limits(child_memory=150_000_000))


@pytest.mark.parametrize("n", [0, 3, 20_001])
def test_rows_go_through_json_in_pieces(n):
    rows = CompactRows([(f"{k}", "" if k % 3 else "\0\x1f\x1e\x1d") for k in range(n)])
    rows.skip(2)
    assert CompactRows.joined(iter(list(rows.pieces()))) == rows
