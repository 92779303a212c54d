"""FIELDS: the settings of a recipe that belong to no data set and no panel, each with its name in links and files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from datasets.noise_lab import MOST_NOISE_COLUMNS
from datasets.preparation import PREPROCESSING, SAMPLING
from datasets.reduction import REDUCTIONS
from nca_core.methods.setting import Choice, Domain, Real, Whole
from study.panel import SEED

MOST_COMPONENTS = 1_000
LARGEST_SAMPLE = 1_000_000
PACES = {"calm": 0.8, "normal": 0.08, "full_speed": 0.0}  # least seconds between two iterations shown
_Whole = TypeVar("_Whole")


@dataclass(frozen=True)
class Field:
    """A setting of a recipe.

    Attributes
    ----------
    name : str
        What it is called in links and files.
    domain : Domain
        The values that it may take.
    path : tuple of str
        Where it stands in a recipe: ("noise", "factor") is ``recipe.noise.factor``.
    formerly : str
        What links and files called it before; "" where it never had another name.
    """

    name: str
    domain: Domain
    path: tuple[str, ...]
    formerly: str = ""

    def get(self, recipe: Any) -> Any:
        """Its value in `recipe`."""
        for attribute in self.path:
            recipe = getattr(recipe, attribute)
        return recipe

    def put(self, recipe: _Whole, value: Any) -> _Whole:
        """`recipe` with another value of it."""
        return _replaced(recipe, self.path, value)


def _replaced(whole: Any, path: tuple[str, ...], value: Any) -> Any:
    attribute, *rest = path
    return replace(whole, **{attribute: _replaced(getattr(whole, attribute), tuple(rest), value) if rest else value})


_ALL = (
    Field("noise.columns", Whole(0, MOST_NOISE_COLUMNS), ("noise", "noise_columns")),
    Field("noise.spread", Real(0.1, 10.0), ("noise", "noise_scale")),
    Field("noise.rescaled", Whole(0, 1_000_000, optional=True), ("noise", "rescaled_column")),
    Field("noise.factor", Real(-1e6, 1e6), ("noise", "factor")),
    Field("noise.flipped", Real(0.0, 1.0), ("noise", "flipped_share")),
    Field("noise.seed", SEED, ("noise", "random_state")),
    Field("scale", Choice(tuple(PREPROCESSING)), ("preparation", "step")),
    Field("reduction", Choice(tuple(REDUCTIONS)), ("preparation", "reduction")),
    Field("components", Whole(1, MOST_COMPONENTS, optional=True), ("preparation", "components"), formerly="pca"),
    Field("held_out", Real(0.0, 0.9, 0.05, optional=True), ("preparation", "held_out_fraction")),
    Field("rows", Whole(10, LARGEST_SAMPLE, optional=True), ("preparation", "max_rows")),
    Field("sampling", Choice(tuple(SAMPLING)), ("preparation", "sampling")),
    Field("split.seed", SEED, ("preparation", "random_state")),
    Field("dimensions", Whole(2, 3), ("n_components",)),
    Field("pace", Choice(tuple(PACES)), ("pace",)),
)
FIELDS: dict[str, Field] = {field.name: field for field in _ALL}
