"""Neighbours in common, confusion and agreement, against loops on classes that overlap."""

from __future__ import annotations

import numpy as np
import pytest

from study.differences import NOBODY, agreement, asked_rows, common_neighbours, confusion, predictions, rows_of_cell
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared


def nearest(Y, i, k):
    order = np.argsort(np.sum((Y - Y[i]) ** 2, axis=1))
    return {int(j) for j in order if j != i} and [int(j) for j in order if j != i][:k]


@pytest.mark.parametrize("k", [1, 4, 200])
def test_neighbours_in_common(k):
    rng = np.random.default_rng(5)
    Y = rng.normal(size=(30, 2))
    other = np.column_stack([Y + 0.4 * rng.normal(size=(30, 2)), rng.normal(size=30)])
    most = min(k, 29)
    expected = [len({*nearest(Y, i, most)} & {*nearest(other, i, most)}) / most for i in range(30)]
    found = common_neighbours(Y, other, k)
    np.testing.assert_allclose(found, expected)
    if k == 4:
        assert 0 < found.mean() < 1
    np.testing.assert_array_equal(common_neighbours(Y, 3 * Y @ np.array([[0, 1], [-1, 0]]), k), np.ones(30))


def test_predictions_are_leave_one_out_within_and_by_training_rows_beyond():
    comparison = compared(PanelRecipe("lda"))
    ready = comparison.prepared
    Y = np.asarray(oracle.places(comparison.panel("lda").transformation, comparison.panel("lda").X), dtype=float)
    train, new = np.flatnonzero(ready.train), np.flatnonzero(ready.held_out)
    y, found = ready.dataset.y, predictions(comparison, "lda")
    for place, i in enumerate(train):
        assert found[i] == oracle.vote(Y[train], y[train], Y[i], 1, left_out=place)
    for i in new:
        assert found[i] == oracle.vote(Y[train], y[train], Y[i], 1)
    assert (found[~ready.train & ~ready.held_out] == NOBODY).all()
    table = confusion(comparison, "lda", found)
    assert table.sum() == len(new)
    for a in range(3):
        for b in range(3):
            rows = rows_of_cell(comparison, "lda", found, a, b)
            assert len(rows) == table[a, b]
            assert {*rows} == {i for i in new if y[i] == a and found[i] == b}
    assert table.trace() / table.sum() == oracle.held_out(Y[train], y[train], Y[new], y[new], 1) < 1


def test_an_embedding_is_asked_for_its_training_rows():
    comparison = compared(PanelRecipe("tsne"))
    found = predictions(comparison, "tsne")
    assert (found[comparison.prepared.held_out] == NOBODY).all()
    np.testing.assert_array_equal(asked_rows(comparison, found), np.flatnonzero(comparison.prepared.train))


def test_agreement_counts_rows_that_both_predict():
    predicted = {"a": np.array([0, 1, 1, NOBODY]), "b": np.array([0, 0, 1, 1]), "c": np.array([NOBODY] * 4)}
    found = agreement(predicted)
    assert found[0, 1] == found[1, 0] == pytest.approx(2 / 3)
    assert found[0, 0] == found[1, 1] == 1
    assert np.isnan(found[2]).all()
