"""carry_out: one cell -> its numbers, by the same fitting and measuring as everywhere else; one thread of one core."""

from __future__ import annotations

import platform
import time
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.base.stratified import stratified_rows
from nca_core.accuracy.accuracies import accuracies_of
from nca_core.neighbours.base.blas_threads import one_blas_thread
from nca_core.neighbours.base.threads import at_most
from nca_core.run import Slot
from nca_core.snapshot import Snapshot
from nca_core.truncation import truncated
from study.compare import Comparison, compare
from study.experiments.base.cell import ALL_FEATURES, Cell
from study.experiments.base.outcome import Outcome
from study.experiments.base.turned_faces import turned_faces
from study.measure import measure_rules, scale_at
from study.scores import sides

MOST_PLACES = 500  # rows in a picture
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")
TASKS: dict[str, Callable[[Cell, Slot], Outcome]] = {"turned_faces": turned_faces}


def carry_out(cell: Cell, dataset: Dataset, slot: Slot = nullcontext) -> Outcome:
    """The numbers of one cell; why there are none, where the method cannot run.

    Parameters
    ----------
    dataset : Dataset
        The rows, as `Data.of` gives them.
    slot : callable
        Entered around each piece of work; what it raises to end the work comes out of here.
    """
    began = time.perf_counter()
    with at_most(1), one_blas_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcome = TASKS[cell.task](cell, slot) if cell.task else _projection(cell, dataset, slot)
    return replace(outcome, seconds=time.perf_counter() - began, versions=versions())


def _projection(cell: Cell, dataset: Dataset, slot: Slot) -> Outcome:
    key = cell.recipe.panels[0].key
    try:
        with slot():
            comparison = compare(cell.recipe, dataset, n_components=_dimensions(cell, dataset))
    except DataError as error:
        return Outcome(problem=str(error))
    panel, prepared = comparison.panel(key), comparison.prepared
    counts = int(prepared.train.sum()), int(prepared.held_out.sum())
    if panel.problem:
        return Outcome({}, *counts, problem=panel.problem)
    last, ended, numbers = None, "", {}
    if panel.trains:
        trajectory = comparison.trained(key, slot)
        last, ended = trajectory.snapshots[-1], trajectory.reason
        numbers["iterations"] = float(last.iteration)
    with slot():
        numbers |= _numbers(cell, comparison, last)
        places, codes = _places(cell, comparison, last)
    return Outcome(numbers, *counts, ended=ended, places=places, codes=codes)


def _dimensions(cell: Cell, dataset: Dataset) -> int | None:
    if cell.dimensions != ALL_FEATURES:
        return cell.dimensions
    return cell.recipe.preparation.components or dataset.n_features + cell.recipe.noise.noise_columns


def _numbers(cell: Cell, comparison: Comparison, last: Snapshot | None) -> dict[str, float]:
    panel = comparison.panels[0]
    A = panel.transformation if last is None else last.transformation
    own, new = sides(comparison, panel.key, A)
    found = accuracies_of(own.Y, own.y, new, cell.knn, panel.recipe.random_state)
    numbers = {
        "own_1nn": found.leave_one_out_1nn,
        "own_knn": found.leave_one_out_knn,
        "test_1nn": found.held_out_1nn,
        "test_knn": found.held_out_knn,
    }
    if last is not None:
        numbers["mean_p"], numbers["k"] = scale_at(comparison, panel.key, last)[:2]
    if cell.rules:
        for rule, told in measure_rules(comparison, panel.key, last, cell.rules).by_rule.items():
            numbers[f"test_{rule}"] = told.accuracy
    if cell.truncate and A is not None:
        Q = A.T @ A
        for d in cell.truncate:
            own, new = sides(comparison, panel.key, truncated(Q, d)[0])
            accuracy = accuracies_of(own.Y, own.y, new, 0, panel.recipe.random_state)
            numbers[f"test_1nn@{d}"] = accuracy.held_out_1nn
    return {name: float(value) for name, value in numbers.items() if np.isfinite(value)}


def _places(cell: Cell, comparison: Comparison, last: Snapshot | None) -> tuple[list[list[float]], list[int]]:
    if not cell.places:
        return [], []
    panel, prepared = comparison.panels[0], comparison.prepared
    Y = panel.projected(None if last is None else last.transformation)
    y = prepared.dataset.y
    rows = np.arange(len(Y))
    if len(rows) > MOST_PLACES:
        rows = stratified_rows(y, MOST_PLACES, np.random.default_rng(cell.recipe.preparation.random_state))
    return [[float(f"{value:.4g}") for value in row] for row in Y[rows]], [int(code) for code in y[rows]]


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Of Python and the libraries that the numbers come from."""
    found = {"python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
