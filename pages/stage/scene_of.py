"""scene_of: a comparison -> what the stage shows of it before anything trains."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset
from nca_core.methods import METHODS
from nca_core.objectives import OBJECTIVES
from pages.stage.scene import Panel, Scene, align_panels
from study.compare import Compared, Comparison
from study.twins import twins_of

_HOVER_CELLS = 4_000_000
_MOST_NAMED = 30  # features that the stage speaks of by their names


def scene_of(comparison: Comparison) -> Scene:
    """Points, labels, what a point says on hovering, and a panel for each of the comparison's."""
    ready = comparison.prepared
    dataset, raw = ready.dataset, ready.raw
    shown = raw.n_features if raw.X.size <= _HOVER_CELLS else min(8, raw.n_features)
    image_shape = raw.image_shape if shown == raw.n_features else None
    hover, hover_names = raw.X[:, :shown], raw.feature_names[:shown]
    if raw.target is not None and image_shape is None:
        hover, hover_names = np.column_stack([raw.target, hover]), ("its number", *hover_names)
    features = [dataset.X]
    panels = []
    twins = {key: comparison.panel(twin).recipe.shown_title for key, twin in twins_of(comparison).items()}
    for compared in comparison.panels:
        place = next((k for k, X in enumerate(features) if X is compared.X), len(features))
        if place == len(features) and not compared.problem and compared.embedding is None:
            features.append(compared.X)
        panels.append(_panel(compared, place, twins.get(compared.key, "")))
    return Scene(
        features=tuple(features),
        labels=dataset.y,
        class_names=dataset.class_names,
        hover=hover,
        hover_names=hover_names,
        row_numbers=raw.row_numbers,
        held_out=ready.held_out,
        panels=align_panels(features, tuple(panels), ready.train),
        n_components=comparison.recipe.n_components,
        image_shape=image_shape,
        note=_on_numbers(dataset),
        ordered=dataset.target is not None,
        feature_names=dataset.feature_names if dataset.n_features <= _MOST_NAMED else (),
    )


def _panel(compared: Compared, features: int, twin: str) -> Panel:
    recipe = compared.recipe
    same = f"the same as {twin} up to a rotation" if twin else ""
    notes = [_on_labels(recipe.labels), same, compared.note]
    return Panel(
        key=compared.key,
        title=recipe.shown_title,
        frame=None if compared.problem else _first(compared.transformation, compared.embedding),
        kind="matrix" if compared.embedding is None else "coordinates",
        features=0 if compared.problem or compared.embedding is not None else features,
        note=" ".join(f"{note[0].upper()}{note[1:].rstrip('.')}." for note in notes if note),
        live=compared.trains,
        labels=compared.y if recipe.labels == "shuffled" else None,
        objective=_climbed(compared),
        problem=compared.problem,
    )


def _climbed(compared: Compared) -> str:
    """Formula of the objective, its penalty included; empty for f alone, which f/n shows already."""
    if compared.config is None:
        return ""
    formula = compared.recipe.method.objective(compared.config)
    return "" if formula == OBJECTIVES["f"].formula else formula


def _first(*arrays: np.ndarray | None) -> np.ndarray | None:
    return next((array for array in arrays if array is not None), None)


def _on_labels(labels: str) -> str:
    return {"shuffled": "colours and shapes are the shuffled labels", "none": "sees no labels"}.get(labels, "")


def _on_numbers(dataset: Dataset) -> str:
    """What is done with a label of numbers; empty for classes."""
    if dataset.target is None:
        return ""
    trained = " and ".join(method.title for method in METHODS.values() if method.takes_numbers)
    return (
        f"The label holds numbers, and {trained} can train on these. Colours, accuracies and all other methods go by "
        f"the {dataset.n_classes} ranges in the legend."
    )
