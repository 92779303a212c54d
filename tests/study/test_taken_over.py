"""compare(..., before): what is the same is the same object, what differs is made anew; and the room for histories."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.noise_lab import NoiseConfig
from study import compare as compare_module
from study.compare import compare
from study.fields import FIELDS
from study.panel import PanelRecipe
from tests.study.some_data import compared, overlapping, recipe_of

BEFORE = recipe_of(PanelRecipe("pca"), PanelRecipe("lda", features="rbf"), PanelRecipe("nca"))
NOISY = replace(BEFORE, noise=NoiseConfig(noise_columns=1, rescaled_column=0, factor=2.0))  # so each field matters
OTHER_ROWS = {
    "noise.columns": 2,
    "noise.spread": 2.0,
    "noise.rescaled": 1,
    "noise.factor": 3.0,
    "noise.flipped": 0.2,
    "noise.seed": 5,
    "scale": "robust",
    "components": 4,
    "reduction": "random_projection",
    "held_out": 0.2,
    "rows": 60,
    "sampling": "random",
    "split.seed": 5,
}


@pytest.fixture(scope="module")
def before():
    return compare(BEFORE, overlapping())


@pytest.fixture(scope="module")
def noisy():
    return compare(NOISY, overlapping())


def test_every_field_is_varied_below():
    assert set(FIELDS) == {*OTHER_ROWS, "dimensions", "pace"}


@pytest.mark.parametrize("name", OTHER_ROWS)
def test_other_rows_are_prepared_and_fitted_anew(noisy, name):
    after = compare(FIELDS[name].put(NOISY, OTHER_ROWS[name]), overlapping(), noisy)
    assert after.prepared is not noisy.prepared
    for one, two in zip(noisy.panels, after.panels, strict=True):
        assert one is not two
        assert one.X is not two.X
    fresh = compare(after.recipe, overlapping())
    for one, two in zip(fresh.panels, after.panels, strict=True):
        np.testing.assert_array_equal(one.transformation, two.transformation)


def test_other_dimensions_are_fitted_anew_on_the_same_rows(before):
    after = compare(replace(BEFORE, n_components=3), overlapping(), before)
    assert after.prepared is before.prepared
    for one, two in zip(before.panels, after.panels, strict=True):
        assert two.transformation.shape[0] == 3
        assert two.X is one.X  # kernel features too


def test_another_pace_takes_everything_over(before):
    after = compare(replace(BEFORE, pace="calm"), overlapping(), before)
    assert after.prepared is before.prepared
    assert all(one is two for one, two in zip(before.panels, after.panels, strict=True))


def test_an_equal_data_set_that_is_another_object_is_not_the_same(before):
    copy = replace(overlapping(), X=overlapping().X.copy())
    after = compare(BEFORE, copy, before)
    assert after.prepared is not before.prepared
    assert after.dataset is copy


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("nca", {"settings": {"max_iter": 7}}),
        ("nca", {"start": "lda"}),
        ("nca", {"labels": "shuffled"}),
        ("nca", {"random_state": 3}),
        ("nca", {"features": "rbf"}),
        ("lda", {"features": "prepared"}),
        ("lda", {"labels": "shuffled"}),
        ("pca", {"labels": "none"}),
        ("pca", {"title": "mine"}),
    ],
)
def test_a_changed_panel_is_made_anew_and_the_others_are_taken_over(before, key, change):
    recipe = BEFORE.with_panel(replace(BEFORE.panel(key), **change))
    after = compare(recipe, overlapping(), before)
    for one, two in zip(before.panels, after.panels, strict=True):
        assert (one is two) == (one.key != key)
    fresh = compare(recipe, overlapping()).panel(key)
    changed = after.panel(key)
    assert changed.recipe == recipe.panel(key)
    np.testing.assert_array_equal(changed.X, fresh.X)
    np.testing.assert_array_equal(changed.y, fresh.y)
    np.testing.assert_array_equal(changed.transformation, fresh.transformation)
    assert changed.config == fresh.config


def test_panels_that_come_go_or_change_places_leave_the_others(before):
    panels = (PanelRecipe("nca"), PanelRecipe("whitening", features="rbf"), PanelRecipe("pca"))
    after = compare(replace(BEFORE, panels=panels), overlapping(), before)
    assert [panel.key for panel in after.panels] == ["nca", "whitening", "pca"]
    assert after.panel("nca") is before.panel("nca")
    assert after.panel("pca") is before.panel("pca")
    assert after.panel("whitening").X is before.panel("lda").X  # the same kernel features


def test_a_panel_that_starts_from_another_follows_it():
    recipe = recipe_of(PanelRecipe("nca"), PanelRecipe("nca-2", start="nca@0"))
    before = compare(recipe, overlapping())
    after = compare(recipe.with_panel(PanelRecipe("nca", start="lda")), overlapping(), before)
    np.testing.assert_array_equal(after.panel("nca-2").transformation, after.panel("nca").transformation)
    assert not np.array_equal(after.panel("nca-2").transformation, before.panel("nca-2").transformation)


def test_histories_have_a_limit_and_small_ones_go_on(monkeypatch):
    size = 2 * 6 * 8
    monkeypatch.setattr(compare_module, "MOST_HISTORY_BYTES", size * 160)
    small, huge = {"max_iter": 50}, {"max_iter": 2_000}
    panels = [
        PanelRecipe("nca", small),
        PanelRecipe("nca-2", huge),
        PanelRecipe("nca-3", small),
        PanelRecipe("nca-4", small),
    ]
    comparison = compared(*panels, PanelRecipe("nca-5", small), PanelRecipe("pca"))
    assert [panel.trains for panel in comparison.panels] == [True, False, True, True, False, False]
    assert "make room" in comparison.panel("nca-2").problem
    with pytest.raises(ValueError, match="nca-2 cannot train: The histories"):
        comparison.new_run("nca-2")
    fewer = compare(replace(comparison.recipe, panels=comparison.recipe.panels[3:]), overlapping(), comparison)
    assert [panel.trains for panel in fewer.panels] == [True, True, False]
    assert fewer.panel("nca-4") is comparison.panel("nca-4")
    assert fewer.panel("nca-5").problem == ""
    # 51 snapshots each, and 130 of the short runs that look for the start.
    searching = [PanelRecipe(f"nca-{k}", small, start="best_of_several") for k in (6, 7)]
    assert [panel.trains for panel in compared(searching[0], searching[1]).panels] == [False, False]
    monkeypatch.setattr(compare_module, "MOST_HISTORY_BYTES", size * 190)
    assert [panel.trains for panel in compared(searching[0], searching[1]).panels] == [True, False]
