"""opening: the accuracies of panels on the test rows, which nothing else uses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from datasets.base.errors import DataError
from datasets.base.words import counted, percent
from nca_core.accuracy import QUERIES, rounded_k
from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.fitting import FittedPanel
from study.inference import wilson_interval
from study.measure import projection, scale_at
from study.panel import PanelRecipe
from study.recipe import Recipe
from study.verdict import share_of_largest


@dataclass(frozen=True)
class TestScore:
    """How well one panel classifies the test rows."""

    __test__ = False  # no test of pytest

    panel: PanelRecipe
    iteration: int | None  # of a training
    n: int  # test rows that were classified
    k: int  # neighbours of `accuracy_knn`
    # accuracy_1nn, accuracy_knn: shares classified correctly by the nearest training row and by k of them; NaN where
    # that is impossible
    accuracy_1nn: float = float("nan")
    accuracy_knn: float = float("nan")
    largest: float = float("nan")  # share of the largest class among the test rows, where classes are of unequal size

    @property
    def sentence(self) -> str:
        """As in "NCA, iteration 12: 1-NN 96 % of 50 test rows (95 % confidence: 87 % to 99 %)"."""
        title = self.panel.shown_title + ("" if self.iteration is None else f", iteration {self.iteration}")
        rules = [("1-NN", self.accuracy_1nn), (f"{self.k}-NN", self.accuracy_knn)][: 1 + (self.k > 1)]
        if np.isnan(self.accuracy_1nn):
            return f"{title}: cannot place the test rows."
        said = []
        for rule, accuracy in rules:
            low, high = wilson_interval(round(accuracy * self.n), self.n)
            said.append(
                f"{rule} {percent(accuracy)} (95\N{NO-BREAK SPACE}% confidence: {percent(low)} to {percent(high)})"
            )
        largest = "" if np.isnan(self.largest) else f" The largest class alone has {percent(self.largest)}."
        return f"{title}: {', '.join(said)} of {counted(self.n, 'test row')}.{largest}"


def rows_key(recipe: Recipe) -> str:
    """Names the test rows of a recipe, whatever else is chosen."""
    preparation = recipe.preparation
    return repr((recipe.data, preparation.test_fraction, preparation.split, preparation.split_column))


def opened_sentence(openings: int, validated: bool) -> str:
    """How often the test rows were opened, and what that means for their numbers."""
    times = {0: "Not opened yet", 1: "Opened once"}.get(openings, f"Opened {openings} times")
    by = "; chosen by validation rows" if validated else ""
    late = " The numbers are no longer a clean test." if openings > 1 else ""
    return f"{times}{by}.{late}"


def scores_of(comparison: Comparison, last: tuple[Recipe, tuple[TestScore, ...]] | None) -> tuple[TestScore, ...]:
    """The scores measured last, where rows and preparation are the same, of panels that are still there."""
    recipe = comparison.recipe
    if last is None or replace(last[0], panels=recipe.panels, pace=recipe.pace) != recipe:
        return ()
    return tuple(score for score in last[1] if score.panel in recipe.panels)


def open_test(comparison: Comparison, shown: Mapping[str, Snapshot | None], k: int) -> tuple[TestScore, ...]:
    """Classify the test rows in each panel that shows something.

    comparison: with test rows.
    shown: the iteration of each training, by the panel's key.
    k: neighbours that a panel without a K̂ votes with; 0 for the nearest only.

    Raises DataError without test rows.
    """
    if comparison.prepared.test is None:
        raise DataError("There are no test rows. Set their share under Prepare.")
    found = []
    for panel in comparison.panels:
        at = shown.get(panel.key)
        if not panel.problem and (not panel.trains or at is not None):
            own_k = k if at is None else rounded_k(scale_at(comparison, panel.key, at)[1])
            found.append(_score(comparison, panel, at, own_k))
    return tuple(found)


def _score(comparison: Comparison, panel: FittedPanel, at: Snapshot | None, k: int) -> TestScore:
    test = comparison.prepared.test
    assert test is not None
    A = panel.transformation if at is None else at.transformation
    iteration, n = None if at is None else at.iteration, min(QUERIES, test.n_samples)
    nothing = TestScore(panel.recipe, iteration, n, k)
    if A is None or (at is not None and at.coordinates is not None):
        return nothing
    source, kernel = comparison.features_of(panel.key)
    assert source.test is not None
    X = source.apply(source.test.X)
    Y = (X if kernel is None else kernel.apply(X)) @ A.T
    if not np.isfinite(Y).all():
        return nothing
    points = projection(comparison, panel.key, at).query_points()
    first, kth = points.held_out(Y, test.y, (1, max(k, 1)))
    return TestScore(panel.recipe, iteration, n, k, first, kth, share_of_largest(np.bincount(test.y[test.y >= 0])))
