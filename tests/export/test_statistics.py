"""The statistics that leave: each value of each split, its held-out rows, and all pairs with their tests."""

import csv
import io
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from export.statistics import encoded, pair_columns, split_rows, split_values
from study.compare import compare
from study.measure import NAMES
from study.panel import PanelRecipe
from study.repetitions import repeat_splits
from tests.study.some_data import overlapping, recipe_of

TITLES = {"lda": "=LDA()", "pca": "PCA"}


@pytest.fixture(scope="module")
def splits():
    *_, last = repeat_splits(recipe_of(PanelRecipe("lda"), PanelRecipe("pca")), overlapping(), 5)
    return last


def test_each_value_of_each_split(splits):
    lines = list(csv.DictReader(io.StringIO(encoded(split_values(TITLES, splits), "csv").decode("utf-8-sig"))))
    assert len(lines) == 10
    third = lines[5]
    seed = splits.recipe.preparation.random_state + 2
    assert (third["split"], third["seed"], third["panel"], third["held-out rows"]) == ("3", str(seed), "PCA", "28")
    assert float(third["held_out_1nn"]) == splits.values[2, 1, NAMES.index("held_out_1nn")]
    assert third["mean_p"] == ""  # NaN
    assert lines[0]["panel"] == "'=LDA()"


def test_the_rows_are_those_that_were_held_out(splits):
    found = split_rows(splits, overlapping())
    for split in range(5):
        preparation = splits.recipe.preparation
        preparation = replace(preparation, random_state=preparation.random_state + split)
        ready = compare(replace(splits.recipe, preparation=preparation), overlapping()).prepared
        rows = [row for k, row in zip(found["split"], found["held-out row"], strict=True) if k == split + 1]
        assert rows == ready.raw.row_numbers[ready.held_out].tolist()


def test_all_pairs_as_parquet(splits):
    family = splits.family("held_out_1nn")
    table = pq.read_table(io.BytesIO(encoded(pair_columns(TITLES, family), "parquet"))).to_pydict()
    ((pair, one),) = family.items()
    assert table["first"] == [{"lda": "'=LDA()", "pca": "PCA"}[pair[0]]]
    found = [table[name][0] for name in ("difference", "low", "high", "p", "corrected p", "first is", "rows or splits")]
    assert found == [one.estimate, one.low, one.high, one.p_value, one.corrected_p, str(one.answer), 5]
    assert np.isfinite(found[:5]).all()
