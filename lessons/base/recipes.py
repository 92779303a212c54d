"""recipe_of: the recipes of lessons, in a line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe


def recipe_of(
    data: str,
    *panels: PanelRecipe,
    parameters: Mapping[str, float] | None = None,
    n_components: int = 2,
    held_out: float = 0.3,
    pace: str = "normal",
    noise: NoiseConfig | None = None,
    **preparation: Any,
) -> Recipe:
    """A recipe on a data set of the catalogue; `held_out` is the share that is tested on."""
    return Recipe(
        data=DataRecipe(data, parameters or {}),
        noise=noise or NoiseConfig(),
        preparation=PreparationConfig(held_out_fraction=held_out, **preparation),
        n_components=n_components,
        panels=panels,
        pace=pace,
    )
