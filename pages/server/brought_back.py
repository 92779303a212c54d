"""The trainings of before a restart of the server come back onto the stage, paused where they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.base.errors import DataError
from nca_core.priority import give_way
from nca_core.snapshot import Snapshot, frozen
from pages.server.belongings import SavedRun
from pages.server.rows_of import rows_of
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
    rows = rows_of(own, comparison)
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
        new = comparison.new_run(
            key,
            min_interval=PACES[own.recipe.pace],
            place=space.place,
            begin=give_way,
            past=[_placed(at, panel.X) for at in run.snapshots],
            where=WORKERS.where,
        )
        if run.ended:
            new.end_as(run.ended, run.reason)
        space.set_run(key, new)
        own.started[key] = run.panel
        if run.snapshots:
            told.append(f"{title} {run.snapshots[-1].iteration}")
        else:
            anew.append(title)
    sentences = ["The server was started again."]
    if told:
        sentences.append(f"What was trained came back up to its iteration: {', '.join(told)}.")
    if anew:
        sentences.append(f"This had no iteration yet and begins anew with Resume: {', '.join(anew)}.")
    if lost:
        sentences.append(f"This no longer fits the panels and the data, so train it again: {', '.join(lost)}.")
    return " ".join(sentences)


def _fits(run: SavedRun, rows: str, n_components: int, n_features: int) -> bool:
    """Whether what was trained is of these rows, and of so many dimensions and features."""
    if not run.snapshots:
        return True
    if run.rows != rows:
        return False
    at = run.snapshots[-1]
    A = at.transformation if at.network is None else at.network.W
    return at.transformation.shape[0] == n_components and A.shape[1] == n_features


def _placed(at: Snapshot, X: np.ndarray) -> Snapshot:
    """With the places of rows X, where a network gives them."""
    return at if at.network is None else replace(at, coordinates=frozen(at.network.apply(X)))
