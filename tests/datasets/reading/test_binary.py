"""Excel, Parquet, ARFF, JSON, NPZ: the same data from each; bombs, lies and damage get one sentence and no harm.

The numbers are those of the list of bad inputs; the page's own (17 asks on screen, 63) are tested with the pages.
"""

from __future__ import annotations

import datetime
import gzip
import io
import json
import pickle
import random
import struct
import time
import zipfile

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from datasets.base import child_process
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import Limits, read_table
from tests.datasets.planned import column_plan

NUMBERS = [1.0, 2.0, 3.0, 4.0]
HALVES = [2.5, 3.5, 4.5, 5.0]
LABELS = ["x", "y", "x", "y"]


def refusal(data, name="t.bin", **options):
    with pytest.raises(DataError) as error:
        read_table(data, name, **options)
    sentence = str(error.value)
    assert name in sentence
    assert "Traceback" not in sentence
    assert "\n" not in sentence
    return sentence


def workbook(sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def with_sheet(xml, extra=None):
    """A sound workbook whose first sheet is replaced by `xml`."""
    old = zipfile.ZipFile(io.BytesIO(workbook({"one": [["a", "label"], [1, "x"]]})))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, xml if name == "xl/worksheets/sheet1.xml" else old.read(name))
        for name, content in (extra or {}).items():
            new.writestr(name, content)
    return stream.getvalue()


def sheet_xml(cells, before=""):
    return (
        f'<?xml version="1.0"?>{before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<sheetData>{cells}</sheetData></worksheet>"
    )


def parquet(**columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def npz(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def arff(body, kinds="{x,y}"):
    head = "% made by hand\n@relation t\n@attribute a numeric\n@attribute b numeric\n"
    return f"{head}@attribute label {kinds}\n@data\n{body}".encode()


ROWS = [["a", "b", "label"], *map(list, zip(NUMBERS, HALVES, LABELS, strict=True))]
RECORDS = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
SOUND = {
    "excel": workbook({"data": ROWS}),
    "excel, shifted": workbook({"empty": [], "data": [[], [], *([None, *row] for row in ROWS)]}),
    "parquet": parquet(a=NUMBERS, b=HALVES, label=LABELS),
    "parquet, categories": parquet(a=NUMBERS, b=HALVES, label=pa.array(LABELS).dictionary_encode()),
    "json records": json.dumps(RECORDS).encode(),
    "json lines": "\n".join(map(json.dumps, RECORDS)).encode(),
    "json columns": json.dumps({"a": NUMBERS, "b": HALVES, "label": LABELS}).encode(),
    "arff": arff("1,2.5,x\n2,3.5,y\n% rest\n3,4.5,x\n4,5,y\n"),
    "arff, sparse": arff("{0 1,1 2.5}\n{0 2,1 3.5,2 y}\n{0 3,1 4.5,2 x}\n{0 4,1 5,2 y}\n"),
    "arff, string labels": arff("1,2.5,x\n2,3.5,y\n3,4.5,x\n4,5,y\n", kinds="string"),
    "npz": npz(X=np.column_stack([NUMBERS, HALVES]), y=np.array(LABELS)),
    "npz, float32": npz(X=np.column_stack([NUMBERS, HALVES]).astype("f4"), y=np.array(LABELS)[:, None]),
}


@pytest.mark.parametrize("zipped", [False, True], ids=["", "gz"])
@pytest.mark.parametrize("kind", SOUND)
def test_every_format_gives_the_same_data_under_any_name(kind, zipped):
    data = gzip.compress(SOUND[kind]) if zipped else SOUND[kind]
    table = read_table(data, "wrong.csv")
    dataset = build_dataset(table, column_plan(table))
    np.testing.assert_array_equal(dataset.X, np.column_stack([NUMBERS, HALVES]))
    np.testing.assert_array_equal(dataset.y, [0, 1, 0, 1])
    assert dataset.class_names == ("x", "y")
    assert dataset.feature_names == (("x1", "x2") if "npz" in kind else ("a", "b"))


def test_npy_matrix_with_the_label_last():
    stream = io.BytesIO()
    np.save(stream, np.array([[1, 2.5, 0], [2, 3.5, 1], [3, 4.5, 0], [4, 5.0, 1]]))
    table = read_table(stream.getvalue(), "t.npy")
    dataset = build_dataset(table, column_plan(table))
    assert dataset.X.shape == (4, 2)
    assert dataset.class_names == ("0", "1")


def test_dates_blanks_and_rows_of_a_workbook():
    table = read_table(
        workbook({"s": [["when", "a", "label"], [datetime.date(2024, 2, 3), None, "x"], [], [None, 7.25, "y"]]}),
        "t.xlsx",
    )
    assert table.rows == (("2024-02-03", "", "x"), ("", "7.25", "y"))
    assert table.line_numbers == (2, 4)


def test_04_truncated_parquet():
    assert "damaged" in refusal(SOUND["parquet"][:-20])


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


def test_06_objects_in_npz():
    assert "Python objects in y" in refusal(npz(X=np.ones((2, 2)), y=np.array(["a", None], dtype=object)))


def test_07_pickle():
    assert "pickle" in refusal(pickle.dumps(RECORDS), "t.csv")


def test_08_header_that_claims_a_trillion_rows():
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 2), }\n"
    assert "1,000,000,000,000" in refusal(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)


def test_09_npz_bomb():
    assert "at most" in refusal(npz(X=np.zeros((8_000_000, 8), dtype="u1"), y=np.zeros(8_000_000, dtype="u1")))


def test_10_lying_sizes_in_a_zip():
    data = bytearray(npz(X=np.zeros((1000, 100)), y=np.zeros(1000)))
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", 200)
    assert "Save it again" in refusal(bytes(data))


def test_11_parquet_that_unpacks_to_hundreds_of_megabytes():
    assert "at most" in refusal(parquet(a=np.zeros(60_000_000, dtype="i1")))


def test_12_small_parquet_of_long_strings():
    data = parquet(a=pa.array(["z" * 200_000] * 1000).dictionary_encode(), label=["x", "y"] * 500)
    assert len(data) < 50_000
    assert "MB of cells" in refusal(data)


def test_13_far_cell():
    data = with_sheet(sheet_xml('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'))
    assert "XFD1048576" in refusal(data)
    assert "A900000" in refusal(with_sheet(sheet_xml('<row r="900000"><c r="A900000"><v>1</v></c></row>')))


def test_14_millions_of_cells_in_a_small_workbook():
    row = "".join(f'<c r="{letter}1"><v>1</v></c>' for letter in "ABCDEFGHIJ")
    data = with_sheet(sheet_xml(f'<row r="1">{row}</row>' * 255_000))
    assert "more than 2,500,000 cells" in refusal(data)


def test_15_entities():
    bomb = '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    assert "entities" in refusal(with_sheet(sheet_xml("", before=bomb)))


def test_16_password():
    assert "password" in refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "t.xlsx")


def test_17_several_sheets_are_listed_and_one_can_be_asked_for():
    data = workbook({"one": ROWS, "notes": [], "two": [["c", "d", "label"], [5, 6, "u"]]})
    table = read_table(data, "t.xlsx")
    assert (table.sheets, table.sheet, table.columns) == (("one", "two"), "one", ("a", "b", "label"))
    assert "2 sheets" in " ".join(table.notes)
    assert read_table(data, "t.xlsx", sheet="two").columns == ("c", "d", "label")
    assert "no sheet 'three'" in refusal(data, sheet="three")


def test_a_title_page_is_passed_over():
    table = read_table(workbook({"title": [["Trees of 2020"]], "empty": [], "two": ROWS}), "t.xlsx")
    assert (table.sheets, table.sheet, len(table.rows)) == (("title", "two"), "two", 4)
    assert "header row and no rows" in refusal(workbook({"title": [["Trees"]], "more": [["x"]]}), "t.xlsx")


def test_59_undeclared_nominal_value():
    sentence = refusal(arff("1,2,x\n% a comment\n3,4,zebra\n"))
    assert "line 9" in sentence
    assert "'zebra'" in sentence


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
    assert "cancelled" in refusal(with_sheet(sheet_xml("<row/>" * 2_000_000)), cancelled=lambda: True)
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
    assert "0 s" in refusal(with_sheet(sheet_xml("<row/>" * 2_000_000)), limits=Limits(seconds=0.2))


def test_the_memory_of_the_child_is_bounded():
    records = b"[" + b'{"a":1.5},' * 1_500_000 + b'{"a":1.5}]'
    sentence = refusal(records, limits=Limits(child_memory=200_000_000))
    assert "memory" in sentence
