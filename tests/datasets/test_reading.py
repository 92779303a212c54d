"""Text tables as the world makes them: read right, or one sentence with file and line."""

from __future__ import annotations

import contextlib
import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.base.dataset import UNLABELLED
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import read_table
from tests.datasets.planned import column_plan

PLAIN = "a,b,species\n1,2.5,x\n2,3.5,y\n3,4.5,x\n4,5.0,y\n"
X = np.array([[1, 2.5], [2, 3.5], [3, 4.5], [4, 5.0]])


def load(data, name="t.csv", label=None):
    table = read_table(data if isinstance(data, bytes) else data.encode(), name)
    return build_dataset(table, column_plan(table, label=label))


VARIANTS = {
    "plain": PLAIN.encode(),
    "crlf": PLAIN.replace("\n", "\r\n").encode(),
    "cr": PLAIN.replace("\n", "\r").encode(),
    "no end of line": PLAIN.rstrip().encode(),
    "byte order mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "utf-16": PLAIN.encode("utf-16"),
    "tabs": PLAIN.replace(",", "\t").encode(),
    "pipes": PLAIN.replace(",", "|").encode(),
    "semicolons": PLAIN.replace(",", ";").encode(),
    "decimal commas": PLAIN.replace(",", ";").replace(".", ",").encode(),
    "gzip": gzip.compress(PLAIN.encode()),
    "spaces": PLAIN.replace(",", " , ").encode(),
    "blank lines": PLAIN.replace("\n", "\n\n").encode(),
    "quotes": PLAIN.replace("x", '"x"').encode(),
    "trailing separators": PLAIN.replace("x\n", "x,\n").replace("y\n", "y,\n").encode(),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_dialect_gives_the_same_data(variant):
    dataset = load(VARIANTS[variant])
    np.testing.assert_array_equal(dataset.X, X)
    np.testing.assert_array_equal(dataset.y, [0, 1, 0, 1])
    assert dataset.class_names == ("x", "y")
    assert dataset.feature_names == ("a", "b")
    assert dataset.name == "t.csv"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ["t.csv is empty"]),
        (b"\n \n", ["only blank lines"]),
        (b"a,b,c\n", ["header line and no rows"]),
        (b"a,b\n1,2\n1,2,3\n", ["line 3 has 3 columns", "first line has 2"]),
        (b'a,b\n1,"x\n2,y\n', ["line 2", "never closed"]),
        (b"a,b\n1,\x00\n", ["line 2", "zero byte"]),
        (b"PK\x03\x04rest", ["zip", "Save it again"]),
        (b"PAR1rest", ["Parquet"]),
        (b"\x93NUMPYrest", ["NumPy array", "Save it again"]),
        (b"\x1f\x8bbroken", ["cannot be unpacked"]),
        (b",".join([b"1"] * 50_000) + b"\n", ["50,000 columns", "at most 20,000"]),
        (b"a,y\n1,x\n1e999,y\n3,x\n", ["line 3", "column 'a'", "infinite"]),
        (b"y,z\nred,x\nblue,y\ngreen,x\n", ["no column is left to project (y: it holds names or text"]),
        (b"a,y\n1,x\n2,x\n3,x\n", ["no column looks like a label"]),
    ],
)
def test_broken_files_get_one_sentence(data, words):
    with pytest.raises(DataError) as error:
        load(data)
    for word in words:
        assert word in str(error.value)
    assert "Traceback" not in str(error.value)


def test_names_missing_cells_and_labels():
    dataset = load(
        "id,a,a,,const,words,label\n"
        + "".join(f"{i},{i % 7},{i * i},3.{i},5,w{i},{'NA' if i % 2 else 'b'}\n" for i in range(12))
        + "12,?,1,1,5,w,b\n13,1,1,1,5,w,\n"
    )
    assert dataset.feature_names == ("a", "a (2)", "column 4")
    assert dataset.class_names == ("NA", "b")
    assert dataset.n_samples == 13
    assert dataset.y[-1] == UNLABELLED
    assert dataset.row_numbers[-1] == 15
    notes = " ".join(dataset.notes)
    for word in (
        "id (it counts the rows)",
        "const (it is 5 in every row)",
        "words (it holds codes, nearly all different)",
        "1 of 14 rows",
    ):
        assert word in notes
    assert "1 row has no label" in notes


def test_labels_stay_as_they_are_written():
    assert load("a,label\n1,01\n2,1\n3,001\n4,1\n5,01\n6,001\n").class_names == ("001", "01", "1")


def test_latin_text_is_read_and_said():
    dataset = load("größe,art\n1,süß\n2,herb\n3,süß\n4,herb\n".encode("latin-1"))
    assert dataset.class_names == ("herb", "süß")
    assert "Windows-1252" in " ".join(dataset.notes)


def test_another_label_can_be_chosen():
    dataset = load("a,b,kind,label\n1,2,u,x\n2,3,v,x\n3,1,u,y\n4,9,v,y\n", label="kind")
    assert dataset.class_names == ("u", "v")
    with pytest.raises(DataError, match="1 class"):
        load("a,b,label\n1,2,x\n2,3,x\n3,3,x\n", label="label")


def test_a_file_without_header_is_named_and_said():
    dataset = load("1,2,0\n3,4,1\n5,7,0\n6,6,1\n")
    assert dataset.feature_names == ("column 1", "column 2")
    assert "holds data, not names" in " ".join(dataset.notes)


@settings(max_examples=600, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(alphabet='ab1.,;\t"\n\r?-e', max_size=200).map(str.encode)))
def test_whatever_the_bytes_are_it_is_a_data_set_or_a_sentence(data):
    dataset = None
    with contextlib.suppress(DataError):
        dataset = load(data)
    if dataset is not None:
        assert np.isfinite(dataset.X).all()
        assert len(dataset.class_names) >= 2
