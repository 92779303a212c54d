"""Repetitions that tell a result from luck: the same comparison over several splits, or with permuted labels."""

from collections.abc import Generator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.base.words import percent
from nca_core.snapshot import Snapshot
from nca_core.training.run import Slot
from study.compare import Comparison, compare
from study.embed import embedded
from study.fitting import labels_seen
from study.inference import (
    FEWEST_PERMUTATIONS,
    Difference,
    PermutationTest,
    best_of,
    difference_over_splits,
    pairs,
    permutation_test,
    share_of_plan,
    standard_error_over_splits,
)
from study.measure import NAMES, Measurement, measure, projection, shared_k
from study.panel_changes import with_starts
from study.pieces import Spread, in_order, in_turn
from study.recipe import Recipe

HELD_OUT = tuple(name for name in NAMES if name.startswith("held_out"))  # shares of the held-out rows


@dataclass(frozen=True)
class Splits:
    """The numbers of every panel over repeated splits."""

    recipe: Recipe  # what was repeated
    wanted: int  # how many splits there shall be
    # (n_splits, n_panels, n_numbers); the numbers of `study.measure.NAMES`, NaN where a panel had none
    values: np.ndarray
    n_train: int  # n_train, n_test: rows on either side of a split
    n_test: int
    # which planned number of splits this is: more splits after a verdict are another plan, `share_of_plan`
    plan: int = 1

    @property
    def done(self) -> int:
        return len(self.values)

    def mean(self, key: str, name: str) -> float:
        """Over the splits; NaN where a split has no such number."""
        return float(np.mean(self._of(key, name))) if self.done else float("nan")

    def standard_error(self, key: str, name: str) -> float:
        """Of the mean over splits that share rows; NaN before the second split."""
        return standard_error_over_splits(self._of(key, name), self.n_train, self.n_test)

    def family(self, name: str) -> dict[tuple[str, str], Difference]:
        """The differences of all pairs of panels, corrected over the pairs; the best mean stands first in each."""
        members = {key: self._of(key, name) for key in self.ranked(name)}
        compare_pair = partial(
            difference_over_splits,
            n_train=self.n_train,
            n_test=self.n_test,
            shares=name in HELD_OUT,
            planned=self.wanted,
            share=share_of_plan(self.plan),
        )
        return pairs(members, compare_pair)

    def ranked(self, name: str) -> list[str]:
        """The panels that have this number, the best mean first."""
        keys = [panel.key for panel in self.recipe.panels if not np.isnan(self.mean(panel.key, name))]
        return sorted(keys, key=lambda key: -self.mean(key, name))

    def best(self, name: str) -> str | None:
        """The panel that is better than every other, `best_of`; None where there is none."""
        return best_of(self.family(name)) if len(self.ranked(name)) > 1 else None

    def _of(self, key: str, name: str) -> np.ndarray:
        place = next(k for k, panel in enumerate(self.recipe.panels) if panel.key == key)
        return self.values[:, place, NAMES.index(name)]


def repeat_splits(
    recipe: Recipe, dataset: Dataset, n_splits: int, slot: Slot = nullcontext, spread: Spread = in_turn, plan: int = 1
) -> Generator[Splits, None, None]:
    """Carry out `recipe` on one split after the other, beginning with its own; gives what there is after each.

    Raises DataError where the data cannot be split so.
    """
    if recipe.preparation.split == "time":
        raise DataError("A split by time is the same each time, so it cannot be repeated. Split by class or by group.")
    found: list[np.ndarray] = []
    for numbers, n_train, n_test in in_order(spread, _one_split, (recipe, dataset), range(n_splits), slot):
        found.append(numbers)
        yield Splits(recipe, n_splits, np.array(found), n_train, n_test, plan)


def _one_split(shared: tuple[Recipe, Dataset], split: int, slot: Slot) -> tuple[np.ndarray, int, int]:
    """(the numbers of all panels, rows trained on, rows held out)."""
    recipe, dataset = shared
    preparation = replace(recipe.preparation, random_state=recipe.preparation.random_state + split)
    with slot():  # raises after a cancel
        pass
    comparison = embedded(compare(replace(recipe, preparation=preparation), dataset, apart=True), slot)
    found = measure_all(comparison, slot)
    nothing = dict.fromkeys(NAMES, np.nan)
    measured = (found[panel.key].numbers() if panel.key in found else nothing for panel in recipe.panels)
    numbers = np.array([list(each.values()) for each in measured])
    return numbers, int(comparison.prepared.train.sum()), int(comparison.prepared.held_out.sum())


def measure_all(comparison: Comparison, slot: Slot = nullcontext) -> dict[str, Measurement]:
    """Train what trains, in this thread, and measure every panel without a problem.

    Methods without a K̂ use that of the first training.
    """
    found: dict[str, Measurement] = {}
    newest: dict[str, Snapshot] = {}
    for panel in comparison.panels:
        if panel.trains:
            newest[panel.key] = comparison.trained(panel.key, slot).snapshots[-1]
            with slot():  # raises after a cancel
                found[panel.key] = measure(comparison, panel.key, newest[panel.key], full=True)
    with slot():
        k = shared_k(comparison, newest)
    for panel in comparison.panels:
        if not panel.problem and not panel.trains:
            with slot():
                found[panel.key] = measure(comparison, panel.key, k=k, full=True)
    return found


@dataclass(frozen=True)
class Chance:
    """What a panel reaches with the labels as given, and with permuted ones."""

    recipe: Recipe  # that holds the panel
    key: str
    wanted: int  # how many permutations there shall be
    # own, held_out: 1-NN accuracy with the labels as given: training rows, leave-one-out, and held-out rows, NaN
    # without any
    own: float
    held_out: float
    permuted_own: np.ndarray  # (n_permutations,); the same with permuted labels, each trained anew
    permuted_held_out: np.ndarray

    @property
    def done(self) -> int:
        return len(self.permuted_own)

    @property
    def decides(self) -> str:
        """Which rows decide: held-out rows, where there are any."""
        return "training" if np.isnan(self.held_out) else "held-out"

    @property
    def as_good(self) -> int:
        """Permutations that do at least as well on the rows that decide."""
        own = np.isnan(self.held_out)
        real, permuted = (self.own, self.permuted_own) if own else (self.held_out, self.permuted_held_out)
        return int(np.count_nonzero(permuted >= real))

    @property
    def test(self) -> PermutationTest:
        """The p-value (1 + permutations that do as well) / (1 + permutations), with its interval."""
        return permutation_test(self.as_good, self.done)

    @property
    def of_own_rows(self) -> str:
        """The same of the rows that it was trained on, where others decide; empty where these do."""
        if np.isnan(self.held_out):
            return ""
        p_value = (1 + np.count_nonzero(self.permuted_own >= self.own)) / (1 + self.done)
        return (
            f"Training rows, leave-one-out (optimistic): {percent(self.own)} with the labels as given, "
            f"{percent(np.mean(self.permuted_own))} on average with permuted labels (p = {p_value:.3f})."
        )

    @property
    def better(self) -> bool:
        """Whether the planned permutations are done and chance is ruled out, whatever further ones would give."""
        return self.done >= self.wanted and self.test.better

    @property
    def sentence(self) -> str:
        """What follows: better than chance, no better, or cannot be told."""
        title, test = self.recipe.panel(self.key).shown_title, self.test
        if self.done < max(FEWEST_PERMUTATIONS, self.wanted):
            ends = f"the test ends at {self.wanted:,}"
            needed = ends if self.wanted >= FEWEST_PERMUTATIONS else f"{FEWEST_PERMUTATIONS} could"
            return f"{title}: {self.done} permutations are too few to tell; {needed}."
        how_many = f"{self.as_good:,}" if self.as_good else "none"
        times = f"of {self.done:,} permutations of the labels, {how_many} did as well"
        p = f"p = {test.p_value:.3f}, with 95\N{NO-BREAK SPACE}% confidence {test.low:.3f} to {test.high:.3f}"
        proof = f"{times} ({p}; {self.decides} rows)"
        if self.better:
            return f"{title}: better than chance; {proof}."
        noise = f"With permuted labels it reaches {percent(np.mean(self.permuted_own))} on its training rows, too."
        if test.decided:
            return f"{title}: not shown to be better than chance; {proof}. {noise}"
        return f"{title}: cannot be told; {proof}. More permutations may decide. {noise}"


def repeat_permutations(
    recipe: Recipe, dataset: Dataset, key: str, n_permutations: int, slot: Slot = nullcontext, spread: Spread = in_turn
) -> Generator[Chance, None, None]:
    """Train the panel `key` with its labels, then with permuted ones; gives what there is after each permutation.

    A permutation goes over all labelled rows, held-out ones too, and the whole method runs anew on it, what its start
    was trained by included.

    Raises ValueError for a panel that sees no labels, or cannot run on the data; and where features are chosen by the
        labels as given and no rows are held out, as permuted labels then have no chance to do as well.
    """
    panel = recipe.panel(key)
    if panel.labels == "none":
        raise ValueError(f"{panel.shown_title} sees no labels, so it makes no difference to it whose they are.")
    alone = replace(recipe, panels=tuple(with_starts(recipe, [key])))
    comparison = embedded(compare(alone, dataset, apart=True), slot)
    if comparison.panel(key).problem:
        raise ValueError(comparison.panel(key).problem)
    if recipe.preparation.sees_labels and not comparison.prepared.held_out.any():
        raise ValueError(
            "The features were chosen by the labels of these rows, so only held-out rows can tell: hold some out "
            "under Prepare."
        )
    own, held_out = _accuracies(comparison, key, slot)
    found: list[tuple[float, float]] = []
    seeds = range(panel.random_state + 1, panel.random_state + 1 + n_permutations)
    for accuracies in in_order(spread, _permuted, (comparison, key), seeds, slot):
        found.append(accuracies)
        yield Chance(recipe, key, n_permutations, own, held_out, *np.array(found).T)


def _permuted(shared: tuple[Comparison, str], seed: int, slot: Slot) -> tuple[float, float]:
    """`_accuracies` of everything anew with permuted labels; an embedding looks at none, and its rows stay."""
    comparison, key = shared
    shuffled = tuple(replace(panel, labels="shuffled", random_state=seed) for panel in comparison.recipe.panels)
    recipe = replace(comparison.recipe, panels=shuffled)
    with slot():  # raises after a cancel
        pass
    if all(panel.recipe.method.kind == "embedding" for panel in comparison.panels):
        ready, panels = comparison.prepared, zip(comparison.panels, shuffled, strict=True)
        relabelled = tuple(replace(was, recipe=now, y=labels_seen(now, ready)[0]) for was, now in panels)
        return _accuracies(replace(comparison, recipe=recipe, panels=relabelled), key, slot)
    return _accuracies(compare(recipe, comparison.dataset, comparison), key, slot)


def _accuracies(comparison: Comparison, key: str, slot: Slot) -> tuple[float, float]:
    """1-NN accuracy of the panel, trained where it trains: training rows, leave-one-out, and held-out rows."""
    last = comparison.trained(key, slot).snapshots[-1] if comparison.panel(key).trains else None
    with slot():
        found = projection(comparison, key, last).accuracies()
    return found["accuracy_1nn"], found["held_out_1nn"]
