"""Presets: each is a recipe that can be linked, on any rows, and asks for a comparison of at least two."""

from __future__ import annotations

import pytest

from nca_core.methods import METHODS
from study.link import from_link, to_link
from study.presets import PRESETS
from tests.study.some_data import recipe_of


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_keeps_the_rows_and_survives_a_link(key):
    recipe = recipe_of(*PRESETS["methods"].panels, n_components=3)
    made = PRESETS[key].on(recipe)
    assert 2 <= len(made.panels) <= 9
    assert (made.data, made.preparation, made.n_components) == (recipe.data, recipe.preparation, 3)
    assert from_link(to_link(made)).recipe == made
    assert len({panel.shown_title for panel in made.panels}) == len(made.panels)
    unnamed = {
        (panel.method_key, panel.settings, panel.start, panel.labels, panel.random_state) for panel in made.panels
    }
    assert len(unnamed) == len(made.panels)


def test_a_preset_of_a_method_that_is_not_there_is_not_offered():
    assert ("diagonal" in PRESETS) == ("nca_diagonal" in METHODS)
    assert ("neural" in PRESETS) == ("neural_nca" in METHODS)
