"""one_method: the recipe of one method on one split, in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from datasets.preparation import PreparationConfig
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe


def one_method(
    data: str,
    method: str,
    held_out: float,
    *,
    scale: str = "standardise",
    settings: Mapping[str, Any] | None = None,
    start: str = "",
    max_rows: int | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Recipe:
    """The recipe of `method` on `data`, a share of whose rows is held out.

    Parameters
    ----------
    data : str
        Key of the catalogue, or "folder:" and the name of a file.
    method : str
        Key of METHODS.
    held_out : float
        Share of the rows, stratified by class.
    scale : str
        Key of PREPROCESSING.
    settings, start
        Of the method, where they are not its defaults.
    max_rows : int, optional
        Of more rows a stratified sample is taken.
    parameters : mapping, optional
        Of a generated set.
    """
    return Recipe(
        data=DataRecipe(data, parameters or {}),
        preparation=PreparationConfig(step=scale, held_out_fraction=held_out, max_rows=max_rows),
        panels=(PanelRecipe(method, settings or {}, start=start),),
    )
