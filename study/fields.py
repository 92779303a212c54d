"""FIELDS: the settings of a recipe that belong to no data set and no panel, each with its name in links and files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from datasets.noise_lab import MOST_NOISE_COLUMNS, NoiseConfig
from datasets.preparation import PREPROCESSING, SAMPLING, PreparationConfig
from nca_core.methods.setting import Choice, Domain, Real, Whole
from study.panel import SEED
from study.recipe import PACES, Recipe

MOST_COMPONENTS = 1_000
LARGEST_SAMPLE = 1_000_000


@dataclass(frozen=True)
class Field:
    """A setting of a recipe.

    Attributes
    ----------
    name : str
        What it is called in links and files.
    domain : Domain
        The values that it may take.
    get : callable
        Recipe -> value.
    put : callable
        (Recipe, value) -> Recipe.
    """

    name: str
    domain: Domain
    get: Callable[[Recipe], Any]
    put: Callable[[Recipe, Any], Recipe]


def _of(part: str, attribute: str) -> tuple[Callable[[Recipe], Any], Callable[[Recipe, Any], Recipe]]:
    """Getter and setter of an attribute of one part of the recipe."""

    def get(recipe: Recipe) -> Any:
        return getattr(getattr(recipe, part), attribute)

    def put(recipe: Recipe, value: Any) -> Recipe:
        changed: NoiseConfig | PreparationConfig = replace(getattr(recipe, part), **{attribute: value})
        return replace(recipe, **{part: changed})  # type: ignore[arg-type]

    return get, put


_ALL = (
    Field("noise.columns", Whole(0, MOST_NOISE_COLUMNS), *_of("noise", "noise_columns")),
    Field("noise.spread", Real(0.1, 10.0), *_of("noise", "noise_scale")),
    Field("noise.rescaled", Whole(0, 1_000_000, optional=True), *_of("noise", "rescaled_column")),
    Field("noise.factor", Real(-1e6, 1e6), *_of("noise", "factor")),
    Field("noise.flipped", Real(0.0, 1.0), *_of("noise", "flipped_share")),
    Field("noise.seed", SEED, *_of("noise", "random_state")),
    Field("scale", Choice(tuple(PREPROCESSING)), *_of("preparation", "step")),
    Field("pca", Whole(1, MOST_COMPONENTS, optional=True), *_of("preparation", "components")),
    Field("held_out", Real(0.0, 0.9, 0.05), *_of("preparation", "held_out_fraction")),
    Field("rows", Whole(10, LARGEST_SAMPLE, optional=True), *_of("preparation", "max_rows")),
    Field("sampling", Choice(tuple(SAMPLING)), *_of("preparation", "sampling")),
    Field("split.seed", SEED, *_of("preparation", "random_state")),
    Field("dimensions", Whole(2, 3), lambda r: r.n_components, lambda r, value: replace(r, n_components=value)),
    Field("pace", Choice(tuple(PACES)), lambda r: r.pace, lambda r, value: replace(r, pace=value)),
)
FIELDS: dict[str, Field] = {field.name: field for field in _ALL}
