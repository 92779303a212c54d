"""The model of one panel: preparation and projection as a scikit-learn pipeline, as JSON, and as numpy alone."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import fields
from typing import Any

import numpy as np

from export.entry import Export, File, Made, Wish, safe_name
from export.panel_features import PanelFeatures, panel_features
from export.pipeline import pipeline_of
from export.projection_script import projection_script
from export.subject import Subject
from nca_core.kernel_features import KERNELS
from nca_core.run import Slot
from study.link import to_link

FORMAT, VERSION = "nca-explorer-model", 1
_ENDINGS = {"skops": ".skops", "json": ".json", "py": ".py"}
_MIMES = {"skops": "application/octet-stream", "json": "application/json", "py": "text/x-python"}


def _problem(subject: Subject, wish: Wish) -> str:
    panel = next((panel for panel in subject.shown if panel.key == wish.panel), None)
    if panel is None:
        return "Choose a panel that shows something."
    title = panel.recipe.shown_title
    if panel.recipe.method.kind == "embedding":
        return f"{title} places the rows that it was given and has no model for others."
    if panel.trains and subject.at(panel.key) is None:
        return f"{title} has not been trained yet: press Train."
    if wish.form == "py" and not panel.recipe.method.linear:
        return f"{title} bends the projection, so no matrix tells it; take the pipeline or JSON."
    if wish.form == "py" and panel.recipe.features in KERNELS:
        return f"{title} is fed similarities to other rows; take the pipeline or JSON."
    return ""


def _make(subject: Subject, wish: Wish, slot: Slot) -> Generator[Made, None, None]:
    yield Made(0, 2)
    with slot():
        features = panel_features(subject.comparison, wish.panel)
    yield Made(1, 2)
    snapshot, A = subject.at(wish.panel), _matrix_of(subject, wish.panel)
    title = subject.titles[wish.panel]
    with slot():
        if wish.form == "skops":
            from skops.io import dumps  # half a second, which nobody waits for who exports no model

            filled = subject.source is not None and subject.source.gaps_filled
            data = dumps(pipeline_of(features, A, snapshot, fill_gaps=filled))
        elif wish.form == "json":
            data = json.dumps(_as_json(subject, wish.panel, features), indent=1, allow_nan=False).encode()
        else:
            assert A is not None
            data = projection_script(features.prepared, title, A, snapshot).encode()
    name = safe_name(f"{subject.comparison.dataset.name}-{title}", f"-model{_ENDINGS[wish.form]}")
    yield Made(2, 2, File(name, _MIMES[wish.form], data))


def _matrix_of(subject: Subject, key: str) -> np.ndarray | None:
    """A over the panel's features; None of a network."""
    panel, snapshot = subject.comparison.panel(key), subject.at(key)
    if not panel.recipe.method.linear:
        return None
    return panel.transformation if snapshot is None else snapshot.transformation


def _as_json(subject: Subject, key: str, features: PanelFeatures) -> dict[str, Any]:
    """y = A x, x the features after all steps, in their order; or the same through kernel or network."""
    panel, snapshot, A = subject.comparison.panel(key), subject.at(key), _matrix_of(subject, key)
    raw = features.prepared.raw
    found: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "data": raw.name,
        "panel": panel.recipe.shown_title,
        "method": panel.recipe.method_key,
        "formula": panel.recipe.method.formula,
        "features": list(raw.feature_names),
        "fill_gaps_with": features.medians.tolist(),
        "classes": list(raw.class_names),
        "steps": [{"kind": type(step).__name__, **_values(step)} for step in features.prepared.steps],
    }
    if features.kernel is not None:
        found["kernel"] = _values(features.kernel)
    if snapshot is not None:
        numbers = {"mean_p": snapshot.mean_p, "k_mean_entropy": snapshot.k_mean_entropy}
        found |= {"iteration": snapshot.iteration}
        found |= {name: value for name, value in numbers.items() if not np.isnan(value)}
    if A is not None:
        found["A"] = A.tolist()
    elif snapshot is not None and snapshot.network is not None:
        found["network"] = _values(snapshot.network)
    return {**found, "recipe": to_link(subject.comparison.recipe)}


def _values(part: Any) -> dict[str, Any]:
    """The fields of a dataclass, arrays as lists."""
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}


MODEL = Export(
    key="model",
    title="Model: to project new rows",
    description="Preparation and projection of one panel, for rows as they came. The pipeline is made of scikit-learn's"
    " classes alone and loads without running code: skops.io.load(file, trusted=[]), with trusted=['numpy.dtype'] "
    "where it fills gaps.",
    forms={"skops": "scikit-learn pipeline (skops)", "json": "JSON", "py": "Python, numpy alone"},
    make=_make,
    problem=_problem,
    of_panel=True,
)
