"""Neighbours in common, confusion, agreement and equal projections, against loops on classes that overlap."""

import numpy as np
import pytest

from stage.scene import build_scene
from study.compare import compare
from study.differences import (
    NO_PREDICTION,
    agreement,
    cell_rows,
    common_neighbours,
    confusion,
    evaluated_rows,
    predictions,
    same_projections,
    same_up_to_a_rotation,
)
from study.panel import PanelRecipe
from study.recipe import Recipe
from tests.study import oracle
from tests.study.some_data import compared, overlapping


def nearest(Y, i, k):
    return {j for j in np.argsort(np.sum((Y - Y[i]) ** 2, axis=1))[: k + 1].tolist() if j != i}


@pytest.mark.parametrize("k", [1, 4, 200])
def test_neighbours_in_common(k):
    rng = np.random.default_rng(5)
    Y = rng.normal(size=(30, 2))
    other = np.column_stack([Y + 0.4 * rng.normal(size=(30, 2)), rng.normal(size=30)])
    most = min(k, 29)
    expected = [len(nearest(Y, i, most) & nearest(other, i, most)) / most for i in range(30)]
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
    assert (found[~ready.train & ~ready.held_out] == NO_PREDICTION).all()
    table = confusion(comparison, "lda", found)
    assert table.sum() == len(new)
    for a, b in np.ndindex(3, 3):
        rows = cell_rows(comparison, "lda", found, a, b)
        assert rows.tolist() == [i for i in new if y[i] == a and found[i] == b]
        assert len(rows) == table[a, b]
    assert table.trace() / table.sum() == oracle.held_out(Y[train], y[train], Y[new], y[new], 1) < 1


def test_an_embedding_is_asked_for_its_training_rows():
    comparison = compared(PanelRecipe("tsne"))
    found = predictions(comparison, "tsne")
    assert (found[comparison.prepared.held_out] == NO_PREDICTION).all()
    np.testing.assert_array_equal(evaluated_rows(comparison, found), np.flatnonzero(comparison.prepared.train))


def test_agreement_counts_rows_that_both_predict():
    predicted = [0, 1, 1, NO_PREDICTION], [0, 0, 1, 1], [NO_PREDICTION] * 4
    found = agreement(dict(zip("abc", map(np.array, predicted), strict=True)))
    assert found[0, 1] == found[1, 0] == pytest.approx(2 / 3)
    assert found[0, 0] == found[1, 1] == 1
    assert np.isnan(found[2]).all()


RNG = np.random.default_rng(4)
POINTS = RNG.normal(size=(30, 2))
POINTS -= POINTS.mean(axis=0)
TURN = np.array([[0.6, -0.8], [-0.8, -0.6]])  # with a reflection


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (POINTS, True),
        (POINTS @ TURN, True),
        (POINTS @ np.diag([1.0, 1.001]), False),
        (POINTS + 1e-4 * RNG.normal(size=POINTS.shape), False),
        (np.zeros_like(POINTS), False),
    ],
)
def test_rotations_and_reflections_only(other, same):
    assert same_up_to_a_rotation(POINTS, other) is same
    assert same_up_to_a_rotation(1e9 * POINTS, 1e9 * other) is same


def twins(*keys, **recipe):
    return compare(Recipe(panels=tuple(map(PanelRecipe, keys)), **recipe), overlapping())


def test_lda_rca_and_both_are_one_projection_in_as_many_dimensions_as_the_classes_span():
    comparison = twins("pca", "rca", "lda", "lda_rca", "ica", "whitening", "nca")
    assert same_projections(comparison) == {"lda": "rca", "lda_rca": "rca", "whitening": "ica"}
    notes = {panel.key: panel.note for panel in build_scene(comparison).panels}
    assert notes["lda"].startswith("The same as RCA up to a rotation.")
    assert notes["whitening"].startswith("The same as ICA up to a rotation.")
    assert "same as" not in notes["rca"] + notes["pca"] + notes["nca"]
    assert "lda" not in same_projections(twins("rca", "lda", "lda_rca", n_components=3))
