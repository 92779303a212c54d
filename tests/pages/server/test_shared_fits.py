"""Tabs that show the same share what was fitted; nothing else is shared, and nothing stays behind."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from datasets.noise_lab import NoiseConfig
from pages.server.shared_fits import SharedFits
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of


@pytest.fixture
def fits():
    return SharedFits()


RECIPE = recipe_of(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 4}))


def test_a_second_tab_gets_what_the_first_one_has(fits):
    dataset = overlapping()
    first = fits.comparison(RECIPE, dataset, None)
    assert fits.comparison(RECIPE, dataset, None) is first
    other = recipe_of(*RECIPE.panels, PanelRecipe("lda"))
    second = fits.comparison(other, dataset, None)
    assert second.recipe == other
    assert [second.panels[0], second.panels[1]] == [first.panels[0], first.panels[1]]
    assert second.panels[0] is first.panels[0]
    assert second.prepared is first.prepared


@pytest.mark.parametrize(
    "recipe",
    [
        replace(RECIPE, noise=NoiseConfig(noise_columns=1)),
        replace(RECIPE, preparation=replace(RECIPE.preparation, random_state=5)),
        replace(RECIPE, n_components=3),
    ],
)
def test_other_rows_are_fitted_for_themselves(fits, recipe):
    dataset = overlapping()
    first = fits.comparison(RECIPE, dataset, None)
    second = fits.comparison(recipe, dataset, None)
    assert second.panels[0] is not first.panels[0]
    assert second.recipe == recipe


def test_a_table_of_ones_own_is_another_object_and_never_shared(fits):
    first = fits.comparison(RECIPE, overlapping(), None)
    assert fits.comparison(RECIPE, replace(overlapping()), None).panels[0] is not first.panels[0]


def test_a_tab_keeps_its_own_where_it_has_it(fits):
    dataset = overlapping()
    own = SharedFits().comparison(RECIPE, dataset, None)
    fits.comparison(RECIPE, dataset, None)
    assert fits.comparison(replace(RECIPE, pace="full_speed"), dataset, own).panels[0] is own.panels[0]


def test_a_failure_is_not_handed_on(fits):
    dataset = overlapping()
    first = SharedFits().comparison(RECIPE, dataset, None)
    failed = replace(first, panels=(replace(first.panels[0], problem="It failed."), first.panels[1]))
    shown = fits.comparison(replace(RECIPE, pace="full_speed"), dataset, failed)
    assert shown.panels[0].problem
    assert not fits.comparison(RECIPE, dataset, None).panels[0].problem


def test_nothing_is_kept_that_nobody_shows(fits):
    found = fits.comparison(RECIPE, overlapping(), None)
    assert fits.of_panel(found.panels[0], "number", lambda: 1) == 1
    assert len(fits._comparisons) == len(fits._found) == 1
    del found
    gc.collect()
    assert len(fits._comparisons) == len(fits._found) == 0


def test_what_is_said_of_a_panel_is_found_once_and_for_each_name(fits):
    panel, other = fits.comparison(RECIPE, overlapping(), None).panels
    assert fits.of_panel(panel, "a", lambda: 1) == 1
    assert fits.of_panel(panel, "a", lambda: 2) == 1
    assert fits.of_panel(panel, "b", lambda: 3) == 3
    assert fits.of_panel(other, "a", lambda: 4) == 4


def test_another_panel_in_the_place_of_one_that_is_gone_knows_nothing_of_it(fits):
    panel, other = fits.comparison(RECIPE, overlapping(), None).panels
    fits.of_panel(panel, "a", lambda: 1)
    fits._found[id(other)] = fits._found[id(panel)]  # as where the number is given again before it is forgotten
    assert fits.of_panel(other, "a", lambda: 2) == 2
