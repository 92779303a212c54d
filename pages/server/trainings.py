"""The comparison on the stage and its trainings: show, train, pause, step, reset, keep, restore."""

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.noise_lab import NoiseConfig
from nca_core.snapshot import Snapshot, Trajectory, frozen
from nca_core.training.gate import GATE, lower_priority
from nca_core.training.run import TrainingRun
from pages.server.document import SavedRun
from pages.server.embeddings import settle_embeddings
from pages.server.measurements import measurements
from pages.server.records import rows_id
from pages.server.workers import WORKERS
from pages.server.workspace import HUB, Workspace
from stage.scene import build_scene
from study.compare import Comparison, Frames, compare
from study.coping import carried_over
from study.features import prepare_rows
from study.panel import PanelRecipe
from study.panel_changes import row_settings, same_settings, with_panels_from, without_name
from study.recipe import PACES, Recipe

_MOVING = 2  # iterations, so that the first picture is not delayed
_MOST_PARKED = 2  # rows whose trainings are kept: those before a change, and those that its undo ends
_row_settings = attrgetter("noise", "preparation", "n_components")
Starts = Mapping[str, np.ndarray | None]  # A of panels; None for the panel's own start


def show(space: Workspace, dataset: Dataset) -> Comparison:
    """Put the workspace's recipe on the stage; raises DataError if the data cannot be prepared as it says.

    A panel that trains, or has trained, shows the settings it was started with until it is trained again; a run on
    other rows or dimensions ends, and `restore_runs` restores it where these return.
    """
    own = space.document
    before, recipe = own.comparison, own.recipe
    if before is not None and not _same_rows(before, recipe, dataset):
        _park(space, before)
        reset(space)
    shown = _as_started(space, recipe)
    if before is not None and before.dataset is dataset and before.recipe == replace(shown, pace=before.recipe.pace):
        comparison = settle_embeddings(own, before)
        if comparison is before:
            return before
    else:
        there = before if before is not None and _same_rows(before, shown, dataset) else _shared(shown, dataset)
        comparison = settle_embeddings(own, compare(shown, dataset, there or before, apart=True))
    space.keep_runs([panel.key for panel in comparison.panels if panel.trains])
    own.comparison = comparison
    space.set_scene(build_scene(comparison))
    return comparison


def _park(space: Workspace, comparison: Comparison) -> None:
    """Keep the trainings that other rows or dimensions end, for when these rows return, as by Undo."""
    own = space.document
    if not space.runs:
        return
    own.ended_by_change = True
    rows, parked = rows_id(own, comparison), {}
    for key, panel in own.started.items():
        found = space.runs[key].run.trajectory if key in space.runs else None
        if found is not None and (found.snapshots or not found.ended):
            parked[key] = SavedRun(panel, found.snapshots, rows, found.ended, found.reason)
    own.parked.pop(rows, None)
    own.parked = dict([*own.parked.items(), (rows, parked)][-_MOST_PARKED:])


def _same_rows(comparison: Comparison, recipe: Recipe, dataset: Dataset) -> bool:
    return comparison.dataset is dataset and _row_settings(comparison.recipe) == _row_settings(recipe)


def _shared(recipe: Recipe, dataset: Dataset) -> Comparison | None:
    """A comparison of the same rows in another tab, as in a class that opens the same data."""
    found = (space.document.comparison for space in HUB.all())
    alike = (there for there in found if there is not None and _same_rows(there, recipe, dataset))
    # A failure is of one tab.
    return next((there for there in alike if all(panel.waits or not panel.problem for panel in there.panels)), None)


def _as_started(space: Workspace, recipe: Recipe) -> Recipe:
    """`recipe` with the settings with which running panels were started, and their present titles."""
    if not space.runs:
        return recipe
    then = space.document.started
    panels = tuple(
        replace(then.get(panel.key, panel), title=panel.title) if panel.key in space.runs else panel
        for panel in recipe.panels
    )
    try:
        return replace(recipe, panels=panels)
    except ValueError:  # a panel that one of them starts from is gone: then only another training makes sense
        return recipe


def train(space: Workspace, dataset: Dataset, key: str | None = None, initial: np.ndarray | None = None) -> None:
    """Train every panel that trains, or one of them, with the present settings; one can start from `initial`."""
    for run in _new_runs(space, dataset, None if key is None else {key: initial}):
        run.start()


def continue_with(space: Workspace, dataset: Dataset, noise: NoiseConfig, starts: Starts | None = None) -> Starts:
    """Change the noise and continue the trainings from their present A, or from `starts`.

    Returns where each went on from; None for one whose A cannot be carried over and that began anew. Raises DataError
    if this cannot be done to the data; then nothing has changed.
    """
    own = space.document
    before = own.comparison
    trained = {key: at for key in space.runs if (at := space.latest(key)) is not None}
    prepare_rows(dataset, noise, own.recipe.preparation)
    own.change(replace(own.recipe, noise=noise))
    after = show(space, dataset)
    if starts is None:
        starts = {} if before is None else {k: carried_over(at, k, before, after) for k, at in trained.items()}
    for run in _new_runs(space, dataset, starts):
        run.start()
    return starts


def step(space: Workspace, dataset: Dataset) -> None:
    """Run one iteration of every training; start them if all have ended."""
    runs = [held.run for held in space.runs.values()]
    if all(run.state == "ended" for run in runs):
        runs = _new_runs(space, dataset)
    for run in runs:
        run.step()


def _new_runs(space: Workspace, dataset: Dataset, starts: Starts | None = None) -> list[TrainingRun]:
    """Set up runs of all panels that train, or of those in `starts`, from the given A or the panel's own start."""
    own = space.document
    frames = _frames_of(space)
    own.ended_by_change = False
    for key in list(own.started if starts is None else starts):  # with the present settings, even if it has a run
        own.started.pop(key, None)
    comparison = show(space, dataset)
    runs = []
    for panel in comparison.panels:
        if panel.trains and (starts is None or panel.key in starts):
            initial = None if starts is None else starts[panel.key]
            run = _new_run(space, comparison, panel.key, frames=frames, initial=initial)
            space.set_run(panel.key, run)
            _measure_ahead(space, run)
            own.started[panel.key] = own.recipe.panel(panel.key)
            runs.append(run)
    return runs


def _new_run(space: Workspace, comparison: Comparison, key: str, **options: Any) -> TrainingRun:
    """A run at the pace of the recipe, in the one place that the workspace has at the gate."""
    options |= {"gate": space.gate, "place": space.place, "begin": lower_priority, "runner": WORKERS.runner}
    return comparison.new_run(key, min_interval=PACES[pace_now(space)], **options)


def _measure_ahead(space: Workspace, run: TrainingRun) -> None:
    """Find the neighbours that Pause needs in the training's thread, since that takes longer than the page."""

    def look() -> None:
        at, comparison = run.latest(), space.document.comparison
        if at is not None and at.iteration >= _MOVING:
            leave()
            if comparison is not None and not run.stopped:
                with GATE.step():
                    measurements(space, comparison)

    leave = run.subscribe(look)


def _frames_of(space: Workspace) -> Frames:
    """A function that looks up frames of trained panels in the present runs."""
    runs = {key: held.run for key, held in space.runs.items()}
    started = dict(space.document.started)

    def frame(key: str, iteration: int) -> np.ndarray | None:
        own = space.document
        if key not in runs or key not in started or own.comparison is None:
            return None
        if without_name(started[key]) != without_name(own.recipe.panel(key)):
            return None  # trained with other settings than the recipe names
        snapshots = runs[key].trajectory.snapshots
        return snapshots[iteration].transformation if iteration < len(snapshots) else None

    return frame


def pause(space: Workspace) -> None:
    for held in space.runs.values():
        if held.run.state in ("running", "waiting"):
            held.run.pause()


def resume(space: Workspace) -> None:
    for held in space.runs.values():
        if held.run.state == "paused":
            held.run.resume()


def reset(space: Workspace, key: str | None = None) -> None:
    """Stop all trainings, or that of one panel, and show their starts."""
    own = space.document
    space.keep_runs(() if key is None else space.runs.keys() - {key})
    for known in (own.started, own.saved_runs):
        for gone in list(known) if key is None else (key,):
            known.pop(gone, None)


def apply_pace(space: Workspace) -> None:
    for held in space.runs.values():
        held.run.min_interval = PACES[pace_now(space)]


def pace_now(space: Workspace) -> str:
    """The pace of the recipe; "calm" where it names none."""
    chosen = space.document.recipe.pace
    return "calm" if chosen == "auto" else chosen


def differs(space: Workspace) -> bool:
    """Whether the settings differ from those that a training was started with."""
    own = space.document
    trained = [panel for panel in own.recipe.panels if panel.method.kind == "trained"]
    return bool(own.started) and any(changed(space, panel) or panel.key not in space.runs for panel in trained)


def changed(space: Workspace, panel: PanelRecipe) -> bool:
    """Whether a panel has a training with other settings; titles do not count."""
    then = space.document.started.get(panel.key)
    return panel.key in space.runs and then is not None and without_name(then) != without_name(panel)


def first_shown(space: Workspace) -> tuple[str | None, Snapshot | None]:
    """Key and iteration shown of the first panel that has one; (None, None) before the first."""
    panels = space.document.comparison.panels if space.document.comparison is not None else ()
    found = ((panel.key, space.at(panel.key)) for panel in panels)
    return next(((key, at) for key, at in found if at is not None), (None, None))


def trajectories(space: Workspace) -> list[Trajectory]:
    """Trajectories of the trainings, in the order of the panels."""
    comparison = space.document.comparison
    panels = comparison.panels if comparison is not None else ()
    return [space.runs[panel.key].run.trajectory for panel in panels if panel.key in space.runs]


# -- kept, restored


def keep_on_compare(space: Workspace) -> bool:
    """Move the runs of a workspace to Compare, where they continue while Explore trains others.

    Returns False if Compare had other rows: it begins anew with these, and its undo restores what it showed. Raises
    ValueError if there is no run, or no room for them.
    """
    comparison = space.document.comparison
    if comparison is None or not space.runs:
        raise ValueError("There is no run to keep yet; press Train first.")
    fresh = space.second is None
    second = space.second or HUB.open_second(space)
    there = second.document
    runs = {held.run for held in space.runs.values()}
    free = [p.key for p in there.recipe.panels if p.key not in second.runs or second.runs[p.key].run in runs]
    recipe, keys = with_panels_from(None if fresh else there.recipe, comparison.recipe, space.runs.keys(), free)
    fits = fresh or row_settings(there.recipe) == row_settings(recipe)
    if not fits:
        second.keep_runs(())
        there.started = {}
    there.change(recipe)
    there.cached("chosen", lambda: comparison.dataset, recipe.data)
    for before, after in keys.items():
        if before in space.runs:
            held, run = second.runs.get(after), space.hand_over(before)
            if held is None or held.run is not run or not held.ours:
                second.set_run(after, run)
            second.offered.add(run)
            there.started[after] = recipe.panel(after)
    return fits


def show_runs_of_explore(second: Workspace, dataset: Dataset) -> None:
    """Show what Explore has trained in panels of Compare that are the same and have no training, each run once."""
    first, there = second.first, second.document
    comparison = first.document.comparison
    if comparison is None or not _same_rows(comparison, there.recipe, dataset):
        return
    for key, held in first.runs.items():
        run, then = held.run, first.document.started.get(key)
        own_start = then is not None and then.frame is None and run.given_start is None
        if not own_start or run.state != "ended" or not run.trajectory.snapshots or run in second.offered:
            continue
        assert then is not None
        same = (panel for panel in there.recipe.panels if panel.key not in second.runs and same_settings(panel, then))
        if (panel := next(same, None)) is not None:
            second.offered.add(run)
            second.set_run(panel.key, run, ours=False)
            there.started[panel.key] = panel


def restore_runs(space: Workspace, comparison: Comparison) -> str:
    """Restore saved runs as paused ones, or those that ended when other rows were chosen.

    Returns a message; "" if there were none.
    """
    own = space.document
    saved, own.saved_runs = own.saved_runs, {}
    because = ["The server restarted."] if saved else []
    if own.parked and not space.runs:
        saved = saved or own.parked.pop(rows_id(own, comparison), {})
    if not saved:
        return ""
    panels = tuple(saved[panel.key].panel if panel.key in saved else panel for panel in own.recipe.panels)
    restored, empty, lost = [], [], []
    rows = rows_id(own, comparison)
    try:
        as_started = replace(own.recipe, panels=panels)
        if as_started != comparison.recipe:
            comparison = compare(as_started, comparison.dataset, comparison, apart=True)
        found = {panel.key: panel for panel in comparison.panels}
    except (DataError, ValueError):  # such as where a panel that one of them starts from is gone
        found = {}
    for key, run in saved.items():
        panel, title = found.get(key), run.panel.shown_title
        if panel is None or not panel.trains or not _fits(run, rows, own.recipe.n_components, panel.X.shape[1]):
            lost.append(title)
            continue
        new = _new_run(space, comparison, key, past=[_placed(at, panel.X) for at in run.snapshots])
        if run.ended:
            new.set_ended(run.ended, run.reason)
        space.set_run(key, new)
        own.started[key] = run.panel
        if run.snapshots:
            restored.append(f"{title} {run.snapshots[-1].iteration}")
        else:
            empty.append(title)
    sentences = {
        "Trainings restored up to their last saved iteration": restored,
        "Resume starts these anew, as they had no iteration yet": empty,
        "These no longer fit the panels and the data, so train them again": lost,
    }
    said = [f"{words}: {', '.join(titles)}." for words, titles in sentences.items() if titles]
    own.ended_by_change = False
    return " ".join([*because, *said])


def _fits(run: SavedRun, rows: str, n_components: int, n_features: int) -> bool:
    """Whether a saved run has these rows, dimensions and features."""
    if not run.snapshots:
        return True
    at = run.snapshots[-1]
    A = at.transformation if at.network is None else at.network.W
    return run.rows == rows and (at.transformation.shape[0], A.shape[1]) == (n_components, n_features)


def _placed(at: Snapshot, X: np.ndarray) -> Snapshot:
    """The snapshot with a network's coordinates of X."""
    return at if at.network is None else replace(at, coordinates=frozen(at.network.apply(X)))
