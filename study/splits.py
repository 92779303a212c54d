"""repeat_splits: the same comparison over several stratified splits, to tell a difference from luck."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from nca_core.snapshot import Snapshot
from nca_core.training.run import Slot
from study.compare import Comparison, compare
from study.embed import embedded
from study.inference import Difference, difference_over_splits, share_of_plan, standard_error_over_splits
from study.inference_families import best_of, pairs
from study.measure import NAMES, Measurement, measure, shared_k
from study.pieces import Spread, in_turn
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

    slot: entered around each piece of work; what it raises to end the work comes out of here.
    spread: how the splits are carried out: one after the other, or several at a time.
    plan: of `Splits`.

    Raises DataError where the data cannot be split so.
    """
    if recipe.preparation.split == "time":
        raise DataError("A split by time is the same each time, so it cannot be repeated. Split by class or by group.")
    found: list[np.ndarray] = []
    for numbers, n_train, n_test in spread(_one_split, (recipe, dataset), range(n_splits), slot):
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
    numbers = np.full((len(recipe.panels), len(NAMES)), np.nan)
    for place, panel in enumerate(recipe.panels):
        if panel.key in found:
            numbers[place] = list(found[panel.key].numbers().values())
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
