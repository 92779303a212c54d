"""Panels that are fed the same rows prepared otherwise: the very rows, the very split, other features."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from study.compare import compare
from study.features import prepare_rows
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of, whole_training

NOISY = {"noise_columns": 4, "noise_scale": 2.0, "flipped_share": 0.2, "random_state": 5}


def of(features: str, method: str = "pca", **changes):
    """(comparison of the panel as prepared and with `features`, the latter)."""
    panels = PanelRecipe(method), PanelRecipe(f"{method}-2", features=features)
    recipe = recipe_of(*panels, **NOISY)
    recipe = replace(recipe, preparation=replace(recipe.preparation, max_rows=70, **changes))
    comparison = compare(recipe, overlapping())
    return comparison, comparison.panel(f"{method}-2")


def test_raw_features_are_those_of_the_rows_as_they_came():
    comparison, panel = of("raw")
    ready = comparison.prepared
    np.testing.assert_array_equal(panel.X, ready.raw.X)
    assert panel.X.shape == (70, 10)  # with the columns of noise
    assert not np.allclose(panel.X, ready.dataset.X)


def test_standardised_features_are_so_whatever_the_recipe_says():
    _, panel = of("standardised", step="min-max", components=3)
    reference = of("prepared", step="standardise")[0].prepared
    np.testing.assert_allclose(panel.X, reference.dataset.X)


@pytest.mark.parametrize("components", [None, 8])
def test_without_the_noise_columns_it_is_the_comparison_without_them(components):
    comparison, panel = of("clean", "nca", components=components)
    ready = comparison.prepared
    without = replace(comparison.recipe, noise=replace(comparison.recipe.noise, noise_columns=0))
    reference = compare(without, overlapping())
    both = reference.prepared, ready  # flipped labels stay flipped
    np.testing.assert_equal(*((each.raw.row_numbers, each.held_out, each.dataset.y) for each in both))
    np.testing.assert_allclose(panel.X, reference.panel("nca").X)
    assert panel.X.shape[1] == 6
    ends = whole_training(comparison, "nca-2").snapshots[-1], whole_training(reference, "nca").snapshots[-1]
    assert ends[0].held_out_1nn == ends[1].held_out_1nn
    assert ends[0].objective == pytest.approx(ends[1].objective)


def test_what_cannot_be_prepared_so_is_a_reason_on_its_panel_and_stays_one():
    given = overlapping()
    X = given.X.copy()
    X[:, 3] *= 1e120  # standardised it is a feature as any other
    huge = replace(given, X=X)
    recipe = recipe_of(PanelRecipe("pca"), PanelRecipe("pca-2", features="raw"), PanelRecipe("nca", features="raw"))
    before = None
    for panels in (recipe.panels[:2], recipe.panels):
        comparison = before = compare(replace(recipe, panels=panels), huge, before)
        assert comparison.panel("pca").transformation is not None
        for panel in comparison.panels[1:]:
            assert "is too large to compute with" in panel.problem


def test_those_who_prepare_the_same_data_alike_share_what_cannot_be_changed():
    data, config = overlapping(), PreparationConfig()
    one, two = (prepare_rows(data, NoiseConfig(), config) for _ in range(2))
    assert one is two
    for array in (one.dataset.X, one.train, one.held_out):
        assert not array.flags.writeable
    noisy = data, NoiseConfig(noise_columns=1), config
    other_split, copied = (data, NoiseConfig(), replace(config, random_state=1)), (replace(data), NoiseConfig(), config)
    others = [prepare_rows(*each) for each in (other_split, copied, noisy, noisy)]
    assert len({id(other) for other in (one, *others)}) == 5
    gone = weakref.ref(one)
    del one, two, others
    gc.collect()
    assert gone() is None  # nothing is kept that nobody has
