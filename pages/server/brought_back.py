"""The trainings of before a restart of the server come back onto the stage, paused where they were."""

from __future__ import annotations

from dataclasses import replace

from pages.server.priority import give_way
from pages.server.workspace import Workspace
from study.compare import Comparison, compare
from study.fields import PACES


def bring_back(space: Workspace, comparison: Comparison) -> str:
    """Make runs of what the store had; one sentence of what came back, "" where there was nothing."""
    own = space.belongings
    saved, own.saved_runs = own.saved_runs, {}
    panels = tuple(saved[panel.key].panel if panel.key in saved else panel for panel in own.recipe.panels)
    try:
        as_started = replace(own.recipe, panels=panels)
    except ValueError:  # a panel that one of them starts from is gone
        return ""
    if saved and as_started != comparison.recipe:
        comparison = compare(as_started, comparison.dataset, comparison, apart=True)
    told, anew = [], []
    for panel in comparison.panels:
        run = saved.get(panel.key)
        if run is None or not panel.trains or panel.problem:
            continue
        if not run.snapshots:
            anew.append(panel.recipe.shown_title)
            continue
        last = run.snapshots[-1]
        if last.transformation.shape != (own.recipe.n_components, panel.X.shape[1]):
            continue  # other rows or features than then
        new = comparison.new_run(
            panel.key,
            initial=last.transformation,
            min_interval=PACES[own.recipe.pace],
            place=space.place,
            begin=give_way,
            past=run.snapshots,
        )
        if run.ended:
            new.end_as(run.ended, run.reason)
        space.set_run(panel.key, new)
        own.started[panel.key] = run.panel
        told.append(f"{panel.key} {last.iteration}")
    sentences = []
    if told:
        sentences.append(f"What was trained came back up to its iteration: {', '.join(told)}.")
    if anew:
        sentences.append(f"What is no matrix is not kept, so this has to be trained again: {', '.join(anew)}.")
    return " ".join(["The server was started again.", *sentences]) if sentences else ""
