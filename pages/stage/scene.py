"""Scene: what the stage shows, apart from the run: points, labels and the still panels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from datasets.stratified import stratified_rows

MAX_POINTS = 100_000
MAX_BYTES = 64_000_000


@dataclass(frozen=True)
class Panel:
    """One projection on the stage.

    Attributes:
        key, title, note: name for the program, name for people, a remark below it.
        transformation: A, (n_components, n_features).
        live: the panel follows the run's snapshots; `transformation` is its start.
    """

    key: str
    title: str
    transformation: np.ndarray
    note: str = ""
    live: bool = False


@dataclass(frozen=True)
class Scene:
    """Points and panels.

    Attributes:
        X: features, (n_samples, n_features).
        labels: class codes, (n_samples,); −1 is unlabelled.
        hover: values to show for a point, (n_samples, n_values), named by `hover_names`.
        row_numbers: each point's row in its file, (n_samples,).
        held_out: bool (n_samples,), drawn hollow.
        image_shape: the hover values are a picture of this shape.
        note: a remark above the panels.
        ordered: the classes are ranges of a number, in order, so they are coloured by a scale.
    """

    X: np.ndarray
    labels: np.ndarray
    class_names: tuple[str, ...]
    hover: np.ndarray
    hover_names: tuple[str, ...]
    row_numbers: np.ndarray
    held_out: np.ndarray
    panels: tuple[Panel, ...]
    n_components: int
    image_shape: tuple[int, int] | None = None
    note: str = ""
    ordered: bool = False


def shown_rows(scene: Scene) -> np.ndarray:
    """Indices of the points that the browser gets: all, or a sample that takes the same share of each class."""
    n, width = len(scene.X), scene.X.shape[1] + scene.hover.shape[1]
    most = min(MAX_POINTS, max(1_000, MAX_BYTES // (4 * width)))
    if n <= most:
        return np.arange(n)
    return stratified_rows(scene.labels, most, np.random.default_rng(0))


def thinned(scene: Scene) -> tuple[Scene, np.ndarray]:
    """The scene with the rows of `shown_rows`, and those rows; its note says what is shown."""
    rows = shown_rows(scene)
    if len(rows) == len(scene.X):
        return scene, rows
    note = f"Showing {len(rows):,} of {len(scene.X):,} points, the same share of each class; all of them count."
    smaller = replace(
        scene,
        X=scene.X[rows],
        labels=scene.labels[rows],
        hover=scene.hover[rows],
        row_numbers=scene.row_numbers[rows],
        held_out=scene.held_out[rows],
        note=f"{scene.note} {note}".strip(),
    )
    return smaller, rows


def align_panels(X: np.ndarray, panels: tuple[Panel, ...]) -> tuple[Panel, ...]:
    """Still panels rotated and reflected onto the first one (orthogonal Procrustes), so that eyes can compare.

    Only rotations and reflections: distances within a panel, and so its neighbours, stay as they are.
    """
    if not panels:
        return panels
    centred = X - X.mean(axis=0)
    reference = centred @ panels[0].transformation.T  # (n_samples, n_components)
    aligned = [panels[0]]
    for panel in panels[1:]:
        if not panel.live:
            Y = centred @ panel.transformation.T
            u, _, vt = np.linalg.svd(reference.T @ Y)
            panel = replace(panel, transformation=u @ vt @ panel.transformation)
        aligned.append(panel)
    return tuple(aligned)
