"""Numbers of every panel at the iteration on the stage, cached per iteration."""

from collections.abc import Iterable
from functools import partial

import numpy as np

from nca_core.snapshot import Snapshot
from pages.server.workspace import Workspace
from study.compare import Comparison
from study.differences import predictions, right_on_held_out
from study.fitting import FittedPanel
from study.inference import Difference, paired_difference, pairs
from study.measure import Measurement, RuleScores, measure, measure_rules, moment_of, query_points, shared_k


def measurements(space: Workspace, comparison: Comparison) -> list[Measurement]:
    """Measure every panel that shows something; trainings at the iteration on the stage, if any.

    Solved panels use the K of the first training, so that all vote with equally many neighbours; K = 1 before.
    """
    own = space.document
    snapshots = {panel.key: space.at(panel.key) for panel in comparison.panels}
    k = shared_k(comparison, snapshots)

    def solved(panel: FittedPanel) -> Measurement:
        # K̂ changes at each press while something trains, and finding 100 neighbours takes as long as the page.
        prepare = partial(query_points, comparison, panel.key)
        points = None if k < 2 else own.cached(f"points {panel.key}", prepare, panel)
        return measure(comparison, panel.key, k=k, points=points)

    found = []
    for panel in comparison.panels:
        key, at = panel.key, snapshots[panel.key]
        if at is not None:
            found.append(measure(comparison, key, at, moment=_moment(space, key)))
        elif not panel.problem and not panel.trains:
            found.append(own.cached(f"measured {key}", partial(solved, panel), panel, k))
    return found


def solved_accuracies(measured: Iterable[Measurement]) -> dict[str, tuple[float, float]]:
    """1-NN accuracy on held-out and on training rows of the panels that do not train, by key."""
    return {one.key: (one.held_out_1nn, one.accuracy_1nn) for one in measured if one.iteration is None}


def _moment(space: Workspace, key: str) -> str:
    place = space.shown_index(key)
    return "" if place < 0 else moment_of(space.history(key), place)


def predicted_rows(space: Workspace, comparison: Comparison, key: str) -> np.ndarray:
    """The class of each row's nearest training row in a panel, at the iteration on the stage."""
    at = space.at(key)
    return space.document.cached(f"nearest class {key}", partial(predictions, comparison, key, at), comparison, at)


def one_split_family(
    space: Workspace, comparison: Comparison, keys: Iterable[str]
) -> dict[tuple[str, str], Difference]:
    """The panels' 1-NN accuracies on the same held-out rows, all pairs; empty where fewer than two classify these."""
    right = {key: right_on_held_out(comparison, key, predicted_rows(space, comparison, key)) for key in keys}
    return pairs({key: found for key, found in right.items() if len(found)}, paired_difference)


def scores(space: Workspace, comparison: Comparison) -> dict[str, Measurement]:
    """All numbers of every panel at rest, by key; panels that train or are untrained have none.

    Solved panels use the K̂ of the first training.
    """
    shown = {panel.key: space.at(panel.key) for panel in comparison.panels if panel.trains}
    at_rest = {key: at for key, at in shown.items() if at is not None and space.runs[key].run.state != "running"}
    k = shared_k(comparison, at_rest)
    found = {}
    for panel in comparison.panels:
        at = at_rest.get(panel.key)
        if not panel.problem and (not panel.trains or at is not None):
            moment = _moment(space, panel.key)
            make = partial(measure, comparison, panel.key, at, k=k, full=True, moment=moment)
            of = comparison, at, 0 if panel.trains else k, moment
            found[panel.key] = space.document.cached(f"scores {panel.key}", make, *of)
    return found


def rules(space: Workspace, comparison: Comparison) -> list[RuleScores]:
    """Scores of every classifier on all features, and in each panel that can place held-out rows."""
    spaces: dict[str | None, Snapshot | None] = {None: None}
    for panel in comparison.panels:
        at = space.at(panel.key)
        if not panel.problem and panel.recipe.method.kind != "embedding" and (not panel.trains or at is not None):
            spaces[panel.key] = at
    found = []
    for key, at in spaces.items():
        make = partial(measure_rules, comparison, key, at)
        found.append(space.document.cached(f"rules {key}", make, comparison, at))
    return found
