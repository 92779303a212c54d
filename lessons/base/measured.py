"""measured: a lesson's recipe carried out by the engine, so that what its answers say is what was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from datasets.catalogue import DATASETS, load_dataset
from nca_core.accuracy.accuracies import Accuracies, accuracies_of
from nca_core.evaluator import Evaluation
from nca_core.gate import GATE
from nca_core.snapshot import Trajectory
from study.compare import Comparison, compare
from study.measure import evaluator_of, places_of
from study.recipe import Recipe


@dataclass(frozen=True)
class Measured:
    """A recipe carried out: everything fitted, everything trained to its end.

    Attributes
    ----------
    comparison : Comparison
        The recipe on its data.
    trajectories : dict of str to Trajectory
        Of each panel that trains, by its key.
    """

    comparison: Comparison
    trajectories: dict[str, Trajectory]

    def f(self, key: str, iteration: int = -1) -> float:
        """f/n = mean p_i (NCA paper, eq. 3, over n) of a training at an iteration, the last by default."""
        return self.trajectories[key].snapshots[iteration].mean_p

    def k(self, key: str, iteration: int = -1) -> float:
        """K̂ = exp(mean entropy) of a training at an iteration."""
        return float(np.exp(self.at(key, iteration).entropy.mean()))

    def at(self, key: str, iteration: int = -1, scale: float = 1.0) -> Evaluation:
        """p_i and entropies of the training rows at A of an iteration, times `scale`."""
        A = self.trajectories[key].snapshots[iteration].transformation
        return evaluator_of(self.comparison, key, self.comparison.prepared.train).evaluate(scale * A)

    def accuracies(self, key: str, k: int = 1) -> Accuracies:
        """Leave-one-out and held-out accuracies of a panel as it ended; `k` beside the nearest neighbour."""
        ended = self.trajectories.get(key)
        space = places_of(self.comparison, key, None if ended is None else ended.snapshots[-1])
        train, held_out = self.comparison.prepared.train, self.comparison.prepared.held_out
        tested = (space.Y[held_out], space.y[held_out]) if held_out.any() else None
        return accuracies_of(space.Y[train], space.y[train], tested, k, space.random_state)

    def right(self, key: str) -> float:
        """Share of the training rows whose nearest other one is of their class."""
        return self.accuracies(key).leave_one_out_1nn

    def right_on_new(self, key: str) -> float:
        """Share of the held-out rows whose nearest training row is of their class."""
        return self.accuracies(key).held_out_1nn


@lru_cache(maxsize=32)
def measured(recipe: Recipe) -> Measured:
    """Carry out `recipe`, whose data are generated or come with the app; waits its turn among the trainings."""
    parameters = {parameter.name: parameter.default for parameter in DATASETS[recipe.data.key].parameters}
    dataset = load_dataset(recipe.data.key, **parameters | dict(recipe.data.parameters))
    comparison = compare(recipe, dataset)
    keys = [panel.key for panel in comparison.panels if panel.trains]
    return Measured(comparison, {key: comparison.trained(key, GATE.step) for key in keys})


Facts = Callable[[], dict[str, float]]
