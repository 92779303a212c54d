"""Text tables as the world makes them: read right, or one sentence with file and line."""

import contextlib

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

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


@example(b";")
@settings(max_examples=600, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(alphabet='ab1.,;\t"\n\r?-e', max_size=200).map(str.encode)))
def test_whatever_the_bytes_are_it_is_a_data_set_or_a_sentence(data):
    dataset = None
    with contextlib.suppress(DataError):
        dataset = load(data)
    if dataset is not None:
        assert np.isfinite(dataset.X).all()
        assert len(dataset.class_names) >= 2
