"""One seed for everything that a recipe draws at random."""

from __future__ import annotations

from dataclasses import replace

from datasets.catalogue import DATASETS
from study.recipe import Recipe

_OF_DATA = "random_state"  # the parameter of a generated set that seeds it


def seed_of(recipe: Recipe) -> int | None:
    """The seed of noise, split, sample, starts and generated points; None where they have different ones."""
    seed = recipe.preparation.random_state
    return seed if with_seed(recipe, seed) == recipe else None


def with_seed(recipe: Recipe, seed: int) -> Recipe:
    """The recipe with `seed` in every place; a generator that knows fewer seeds counts around."""
    data, entry = recipe.data, DATASETS.get(recipe.data.key)
    most = next((int(p.maximum) for p in (entry.parameters if entry else ()) if is_seed(p.name)), None)
    if most is not None:
        data = replace(data, parameters={**dict(data.parameters), _OF_DATA: seed % (most + 1)})
    return replace(
        recipe,
        data=data,
        noise=replace(recipe.noise, random_state=seed),
        preparation=replace(recipe.preparation, random_state=seed),
        panels=tuple(replace(panel, random_state=seed) for panel in recipe.panels),
    )


def is_seed(parameter: str) -> bool:
    """Whether the parameter of that name of a generated set is its seed."""
    return parameter == _OF_DATA
