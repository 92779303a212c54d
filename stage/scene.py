"""Scene: what the stage shows, apart from the runs: points, labels and the panels with their projections."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Literal

import numpy as np

from datasets.preparation import stratified_rows
from nca_core.methods import METHODS
from nca_core.objectives import OBJECTIVES
from study.compare import Comparison, FittedPanel

MAX_POINTS = 100_000
MAX_BYTES = 64_000_000
Kind = Literal["matrix", "coordinates"]
_MOST_NAMED = 30  # features that are named on the stage
_ON_LABELS = {"shuffled": "colours and shapes are the shuffled labels", "none": "sees no labels"}


@dataclass(frozen=True)
class Panel:
    """One projection on the stage."""

    key: str  # the panel's name in the program, of a-z, 0-9, "_" and "-"
    title: str  # name for people
    # for kind "matrix" A, (n_components, n_features of its feature set); for kind "coordinates" Y,
    # (n_samples, n_components), NaN where a point has no place; None where there is a `problem`
    frame: np.ndarray | None
    _: KW_ONLY
    kind: Kind = "matrix"  # "coordinates" for a method that yields no matrix
    features: int = 0  # which of Scene.features a matrix projects
    note: str = ""  # a remark below it
    live: bool = False  # it follows the snapshots of the run with its key; `frame` is its start
    labels: np.ndarray | None = None  # class codes, (n_samples,), where its method saw others than the scene's
    objective: str = ""  # formula of what a live panel climbs, where that is not f = Σ pᵢ alone
    problem: str = ""  # why there is nothing to draw, in a sentence


@dataclass(frozen=True)
class Scene:
    """Points and panels."""

    features: tuple[np.ndarray, ...]  # each (n_samples, its n_features); the first is the data as prepared
    labels: np.ndarray  # class codes, (n_samples,); −1 is unlabelled
    class_names: tuple[str, ...]
    hover: np.ndarray  # values to show for a point, (n_samples, n_values), named by `hover_names`
    hover_names: tuple[str, ...]
    row_numbers: np.ndarray  # each point's row in its file, (n_samples,)
    held_out: np.ndarray  # bool (n_samples,), drawn hollow
    panels: tuple[Panel, ...]
    n_components: int
    image_shape: tuple[int, int] | None = None  # the hover values are a picture of this shape
    note: str = ""  # a remark above the panels
    ordered: bool = False  # the classes are ranges of a number, in order, so they are coloured by a scale
    feature_names: tuple[str, ...] = ()  # of the first feature set; empty where they are not to be named
    row_word: str = "row"  # what row_numbers count
    row_names: np.ndarray | None = None  # each point's name on one line, str (n_samples,), "" without one

    @property
    def n_samples(self) -> int:
        return len(self.features[0])


def shown_rows(scene: Scene) -> np.ndarray:
    """Indices of the points that the browser gets: all, or a sample that takes the same share of each class."""
    coordinates = [panel for panel in scene.panels if panel.kind == "coordinates" and panel.frame is not None]
    width = sum(X.shape[1] for X in scene.features) + scene.hover.shape[1] + scene.n_components * len(coordinates)
    width += 0 if scene.row_names is None else scene.row_names.dtype.itemsize // 16  # a byte of UTF-8 for each letter
    most = min(MAX_POINTS, max(1_000, MAX_BYTES // (4 * width)))
    return sampled_rows(scene, most)


def sampled_rows(scene: Scene, most: int) -> np.ndarray:
    """Indices of at most so many points, a sample that takes the same share of each class."""
    if scene.n_samples <= most:
        return np.arange(scene.n_samples)
    return stratified_rows(scene.labels, most, np.random.default_rng(0))


def with_rows(scene: Scene, rows: np.ndarray) -> Scene:
    """The scene with these of its points, indices in rising order; its note says what is shown."""
    if len(rows) == scene.n_samples:
        return scene
    note = f"Showing {len(rows):,} of {scene.n_samples:,} points, the same share of each class; all of them count."
    return replace(
        scene,
        features=tuple(X[rows] for X in scene.features),
        labels=scene.labels[rows],
        hover=scene.hover[rows],
        row_numbers=scene.row_numbers[rows],
        row_names=None if scene.row_names is None else scene.row_names[rows],
        held_out=scene.held_out[rows],
        panels=tuple(
            replace(
                panel,
                frame=panel.frame if panel.frame is None or panel.kind == "matrix" else panel.frame[rows],
                labels=None if panel.labels is None else panel.labels[rows],
            )
            for panel in scene.panels
        ),
        note=f"{scene.note} {note}".strip(),
    )


def align_panels(
    features: Sequence[np.ndarray], panels: tuple[Panel, ...], rows: np.ndarray | None = None
) -> tuple[Panel, ...]:
    """Still panels rotated and reflected onto the first one (orthogonal Procrustes), so that eyes can compare.

    Only rotations and reflections: distances within a panel, and so its neighbours, stay as they are. Panels are
    compared by where they put the points, so their feature sets and kinds may differ. `rows` are the points that
    count, indices or bool (n_samples,); None is all.
    """
    reference: np.ndarray | None = None
    aligned = []
    for panel in panels:
        if panel.frame is not None and reference is None:
            reference = _places(features, panel, rows)  # (n_rows, n_components)
        elif panel.frame is not None and not panel.live:
            assert reference is not None
            places = _places(features, panel, rows)
            # The orthogonal R that minimises ‖reference − places Rᵀ‖ over the points that have a place in both.
            both = np.isfinite(reference).all(axis=1) & np.isfinite(places).all(axis=1)
            u, _, vt = np.linalg.svd(reference[both].T @ places[both])
            rotation = u @ vt
            turned = rotation @ panel.frame if panel.kind == "matrix" else panel.frame @ rotation.T
            panel = replace(panel, frame=turned)
        aligned.append(panel)
    return tuple(aligned)


def _places(features: Sequence[np.ndarray], panel: Panel, rows: np.ndarray | None) -> np.ndarray:
    """Where the panel puts the points, (n_rows, n_components)."""
    assert panel.frame is not None
    points = panel.frame if panel.kind == "coordinates" else features[panel.features]
    points = centred(points if rows is None else points[rows])
    return points if panel.kind == "coordinates" else points @ panel.frame.T


def centred(points: np.ndarray) -> np.ndarray:
    """The points about the mean of those that have a place."""
    placed = points[np.isfinite(points).all(axis=1)]
    return points - placed.mean(axis=0) if len(placed) else points


def build_scene(comparison: Comparison) -> Scene:
    """Build the scene of a comparison before anything trains: points, labels, hover values and a panel each."""
    ready = comparison.prepared
    dataset, raw = ready.dataset, ready.raw
    shown = raw.n_features if raw.X.size <= 4_000_000 else min(8, raw.n_features)
    image_shape = raw.image_shape if shown == raw.n_features else None
    hover, hover_names = raw.X[:, :shown], raw.feature_names[:shown]
    if raw.target is not None and image_shape is None:
        hover, hover_names = np.column_stack([raw.target, hover]), ("its number", *hover_names)
    features = [dataset.X]
    panels = []
    from study.differences import same_projections  # loads scikit-learn, for which the server does not wait

    note = ""
    if dataset.target is not None:
        trained = " and ".join(method.title for method in METHODS.values() if method.takes_numbers)
        note = (
            f"The label holds numbers, and {trained} can train on these. Colours, accuracies and all other methods go "
            f"by the {dataset.n_classes} ranges in the legend."
        )
    twins = {key: comparison.panel(twin).recipe.shown_title for key, twin in same_projections(comparison).items()}
    for compared in comparison.panels:
        place = next((k for k, X in enumerate(features) if X is compared.X), len(features))
        if place == len(features) and not compared.problem and compared.embedding is None:
            features.append(compared.X)
        panels.append(_panel_of(compared, place, twins.get(compared.key, "")))
    return Scene(
        features=tuple(features),
        labels=dataset.y,
        class_names=dataset.class_names,
        hover=hover,
        hover_names=hover_names,
        row_numbers=raw.row_numbers,
        row_word=raw.row_word,
        row_names=raw.row_names,
        held_out=ready.held_out,
        panels=align_panels(features, tuple(panels), ready.train),
        n_components=comparison.recipe.n_components,
        image_shape=image_shape,
        note=note,
        ordered=dataset.target is not None,
        feature_names=dataset.feature_names if dataset.n_features <= _MOST_NAMED else (),
    )


def _panel_of(compared: FittedPanel, features: int, twin: str) -> Panel:
    recipe, frame = compared.recipe, None
    if not compared.problem:
        frame = compared.transformation if compared.embedding is None else compared.embedding
    same = f"the same as {twin} up to a rotation" if twin else ""
    formula = "" if compared.config is None else recipe.method.objective(compared.config)
    notes = [_ON_LABELS.get(recipe.labels, ""), same, compared.note]
    return Panel(
        key=compared.key,
        title=recipe.shown_title,
        frame=frame,
        kind="matrix" if compared.embedding is None else "coordinates",
        features=0 if compared.problem or compared.embedding is not None else features,
        note=" ".join(f"{note[0].upper()}{note[1:].rstrip('.')}." for note in notes if note),
        live=compared.trains,
        labels=compared.y if recipe.labels == "shuffled" else None,
        objective="" if formula == OBJECTIVES["f"].formula else formula,  # f/n shows that already
        problem=compared.problem,
    )
