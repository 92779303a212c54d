"""The workspace's comparison on the stage, and its trainings: shown, started, held, stepped and taken back together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from datasets.base.dataset import Dataset
from datasets.noise_lab import NoiseConfig
from nca_core.gate import GATE
from nca_core.priority import give_way
from nca_core.run import TrainingRun
from nca_core.snapshot import Snapshot, Trajectory
from pages.server.embeddings import settle
from pages.server.shared_fits import FITS
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from pages.stage.scene import Scene
from pages.stage.scene_of import scene_of
from pages.text.plain_text import visible
from study.carry import carried_over
from study.compare import Comparison, Frames
from study.features import carried_out
from study.fields import PACES
from study.measure import Measurement, RulesOf, measure, measure_rules, points_that_are_asked, shared_k
from study.panel import PanelRecipe
from study.panel_changes import unnamed_panel
from study.recipe import Recipe

_MOVING = 2  # iterations after which nobody waits for the first of them
Starts = Mapping[str, np.ndarray | None]


def show(space: Workspace, dataset: Dataset) -> Comparison:
    """Put the workspace's recipe on the stage.

    A panel that trains, or has trained, shows the settings it was started with until it is trained again; a run on
    other rows or dimensions ends.

    Raises
    ------
    DataError
        Where the data cannot be prepared as the recipe says.
    """
    own = space.belongings
    before = own.comparison
    recipe = own.recipe
    if before is not None and (before.dataset is not dataset or _rows_of(before.recipe) != _rows_of(recipe)):
        reset(space)
    shown = _as_started(space, recipe)
    if before is not None and before.dataset is dataset and before.recipe == replace(shown, pace=before.recipe.pace):
        comparison = settle(space, before)
        if comparison is before:
            return before
    else:
        comparison = settle(space, FITS.comparison(shown, dataset, before))
    space.keep_runs([panel.key for panel in comparison.panels if panel.trains])
    own.comparison = comparison
    space.set_scene(_as_read(scene_of(comparison)))
    return comparison


def _as_read(scene: Scene) -> Scene:
    """The scene with names in which nothing is hidden, or turns round what stands beside it."""
    return replace(
        scene,
        class_names=tuple(map(visible, scene.class_names)),
        feature_names=tuple(map(visible, scene.feature_names)),
        hover_names=tuple(map(visible, scene.hover_names)),
    )


def _rows_of(recipe: Recipe) -> tuple[object, ...]:
    return recipe.noise, recipe.preparation, recipe.n_components


def _as_started(space: Workspace, recipe: Recipe) -> Recipe:
    """`recipe` with the panels that have a run as they were when it was started, by the names that they have now."""
    if not space.runs:
        return recipe
    then = space.belongings.started
    panels = tuple(
        replace(then.get(panel.key, panel), title=panel.title) if panel.key in space.runs else panel
        for panel in recipe.panels
    )
    try:
        return replace(recipe, panels=panels)
    except ValueError:  # a panel that one of them starts from is gone: then only another training makes sense
        return recipe


def train(space: Workspace, dataset: Dataset, key: str | None = None) -> None:
    """Begin a training in every panel that trains, or in one of them alone, with the settings of the widgets."""
    for run in _new_runs(space, dataset, None if key is None else {key: None}):
        run.start()


def train_from(space: Workspace, dataset: Dataset, key: str, initial: np.ndarray) -> None:
    """Train one panel with its settings, but from the A that is given, (n_components, n_panel_features)."""
    for run in _new_runs(space, dataset, {key: initial}):
        run.start()


def go_on_with(space: Workspace, dataset: Dataset, noise: NoiseConfig, starts: Starts | None = None) -> Starts:
    """Put other noise under the trainings, and let them go on from the A that they have.

    Parameters
    ----------
    space, dataset
        As for `show`.
    noise : NoiseConfig
        What is done to the data from now on; the recipe says so, too.
    starts : mapping of str to (ndarray or None), optional
        Where the trainings go on from instead, by panel, (n_components, n_panel_features).

    Returns
    -------
    mapping of str to (ndarray or None)
        Where each went on from; None for one whose A cannot be carried over and that began anew.

    Raises
    ------
    DataError
        Where this cannot be done to the data; then nothing has changed.
    """
    own = space.belongings
    before = own.comparison
    trained = {key: at for key in space.runs if (at := latest(space, key)) is not None}
    carried_out(dataset, noise, own.recipe.preparation)
    own.change(replace(own.recipe, noise=noise))
    after = show(space, dataset)
    if starts is None:
        starts = {} if before is None else {k: carried_over(at, k, before, after) for k, at in trained.items()}
    for run in _new_runs(space, dataset, starts):
        run.start()
    return starts


def step(space: Workspace, dataset: Dataset) -> None:
    """One iteration of every training; the trainings begin where there is none, or none that goes on."""
    runs = [held.run for held in space.runs.values()]
    if all(run.state == "ended" for run in runs):
        runs = _new_runs(space, dataset)
    for run in runs:
        run.step()


def _new_runs(space: Workspace, dataset: Dataset, starts: Starts | None = None) -> list[TrainingRun]:
    """Of every panel that trains, or only of these, each from the A that is given or else from its own start."""
    own = space.belongings
    frames = _frames_of(space)
    comparison = show_as_the_widgets_say(space, dataset, None if starts is None else list(starts))
    runs = []
    for panel in comparison.panels:
        if panel.trains and (starts is None or panel.key in starts):
            run = comparison.new_run(
                panel.key,
                frames=frames,
                initial=None if starts is None else starts[panel.key],
                min_interval=PACES[own.recipe.pace],
                place=space.place,
                begin=give_way,
                where=WORKERS.where,
            )
            space.set_run(panel.key, run)
            _measure_ahead(space, run)
            own.started[panel.key] = own.recipe.panel(panel.key)
            runs.append(run)
    return runs


def _measure_ahead(space: Workspace, run: TrainingRun) -> None:
    """Look for the neighbours that a press of Pause asks for in its thread, which takes longer than the page itself."""

    def look() -> None:
        at, comparison = run.latest(), space.belongings.comparison
        if at is not None and at.iteration >= _MOVING:
            leave()
            if comparison is not None and not run.stopped:
                with GATE.step():
                    measurements(space, comparison)

    leave = run.subscribe(look)


def show_as_the_widgets_say(space: Workspace, dataset: Dataset, keys: Iterable[str] | None = None) -> Comparison:
    """`show`, with the present settings in the panels that have a run too, or in some of them."""
    own = space.belongings
    for key in list(own.started) if keys is None else keys:
        own.started.pop(key, None)
    return show(space, dataset)


def _frames_of(space: Workspace) -> Frames:
    """Where frames of trained panels are found; those of the runs as they are now, which may be replaced next."""
    runs = {key: held.run for key, held in space.runs.items()}
    started = dict(space.belongings.started)

    def frame(key: str, iteration: int) -> np.ndarray | None:
        own = space.belongings
        if key not in runs or key not in started or own.comparison is None:
            return None
        if unnamed_panel(started[key]) != unnamed_panel(own.recipe.panel(key)):
            return None  # trained with other settings than the recipe names
        snapshots = runs[key].trajectory.snapshots
        return snapshots[iteration].transformation if iteration < len(snapshots) else None

    return frame


def hold(space: Workspace) -> None:
    """Hold all trainings that run."""
    for held in space.runs.values():
        if held.run.state in ("running", "waiting"):
            held.run.pause()


def go_on(space: Workspace) -> None:
    """Go on with all trainings that are held."""
    for held in space.runs.values():
        if held.run.state == "paused":
            held.run.resume()


def reset(space: Workspace, key: str | None = None) -> None:
    """End every training, or that of one panel, and show the starts of the present settings."""
    space.keep_runs(() if key is None else space.runs.keys() - {key})
    own = space.belongings
    own.started = {} if key is None else {other: panel for other, panel in own.started.items() if other != key}
    own.saved_runs = {} if key is None else {other: run for other, run in own.saved_runs.items() if other != key}


def pace(space: Workspace) -> None:
    """Let trainings that go on follow the pace of the widgets."""
    for held in space.runs.values():
        held.run.min_interval = PACES[space.belongings.recipe.pace]


def differs(space: Workspace) -> bool:
    """Whether the widgets say something else than what a training on the stage was started with."""
    own = space.belongings
    trained = [panel for panel in own.recipe.panels if panel.method.kind == "trained"]
    return bool(own.started) and any(changed(space, panel) or panel.key not in space.runs for panel in trained)


def changed(space: Workspace, panel: PanelRecipe) -> bool:
    """Whether a panel of the recipe has a training that was started otherwise; its name does not count."""
    then = space.belongings.started.get(panel.key)
    return panel.key in space.runs and then is not None and unnamed_panel(then) != unnamed_panel(panel)


def begin_anew(space: Workspace) -> None:
    """Take the trainings of panels away that are others now than they were started as."""
    for panel in space.belongings.recipe.panels:
        if changed(space, panel):
            reset(space, panel.key)


def latest(space: Workspace, key: str) -> Snapshot | None:
    """The newest iteration of a panel's training; None before the first."""
    held = space.runs.get(key)
    return None if held is None else held.run.latest()


def newest(space: Workspace) -> tuple[str | None, Snapshot | None]:
    """Key and newest iteration of the first panel that has one; (None, None) before the first."""
    panels = space.belongings.comparison.panels if space.belongings.comparison is not None else ()
    found = ((panel.key, latest(space, panel.key)) for panel in panels)
    return next(((key, at) for key, at in found if at is not None), (None, None))


def trajectories(space: Workspace) -> list[Trajectory]:
    """What the trainings have made so far, in the order of the panels."""
    comparison = space.belongings.comparison
    keys = [panel.key for panel in comparison.panels] if comparison is not None else []
    return [space.runs[key].run.trajectory for key in keys if key in space.runs]


def measurements(space: Workspace, comparison: Comparison) -> list[Measurement]:
    """The numbers of every panel that shows something; trainings at their newest iteration, once they have one.

    Panels that were solved in one go are asked with the K of the first training, so that all vote with as many
    neighbours; before any training, with one neighbour only.
    """
    snapshots = {panel.key: latest(space, panel.key) for panel in comparison.panels}
    trained = [measure(comparison, key, at) for key, at in snapshots.items() if at is not None]
    k = shared_k(comparison, snapshots)
    found = {one.key: one for one in trained}
    for panel in comparison.panels:
        if panel.problem or panel.trains:
            continue
        _, found[panel.key] = space.belongings.remembered(
            f"measured {panel.key}", (id(comparison), k), partial(_kept, comparison, panel.key, k)
        )
    return [found[panel.key] for panel in comparison.panels if panel.key in found]


def _kept(comparison: Comparison, key: str, k: int) -> tuple[Comparison, Measurement]:
    """The comparison is kept beside what was measured, so that its id cannot be given to another one meanwhile."""
    panel = comparison.panel(key)
    if k < 2:
        return comparison, FITS.of_panel(panel, f"measured {k}", lambda: measure(comparison, key, k=k))
    # K̂ is another one at each press while something trains, and to look for 100 neighbours takes as long as the page.
    points = FITS.of_panel(panel, "asked", lambda: points_that_are_asked(comparison, key))
    return comparison, measure(comparison, key, k=k, points=points)


def rules(space: Workspace, comparison: Comparison) -> list[RulesOf]:
    """Every classifier on all features, and in each panel that has places for held-out rows."""
    found = []
    for key in (None, *(panel.key for panel in comparison.panels)):
        panel = None if key is None else comparison.panel(key)
        at = None if key is None else latest(space, key)
        if panel is not None and (panel.problem or panel.recipe.method.kind == "embedding"):
            continue
        if panel is not None and panel.trains and at is None:
            continue
        iteration = (id(comparison), None if at is None else (space.runs[str(key)].number, at.iteration))
        make = partial(_rules_kept, comparison, key, at)
        found.append(space.belongings.remembered(f"rules {key}", iteration, make)[1])
    return found


def _rules_kept(comparison: Comparison, key: str | None, at: Snapshot | None) -> tuple[Comparison, RulesOf]:
    return comparison, measure_rules(comparison, key, at)
