"""Bytes bent at random, over the formats: a table or one sentence, never anything else."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import Limits, Table, read_table
from datasets.reading.child import answer
from tests.datasets.hostile.corpus import ODDITIES, hostile
from tests.datasets.planned import column_plan
from tests.datasets.reading.test_binary import SOUND

KINDS = {"json records": "json", "arff": "arff", "arff, sparse": "arff", "npz": "npz", "excel": "excel"}
REQUEST = {"filename": "t.bin", "sheet": None, "columns": 2_000, "cells": 100_000, "decoded_bytes": 10_000_000}
BENDS = st.lists(st.tuples(st.integers(0, 10_000), st.binary(min_size=0, max_size=4)), min_size=1, max_size=6)


def bent(data, bends):
    """`data` with bytes replaced, put in or taken out at places (modulo its length)."""
    for place, new in bends:
        place %= len(data) or 1
        data = data[:place] + new + data[place + (len(new) or 3) :]
    return data


@pytest.mark.filterwarnings("ignore")  # the child process silences what libraries say about foreign files
@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(bends=BENDS)
def test_bent_formats(name, bends):
    reply = answer({**REQUEST, "kind": KINDS[name]}, bent(SOUND[name], bends))
    if "error" in reply:
        assert reply["error"].startswith("t.bin ")
        assert reply["error"].endswith(".")
        assert "\n" not in reply["error"]
    else:
        assert json.dumps(reply)
        assert all(len(row) == len(reply["columns"]) for row in reply["rows"])


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(name=st.sampled_from(list(ODDITIES)), bends=BENDS)
def test_bent_text(name, bends):
    table = None
    with contextlib.suppress(DataError):
        table = read_table(bent(hostile(name).file(), bends), "t.csv", limits=Limits(seconds=10))
    if table is None:
        return
    assert isinstance(table, Table)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert len(set(table.columns)) == len(table.columns)
    with contextlib.suppress(DataError):
        build_dataset(table, column_plan(table))
