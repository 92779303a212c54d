"""What the tables of the R report have in common: its six data sets, each with its K, and ten splits of 90/10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from study.experiments.base.cell import ALL_FEATURES, Cell
from study.experiments.base.grid import one_method

HELD_OUT = 0.1
# name -> (data, K, parameters)
SETS: dict[str, tuple[str, int, dict[str, float]]] = {
    "balance": ("balance", 11, {}),
    "ionosphere": ("folder:ionosphere.csv", 2, {}),
    "iris": ("iris", 9, {}),
    "wine": ("wine", 1, {}),
    "n2d": ("n2d", 4, {"n_samples": 100}),
    "ring": ("ring", 2, {"n_samples": 200, "n_classes": 2}),
}


def all_features(
    name: str,
    method: str,
    *,
    dimensions: int = ALL_FEATURES,
    scale: str = "standardise",
    start: str = "",
    settings: Mapping[str, Any] | None = None,
    rules: tuple[str, ...] = (),
    parameters: Mapping[str, float] | None = None,
    places: bool = False,
) -> Cell:
    """A method on one of the six, in all dimensions unless others are given, with the K of the report."""
    data, k, own = SETS[name]
    recipe = one_method(
        data,
        method,
        HELD_OUT,
        scale=scale,
        start=start,
        settings=settings,
        parameters=own if parameters is None else parameters,
    )
    return Cell(recipe, dimensions, knn=k, rules=rules, places=places)
