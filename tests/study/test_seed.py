"""One seed for everything that is drawn at random."""

from __future__ import annotations

from dataclasses import replace

import pytest

from datasets.catalogue import load_dataset
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from study.compare import compare
from study.link import from_link, to_link
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.seed import seed_of, with_seed

PLAIN = Recipe()


def test_a_seed_goes_everywhere_and_through_a_link():
    recipe = with_seed(PLAIN, 7)
    assert dict(recipe.data.parameters) == {"random_state": 7}
    assert (recipe.noise.random_state, recipe.preparation.random_state) == (7, 7)
    assert {panel.random_state for panel in recipe.panels} == {7}
    assert seed_of(recipe) == 7
    assert from_link(to_link(recipe)).recipe == recipe
    assert with_seed(recipe, 0) == PLAIN


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAIN, noise=NoiseConfig(random_state=1)),
        replace(PLAIN, preparation=PreparationConfig(random_state=1)),
        replace(PLAIN, panels=(PanelRecipe("pca"), PanelRecipe("nca", random_state=1))),
        replace(PLAIN, data=DataRecipe("rings", {"random_state": 1})),
    ],
)
def test_seeds_that_differ_are_no_one_seed(other):
    assert seed_of(PLAIN) == 0
    assert seed_of(other) is None


def test_a_generator_that_knows_fewer_seeds_counts_around():
    recipe = with_seed(PLAIN, 1_001 + 5)
    assert dict(recipe.data.parameters) == {"random_state": 5}
    assert seed_of(recipe) == 1_006


def test_data_without_a_seed_have_none():
    recipe = with_seed(replace(PLAIN, data=DataRecipe("iris")), 4)
    assert recipe.data == DataRecipe("iris")
    assert seed_of(recipe) == 4


def test_another_seed_draws_other_rows_to_hold_out():
    iris = replace(PLAIN, data=DataRecipe("iris"))
    first, other = (compare(with_seed(iris, seed), load_dataset("iris")).prepared for seed in (0, 1))
    assert (first.held_out != other.held_out).any()
