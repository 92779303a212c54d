"""Presets: each is a recipe that can be linked, on any rows, and asks for a comparison of at least two."""

from __future__ import annotations

import pytest

from study.compare import compare
from study.link import from_link, to_link
from study.presets import NOISE_COLUMNS, PRESETS
from tests.study.some_data import overlapping, recipe_of


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_keeps_the_rows_and_survives_a_link(key):
    recipe = recipe_of(*PRESETS["methods"].panels, n_components=3)
    made = PRESETS[key].on(recipe)
    assert 2 <= len(made.panels) <= 9
    assert (made.data, made.preparation, made.n_components) == (recipe.data, recipe.preparation, 3)
    assert from_link(to_link(made)).recipe == made
    assert len({panel.shown_title for panel in made.panels}) == len(made.panels)
    unnamed = {
        (panel.method_key, panel.settings, panel.start, panel.labels, panel.features, panel.random_state)
        for panel in made.panels
    }
    assert len(unnamed) == len(made.panels)


def test_columns_of_noise_are_added_where_there_are_none_and_stay_where_there_are():
    recipe, preset = recipe_of(*PRESETS["methods"].panels), PRESETS["noise"]
    assert preset.on(recipe).noise.noise_columns == NOISE_COLUMNS
    assert preset.on(recipe_of(*recipe.panels, noise_columns=3)).noise.noise_columns == 3
    assert PRESETS["scaling"].on(recipe).noise == recipe.noise
    assert PRESETS["scaling"].on(preset.on(recipe)).noise == recipe.noise  # what a preset has brought goes with it
    mine = recipe_of(*recipe.panels, noise_columns=NOISE_COLUMNS)
    assert PRESETS["scaling"].on(mine).noise == mine.noise
    comparison = compare(preset.on(recipe), overlapping())
    widths = {panel.recipe.title: panel.X.shape[1] for panel in comparison.panels}
    assert widths == {
        "PCA without noise": 6,
        "PCA with noise columns": 26,
        "NCA without noise": 6,
        "NCA with noise columns": 26,
    }
