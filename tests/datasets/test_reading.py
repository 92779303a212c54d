"""Text tables as the world makes them: read right, or one sentence with file and line."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.base.dataset import UNLABELLED
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import read_table
from tests.datasets.planned import column_plan


def load(data, name="t.csv", label=None):
    table = read_table(data if isinstance(data, bytes) else data.encode(), name)
    return build_dataset(table, column_plan(table, label=label))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\n \n", ["only blank lines"]),
        (b"PK\x03\x04rest", ["zip", "Save it again"]),
        (b"PAR1rest", ["Parquet"]),
        (b"\x93NUMPYrest", ["NumPy array", "Save it again"]),
        (b"\x1f\x8bbroken", ["cannot be unpacked"]),
        (b"a,y\n1,x\n1e999,y\n3,x\n", ["line 3", "column 'a'", "infinite"]),
        (b"y,z\nred,x\nblue,y\ngreen,x\n", ["no column is left to project (y: it holds names or text"]),
    ],
)
def test_broken_files_get_one_sentence(data, words):
    with pytest.raises(DataError) as error:
        load(data)
    for word in words:
        assert word in str(error.value)
    assert "Traceback" not in str(error.value)


def test_quotes_no_last_line_end_and_no_header():
    for names in ("a,b,c\n", ""):
        dataset = load(f'{names}1.5,2,"x"\n2.5,3,y\n3.5,4,"x"\n4.5,5,y')
        np.testing.assert_array_equal(dataset.X, [[1.5, 2], [2.5, 3], [3.5, 4], [4.5, 5]])
        assert dataset.class_names == ("x", "y")
        assert ("holds data, not names" in " ".join(dataset.notes)) == (not names)


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


def test_another_label_can_be_chosen():
    dataset = load("a,b,kind,label\n1,2,u,x\n2,3,v,x\n3,1,u,y\n4,9,v,y\n", label="kind")
    assert dataset.class_names == ("u", "v")
    with pytest.raises(DataError, match="1 class"):
        load("a,b,label\n1,2,x\n2,3,x\n3,3,x\n", label="label")


@settings(max_examples=600, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(alphabet='ab1.,;\t"\n\r?-e', max_size=200).map(str.encode)))
def test_whatever_the_bytes_are_it_is_a_data_set_or_a_sentence(data):
    dataset = None
    with contextlib.suppress(DataError):
        dataset = load(data)
    if dataset is not None:
        assert np.isfinite(dataset.X).all()
        assert len(dataset.class_names) >= 2
