"""A of a training on changed data, against projections computed here from the data as they came."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.noise_lab import NoiseConfig
from nca_core.evaluator import Evaluator
from study.carry import carried_over
from study.compare import compare
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of

FEW = {"max_iter": 5}


def both(noise, *, before=None, step="standardise", panel=None, **preparation):
    """(the training's last snapshot, the comparison before, the one with `noise`)."""
    panel = panel or PanelRecipe("nca", FEW)
    recipe = recipe_of(panel)
    recipe = replace(
        recipe, noise=before or recipe.noise, preparation=replace(recipe.preparation, step=step, **preparation)
    )
    first = compare(recipe, overlapping())
    return first.trained(panel.key).snapshots[-1], first, compare(replace(recipe, noise=noise), overlapping())


def direct_f(Y, y):
    """f/n by its definition."""
    square = ((Y[:, None] - Y[None]) ** 2).sum(axis=2)
    np.fill_diagonal(square, np.inf)
    p = np.exp(-(square - square.min(axis=1, keepdims=True)))
    p /= p.sum(axis=1, keepdims=True)
    return float((p * (y[:, None] == y[None])).sum() / len(y))


@pytest.mark.parametrize("step", ["standardise", "none", "min-max", "robust", "whitening"])
def test_new_columns_begin_at_zero_and_leave_f_as_it_was(step):
    at, before, after = both(NoiseConfig(noise_columns=4), step=step)
    A = carried_over(at, "nca", before, after)
    if step != "whitening":  # which mixes the features
        np.testing.assert_allclose(A[:, :6], at.transformation, rtol=1e-12)
        assert not A[:, 6:].any()
    train = after.prepared.train
    np.testing.assert_array_equal(train, before.prepared.train)
    y = after.prepared.dataset.y[train]
    X, Z = before.prepared.dataset.X[train], after.prepared.dataset.X[train]
    f = direct_f(Z @ A.T, y)
    assert f == pytest.approx(direct_f(X @ at.transformation.T, y), rel=1e-9)
    assert f == pytest.approx(at.mean_p, rel=1e-9)
    assert Evaluator(Z, y).evaluate(A).p.mean() == pytest.approx(at.mean_p, rel=1e-9)


@pytest.mark.parametrize("step", ["standardise", "none"])
def test_a_rescaled_feature_keeps_its_weight_in_its_own_units(step):
    at, before, after = both(NoiseConfig(rescaled_column=4, factor=10.0), step=step)
    A = carried_over(at, "nca", before, after)
    raw, ready = overlapping().X, after.prepared
    stretched = raw * [1, 1, 1, 1, 10, 1]
    unit = raw[ready.train].std(axis=0) if step == "standardise" else np.ones(6)
    meant = stretched @ (at.transformation / unit).T
    found = ready.dataset.X @ A.T
    np.testing.assert_allclose(found - found.mean(axis=0), meant - meant.mean(axis=0), atol=1e-9)
    others = [0, 1, 2, 3, 5]
    np.testing.assert_allclose(A[:, others], at.transformation[:, others], rtol=1e-12)
    factor = 10.0 if step == "standardise" else 1.0  # standardised, the same stretching stands in A
    np.testing.assert_allclose(A[:, 4], factor * at.transformation[:, 4], rtol=1e-12)


def test_flipped_labels_leave_a_and_the_split_as_they_were():
    at, before, after = both(NoiseConfig(flipped_share=0.4))
    np.testing.assert_allclose(carried_over(at, "nca", before, after), at.transformation, rtol=1e-12)
    np.testing.assert_array_equal(after.prepared.held_out, before.prepared.held_out)
    assert (after.prepared.dataset.y != before.prepared.dataset.y).sum() == round(0.4 * 80)
    np.testing.assert_array_equal(after.prepared.as_given, before.prepared.dataset.y)


def test_columns_that_go_take_their_weights_along():
    at, before, after = both(NoiseConfig(noise_columns=1), before=NoiseConfig(noise_columns=3))
    assert at.transformation.shape == (2, 9)
    np.testing.assert_allclose(carried_over(at, "nca", before, after), at.transformation[:, :7], rtol=1e-9)


@pytest.mark.parametrize(("features", "columns"), [("raw", 9), ("clean", 6)])
def test_features_prepared_otherwise_are_carried_by_their_own_preparation(features, columns):
    panel = PanelRecipe("nca", FEW, features=features)
    at, before, after = both(NoiseConfig(noise_columns=3), panel=panel)
    A = carried_over(at, "nca", before, after)
    assert A.shape == (2, columns)
    np.testing.assert_allclose(A[:, :6], at.transformation, rtol=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {"panel": PanelRecipe("nca", FEW, features="rbf")},
        {"panel": PanelRecipe("neural_nca", {"max_iter": 2})},
        {"components": 3},
    ],
    ids=["kernel", "network", "principal components"],
)
def test_what_no_matrix_carries_begins_anew(options):
    at, before, after = both(NoiseConfig(noise_columns=4), **options)
    assert carried_over(at, before.panels[0].key, before, after) is None


def test_a_picture_that_would_be_a_little_another_one_is_not_carried():
    """Three principal components of a table of which one column is 1 % longer point a little elsewhere."""
    noise = NoiseConfig(rescaled_column=4, factor=1.01)
    at, before, after = both(noise, step="none", components=3)
    meant = before.prepared.dataset.X[before.prepared.train] @ at.transformation.T
    found = after.prepared.dataset.X[after.prepared.train] @ at.transformation.T
    assert np.abs(found - meant).max() < 0.1 * np.abs(meant).max()
    assert carried_over(at, "nca", before, after) is None
