"""A locked part of the sidebar in words."""

from __future__ import annotations

import pytest

from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from lessons.base.own import PARTS
from pages.views.parts_said import part_said
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe

RECIPE = Recipe(
    data=DataRecipe("wine"),
    noise=NoiseConfig(noise_columns=7),
    preparation=PreparationConfig(step="whitening", held_out_fraction=0.2),
    n_components=3,
    panels=(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 47}, start="lda", title="Mine", random_state=5)),
)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("data", ["Wine"]),
        ("noise", ["7 columns of noise"]),
        ("preparation", ["whitening", "20\N{NO-BREAK SPACE}%"]),
        ("panels", ["PCA", "Mine"]),
        ("training", ["3", "Mine from LDA", "47"]),
        ("advanced", ["several seeds"]),
    ],
)
def test_a_part_says_what_it_is_set_to(part, words):
    said = part_said(part, RECIPE, "Wine")
    assert all(word in said for word in words)
    assert said != part_said(part, Recipe(), "Rings")


def test_every_part_has_words():
    assert all(part_said(part, Recipe(), "Rings") for part in PARTS)
