"""Fewer features first: against scikit-learn and by hand; nothing is learned from held-out rows, and the way back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.preprocessing import StandardScaler

from datasets.base.errors import DataError
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig, prepare
from datasets.preparation_steps import REDUCTIONS
from tests.datasets.planned import made

HELD_OUT = PreparationConfig(held_out_fraction=0.3, components=4, reduction="feature_selection")


def test_the_selection_is_scikit_learns_and_names_stay():
    wine = load_dataset("wine")
    ready = prepare(wine, PreparationConfig(components=5, reduction="feature_selection"))
    theirs = SelectKBest(f_classif, k=5).fit(wine.X, wine.y)
    np.testing.assert_array_equal(ready.steps[-1].kept, np.flatnonzero(theirs.get_support()))
    assert ready.dataset.feature_names == tuple(np.array(wine.feature_names)[theirs.get_support()])
    np.testing.assert_allclose(ready.dataset.X, StandardScaler().fit_transform(theirs.transform(wine.X)), atol=1e-12)


def test_a_feature_that_tells_held_out_rows_alone_apart_is_not_chosen():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    data = made(rng.normal(size=(120, 40)), y)
    held_out = prepare(data, HELD_OUT).held_out
    X = np.array(data.X)
    X[:, 7] = np.where(held_out, 50.0 * y, rng.normal(size=120))  # over all rows by far the best
    assert int(np.nanargmax(f_classif(X, y)[0])) == 7
    ready = prepare(replace(data, X=X), HELD_OUT)
    np.testing.assert_array_equal(ready.held_out, held_out)
    assert 7 not in ready.steps[-1].kept


def test_a_random_projection_keeps_squared_distances_in_the_mean():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2, 400))
    data = made(np.vstack([X, rng.normal(size=(20, 400))]), np.arange(22) % 2)
    ratios = []
    for seed in range(200):
        config = PreparationConfig("none", components=10, reduction="random_projection", random_state=seed)
        Y = prepare(data, config).dataset.X
        ratios.append(np.sum((Y[0] - Y[1]) ** 2) / np.sum((X[0] - X[1]) ** 2))
    assert np.mean(ratios) == pytest.approx(1.0, abs=4 * np.sqrt(2 / 10 / 200))  # chi-squared with ten degrees
    assert np.std(ratios) == pytest.approx(np.sqrt(2 / 10), rel=0.25)


def test_the_seed_decides_what_is_drawn():
    wine = load_dataset("wine")
    config = PreparationConfig(components=3, reduction="random_projection")
    one, same, other = (prepare(wine, replace(config, random_state=seed)).dataset.X for seed in (4, 4, 5))
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 0.1


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("step", ["standardise", "whitening"])
def test_new_rows_go_the_same_way_and_back(reduction, step):
    wine = load_dataset("wine")
    ready = prepare(wine, PreparationConfig(step, components=4, reduction=reduction))
    np.testing.assert_allclose(ready.apply(wine.X), ready.dataset.X, atol=1e-9)
    A = np.random.default_rng(2).normal(size=(2, ready.dataset.n_features))
    by_raw = wine.X @ ready.back_to_features(A).T
    by_prepared = ready.dataset.X @ A.T
    np.testing.assert_allclose(by_raw - by_raw[0], by_prepared - by_prepared[0], atol=1e-8)


def test_of_a_label_of_numbers_those_that_follow_it_are_kept():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 20))
    target = 3.0 * X[:, 11] - X[:, 4] + 0.1 * rng.normal(size=90)
    y = np.digitize(X[:, 0], [-0.4, 0.4])  # ranges that follow another feature
    ready = prepare(made(X, y, target=target), PreparationConfig(components=2, reduction="feature_selection"))
    assert ready.dataset.feature_names == ("f4", "f11")


def test_constant_features_are_never_chosen_and_it_is_said():
    X = np.random.default_rng(4).normal(size=(20, 6))
    X[:, [0, 2, 5]] = 7.0
    ready = prepare(made(X, np.arange(20) % 2), PreparationConfig(components=5, reduction="feature_selection"))
    assert ready.dataset.feature_names == ("f1", "f3", "f4")
    assert "Only 3 features vary in the training rows." in ready.notes


def test_that_labels_were_used_is_said():
    wine = load_dataset("wine")
    said = {key: " ".join(prepare(wine, replace(HELD_OUT, reduction=key)).notes) for key in REDUCTIONS}
    assert "The 4 of 13 features that tell the training rows' labels apart best" in said["feature_selection"]
    assert "flatter" in said["feature_selection"]
    assert "flatter" not in said["pca"] + said["random_projection"]
    assert [key for key in REDUCTIONS if replace(HELD_OUT, reduction=key).sees_labels] == ["feature_selection"]


def test_where_no_class_has_two_training_rows_it_is_refused_in_a_sentence():
    X = np.random.default_rng(5).normal(size=(4, 6))
    data = made(X, [0, 0, 1, 2])
    config = PreparationConfig(held_out_fraction=0.25, components=2, reduction="feature_selection")
    ready_without = prepare(data, replace(config, reduction="pca"))
    assert len(np.unique(data.y[ready_without.train])) == 3
    with pytest.raises(DataError, match="No feature has an F-value"):
        prepare(data, config)


def test_an_unknown_way_names_those_there_are():
    with pytest.raises(DataError, match=r"no reduction 'magic'; there are: pca, random_projection, feature_selection"):
        prepare(load_dataset("wine"), PreparationConfig(components=2, reduction="magic"))
