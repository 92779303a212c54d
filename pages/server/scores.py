"""The table's numbers of every panel at rest, measured once for each place of its history."""

from __future__ import annotations

from functools import partial

from nca_core.snapshot import Snapshot
from pages.server.trainings import latest
from pages.server.workspace import Workspace
from study.compare import Comparison
from study.measure import shared_k
from study.scores import Scores, scores_of


def scores(space: Workspace, comparison: Comparison) -> dict[str, Scores]:
    """By the panel's key; a panel that is being trained, or has not been, has none yet.

    What is solved in one go is asked with the K̂ of the first training.
    """
    newest = {panel.key: latest(space, panel.key) for panel in comparison.panels if panel.trains}
    at_rest = {key: at for key, at in newest.items() if at is not None and space.runs[key].run.state != "running"}
    k = shared_k(comparison, at_rest)
    found = {}
    for panel in comparison.panels:
        at = at_rest.get(panel.key)
        if panel.problem or (panel.trains and at is None):
            continue
        # The comparison and the snapshot are kept beside the scores, so that nothing else can take their ids.
        _, _, found[panel.key] = space.belongings.remembered(
            f"scores {panel.key}",
            (id(comparison), id(at), 0 if panel.trains else k),
            partial(_scored, comparison, panel.key, at, k),
        )
    return found


def _scored(
    comparison: Comparison, key: str, at: Snapshot | None, k: int
) -> tuple[Comparison, Snapshot | None, Scores]:
    return comparison, at, scores_of(comparison, key, at, k=k)
