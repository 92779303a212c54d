"""PCA, LDA and NCA on one prepared data set: the scene of the stage, a new run, and the table below."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from datasets.dataset import Dataset
from datasets.preparation import Prepared
from nca_core.evaluation import held_out_accuracy, leave_one_out_accuracy
from nca_core.initialisation import TRAINED_INITIALISATIONS, start_transformation
from nca_core.projections import PROJECTIONS
from nca_core.run import TrainingRun
from nca_core.snapshot import Snapshot
from nca_core.supervision import slices_of
from nca_core.training import TrainingConfig
from pages.controls.training import TrainingChoice
from pages.server.workspace import Workspace
from pages.shared import wording
from pages.shared.session import StartedRun, remembered, set_started_run, started_run
from pages.stage.scene import Panel, Scene, align_panels

STILL = ("pca", "lda")
_QUERIES = 5_000
CURVE_QUERIES = 2_000  # rows asked for the accuracies of a snapshot
_HOVER_CELLS = 4_000_000


@dataclass(frozen=True)
class Accuracies:
    """A line of the table: leave-one-out and held-out accuracy with one and with K neighbours."""

    projection: str
    k: int
    one: float
    several: float
    held_out_one: float
    held_out_several: float


def _scene_key(ready: Prepared, config: TrainingConfig) -> tuple[object, ...]:
    return (id(ready), config.n_components)


def show_on_stage(space: Workspace, ready: Prepared, config: TrainingConfig) -> None:
    """Put the panels on the stage; a run on other data or dimensions ends."""
    key = _scene_key(ready, config)
    started = started_run(space)
    if started is not None and started.scene_key != key:
        set_started_run(space, None)
        started = None
    start_of = started.config if started is not None else config
    start = (start_of.initialisation, start_of.random_state, start_of.matches)
    remembered(space, "scene", (*key, *start), lambda: space.set_scene(_scene(space, ready, start_of)))


def _fitted(space: Workspace, ready: Prepared, n_components: int):
    X, y = ready.dataset.X[ready.train], ready.dataset.y[ready.train]
    return remembered(
        space,
        "still",
        (id(ready), n_components),
        lambda: {name: PROJECTIONS[name](n_components).fit(X, y) for name in STILL},
    )


def _scene(space: Workspace, ready: Prepared, config: TrainingConfig) -> Scene:
    dataset, raw = ready.dataset, ready.raw
    X, y = dataset.X[ready.train], dataset.y[ready.train]
    # A start that has to be trained for is found in the run's own thread; until then PCA stands there.
    later = config.initialisation in TRAINED_INITIALISATIONS
    initialisation = "pca" if later else config.initialisation
    codes = y if config.matches is None else slices_of(dataset.target[ready.train])  # what the training starts from
    start = start_transformation(X, codes, config.n_components, initialisation, config.random_state)
    still = _fitted(space, ready, config.n_components)
    panels = tuple(Panel(name, name.upper(), still[name].transformation, note=still[name].note) for name in STILL)
    note = "The start is looked for when the training begins; this is PCA's." if later else ""
    panels += (Panel("nca", "NCA", start, note=note, live=True),)
    shown = raw.n_features if raw.X.size <= _HOVER_CELLS else min(8, raw.n_features)
    image_shape = raw.image_shape if shown == raw.n_features else None
    hover, hover_names = raw.X[:, :shown], raw.feature_names[:shown]
    if raw.target is not None and image_shape is None:
        hover, hover_names = np.column_stack([raw.target, hover]), ("its number", *hover_names)
    return Scene(
        features=(dataset.X,),
        labels=dataset.y,
        class_names=dataset.class_names,
        hover=hover,
        hover_names=hover_names,
        row_numbers=raw.row_numbers,
        held_out=ready.held_out,
        panels=align_panels((X,), panels),
        n_components=config.n_components,
        image_shape=image_shape,
        note=_on_numbers(dataset),
        ordered=dataset.target is not None,
    )


def _on_numbers(dataset: Dataset) -> str:
    """What is done with a label of numbers; empty for classes."""
    if dataset.target is None:
        return ""
    return (
        "The label holds numbers, and NCA trains on these. Colours, LDA and accuracies go by the "
        f"{dataset.n_classes} ranges in the legend."
    )


def new_run(ready: Prepared, choice: TrainingChoice) -> StartedRun:
    """A run on the training rows, with the held-out rows measured along."""
    X, y, target = ready.dataset.X, ready.dataset.y, ready.dataset.target
    run = TrainingRun(
        X[ready.train],
        y[ready.train],
        choice.config,
        held_out=(X[ready.held_out], y[ready.held_out]) if ready.held_out.any() else None,
        targets=None if choice.config.matches is None else target[ready.train],
        pace=choice.pace,
    )
    return StartedRun(run, choice.config, _scene_key(ready, choice.config))


def latest(space: Workspace) -> Snapshot | None:
    started = started_run(space)
    return started.run.latest() if started is not None else None


def too_narrow(ready: Prepared, config: TrainingConfig) -> str:
    """Why these data cannot be projected to that many dimensions; empty where they can."""
    have, want = ready.dataset.n_features, config.n_components
    if have >= want:
        return ""
    way_out = "Choose 2-D." if have == 2 else "Bring along a table with more columns of numbers."
    return f"{ready.dataset.name} has {have} feature(s), too few for a {want}-D projection. {way_out}"


def differs(space: Workspace, config: TrainingConfig) -> bool:
    """The widgets say something else than what the run on the stage was started with."""
    started = started_run(space)
    return started is not None and started.config != config


def accuracies(space: Workspace, ready: Prepared, config: TrainingConfig) -> list[Accuracies]:
    """PCA and LDA with K = 1; once a training has begun also NCA, at its latest iteration, and K = round(K̂)."""
    snapshot = latest(space)
    still = _fitted(space, ready, config.n_components)
    transformations = {name.upper(): still[name].transformation for name in STILL}
    k = 0
    if snapshot is not None:
        transformations["NCA"] = snapshot.transformation
        k = max(1, round(snapshot.k_mean_entropy))
    key = (id(ready), config.n_components, k, id(snapshot))
    return remembered(
        space,
        "accuracies",
        key,
        lambda: [_accuracy(name, ready, A, k) for name, A in transformations.items()],
    )


def _accuracy(name: str, ready: Prepared, transformation: np.ndarray, k: int) -> Accuracies:
    Y, y = ready.dataset.X @ transformation.T, ready.dataset.y
    train, test = ready.train, ready.held_out
    ks = (1, max(k, 1))
    one, several = leave_one_out_accuracy(Y[train], y[train], ks, max_queries=_QUERIES)
    nothing = float("nan")
    held = held_out_accuracy(Y[train], y[train], Y[test], y[test], ks) if test.any() else (nothing, nothing)
    line = Accuracies(name, k, one, several, *held)
    return line if k else replace(line, several=nothing, held_out_several=nothing)


def how_it_was_summed(space: Workspace) -> str:
    """The way of summing over neighbours at the latest iteration, in one line; empty before the first."""
    snapshot = latest(space)
    if snapshot is None:
        return ""
    return f"Sums over neighbours at iteration {snapshot.iteration}: {wording.SUMS[snapshot.sums]}."


def how_accuracies_were_asked(ready: Prepared) -> str:
    """Why curves and table differ a little where rows are many; empty where both ask all rows."""
    n = int(ready.train.sum())
    if n <= CURVE_QUERIES:
        return ""
    return (
        f"Of the {n:,} training rows, {CURVE_QUERIES:,} drawn at random are asked for the accuracies of the curves and "
        f"{min(n, _QUERIES):,} for those of the table, so they differ a little."
    )


def about(dataset: Dataset) -> str:
    """Where the data came from, in one line."""
    source = dataset.source
    parts = [
        f"{dataset.name}: {dataset.n_samples:,} rows, {dataset.n_features} features, {dataset.n_classes} classes",
        source.licence,
        f"Used in {source.paper}" if source.paper else "",
        source.url,
    ]
    return ". ".join(part for part in parts if part)
