"""Packed files and long texts are read in a child: the same table, the same sentences, and never the bytes in here."""

import dataclasses
import gzip
import io
import os
import signal

import numpy as np
import psutil
import pyarrow as pa
import pytest

from datasets.base.errors import DataError
from datasets.reading import FaultyLinesError, Limits, ReadOptions, Table, read_table, reader
from datasets.reading.reader import read_answer, write_answer
from datasets.reading.text import read_text
from tests.datasets.files import workbook

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
    here = plain(text)
    assert zipped.cells.equals(here.cells)
    assert zipped.line_numbers.tolist() == here.line_numbers.tolist()
    names = [field.name for field in dataclasses.fields(Table) if field.name not in ("cells", "line_numbers", "parsed")]
    assert [getattr(zipped, name) for name in names] == [getattr(here, name) for name in names]


def test_what_was_said_about_the_file_goes_along():
    said = {"separator": ";", "header_lines": 0, "decimal": ".", "missing": ("x",)}
    there = read_table(gzip.compress(PLAIN.encode("cp1252")), "t.csv", ReadOptions(**said))
    assert there.columns == ("column 1", "column 2")
    assert set(there.column("column 2")) == {"art", "", "y"}


def test_long_text_is_read_by_the_child_and_short_text_here(monkeypatch):
    asked = []
    monkeypatch.setattr(reader, "_read_in_child", lambda *given: asked.append(given) or plain(PLAIN))
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


def test_an_answer_with_damaged_buffers_is_refused():
    """A hostile file may have taken over the child, so the server does not trust its offsets."""
    table = read_table(b"a,b\n1,x\n2,y\n", "t.csv")
    stream = io.BytesIO()
    write_answer(table, stream)
    offsets = np.array([0, 1, 2], dtype=np.int32).tobytes()
    damaged = stream.getvalue().replace(offsets, np.array([0, 1, 2**30], dtype=np.int32).tobytes())
    assert damaged != stream.getvalue()
    assert read_answer(io.BytesIO(stream.getvalue())).rows == table.rows
    with pytest.raises(pa.ArrowInvalid):
        read_answer(io.BytesIO(damaged))


def kill_children():
    """As the system does it that has no memory left; False, for whoever asks whether to give up."""
    for each in psutil.Process().children():
        if any(word.endswith(".reader") for word in each.cmdline()):  # and not a browser of other tests
            os.kill(each.pid, signal.SIGKILL)
    return False


@pytest.mark.parametrize(
    ("name", "data"),
    [("t.xlsx", workbook(one=[["a", "b"], [1, "x"], [2, "y"]])), ("t.csv", b"a,b\n" + b"1,x\n" * 600_000)],
    ids=["packed", "text"],
)
def test_a_reader_that_is_killed_is_one_sentence(name, data):
    with pytest.raises(DataError, match=rf"{name}.*took more memory than the .* allowed, or broke the reader"):
        read_table(data, name, cancelled=kill_children)
