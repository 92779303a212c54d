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


def test_only_blank_lines_are_one_sentence():
    with pytest.raises(DataError, match="only blank lines"):
        load("\n \n")


@example(b";")
@example(b'\r"\n;')
@settings(max_examples=600, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(alphabet='ab1.,;\t"\n\r?-e', max_size=200).map(str.encode)))
def test_whatever_the_bytes_are_it_is_a_data_set_or_a_sentence(data):
    dataset = None
    with contextlib.suppress(DataError):
        dataset = load(data)
    if dataset is not None:
        assert np.isfinite(dataset.X).all()
        assert len(dataset.class_names) >= 2
