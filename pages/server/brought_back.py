"""The trainings of before a restart of the server come back onto the stage, paused where they were."""

from __future__ import annotations

from dataclasses import replace

from datasets.base.errors import DataError
from nca_core.priority import give_way
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from study.compare import Comparison, compare
from study.fields import PACES


def bring_back(space: Workspace, comparison: Comparison) -> str:
    """Make runs of what the store had; sentences of what came back and what did not, "" where there was nothing."""
    own = space.belongings
    saved, own.saved_runs = own.saved_runs, {}
    if not saved:
        return ""
    panels = tuple(saved[panel.key].panel if panel.key in saved else panel for panel in own.recipe.panels)
    told, anew, lost = [], [], []
    try:
        as_started = replace(own.recipe, panels=panels)
        if as_started != comparison.recipe:
            comparison = compare(as_started, comparison.dataset, comparison, apart=True)
        found = {panel.key: panel for panel in comparison.panels}
    except (DataError, ValueError):  # such as where a panel that one of them starts from is gone
        found = {}
    for key, run in saved.items():
        panel, title = found.get(key), run.panel.shown_title
        if not run.snapshots:
            anew.append(title)
            continue
        last = run.snapshots[-1]
        shape = last.transformation.shape
        if panel is None or not panel.trains or panel.problem or shape != (own.recipe.n_components, panel.X.shape[1]):
            lost.append(title)
            continue
        new = comparison.new_run(
            key,
            initial=last.transformation,
            min_interval=PACES[own.recipe.pace],
            place=space.place,
            begin=give_way,
            past=run.snapshots,
            where=WORKERS.where,
        )
        if run.ended:
            new.end_as(run.ended, run.reason)
        space.set_run(key, new)
        own.started[key] = run.panel
        told.append(f"{title} {last.iteration}")
    sentences = ["The server was started again."]
    if told:
        sentences.append(f"What was trained came back up to its iteration: {', '.join(told)}.")
    if anew:
        sentences.append(f"What is no matrix is not kept, so this has to be trained again: {', '.join(anew)}.")
    if lost:
        sentences.append(f"This no longer fits the panels and the data, so train it again: {', '.join(lost)}.")
    return " ".join(sentences)
