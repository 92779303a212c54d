"""carry_out: one cell -> its numbers, by the same fitting and measuring as everywhere else, on one thread."""

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
from scipy.spatial.distance import cdist

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.base.stratified import stratified_rows
from datasets.generators.turned_faces import draw_faces, pair_weights
from nca_core.features.covariance import truncated
from nca_core.neighbours.base.blas_threads import one_blas_thread
from nca_core.neighbours.base.threads import at_most
from nca_core.snapshot import Snapshot
from nca_core.training.network import NetworkConfig, train_network
from nca_core.training.run import Slot
from study.compare import Comparison, compare
from study.experiments.base.cell import ALL_FEATURES, Cell, Outcome
from study.measure import measure_rules, projection, scale_at

MOST_PLACES = 500  # rows in a picture
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")


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
    at = projection(comparison, panel.key, last)
    found = at.accuracies(cell.knn)
    numbers = {
        "own_1nn": found.leave_one_out_1nn,
        "own_knn": found.leave_one_out_knn,
        "test_1nn": found.held_out_1nn,
        "test_knn": found.held_out_knn,
    }
    if last is not None:
        numbers["mean_p"], numbers["k"] = scale_at(comparison, panel.key, last)[:2]
    if cell.rules:
        for rule, classified in measure_rules(comparison, panel.key, last, cell.rules).by_rule.items():
            numbers[f"test_{rule}"] = classified.accuracy
    if cell.truncate and A is not None:
        Q = A.T @ A
        for d in cell.truncate:
            numbers[f"test_1nn@{d}"] = replace(at, Y=panel.X @ truncated(Q, d)[0].T).accuracies().held_out_1nn
    return {name: float(value) for name, value in numbers.items() if np.isfinite(value)}


def _places(cell: Cell, comparison: Comparison, last: Snapshot | None) -> tuple[list[list[float]], list[int]]:
    if not cell.places:
        return [], []
    panel, prepared = comparison.panels[0], comparison.prepared
    Y = panel.projected(last)
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


N_TRAIN, N_TEST, N_PEOPLE = 420, 140, 30
_NEAR = 5


def turned_faces_outcome(cell: Cell, slot: Slot) -> Outcome:
    """Train on pairs of drawn faces (eq. 8) and say how far their turn and size can be read off faces of others.

    The numbers, all on people that were not trained on: "angle" and "size", the greatest correlation of the turn and
    of the size with a direction or, about the best centre, with the polar angle and the radius; "angle_told" and
    "size_told", the share of the variance that the five nearest known faces tell.
    """
    rng = np.random.default_rng(cell.recipe.preparation.random_state)
    n = N_TRAIN + N_TEST
    angles, sizes, side = rng.uniform(-45, 45, n), rng.uniform(25, 35, n), rng.uniform(0, 2 * np.pi, n)
    people = rng.integers(0, N_PEOPLE, n)
    people[N_TRAIN:] += N_PEOPLE
    X = draw_faces(angles, sizes, people, 1.3 * np.stack([np.cos(side), np.sin(side)], axis=1))
    X += 0.02 * rng.standard_normal(X.shape)
    old, new = slice(0, N_TRAIN), slice(N_TRAIN, n)
    w = pair_weights(angles[old], sizes[old]) * (1.0 - np.eye(N_TRAIN))
    panel = cell.recipe.panels[0]
    settings = panel.all_settings()
    config = NetworkConfig(
        objective="pair_weights",
        max_iter=settings["max_iter"],
        n_hidden=settings["n_hidden"],
        random_state=panel.random_state,
    )
    trajectory = train_network(
        X[old], np.zeros(N_TRAIN, dtype=int), config, target_similarity=w, measure_accuracy=False, slot=slot
    )
    last = trajectory.snapshots[-1]
    if last.network is None:
        return Outcome(problem="The training gave no network.")
    Y = last.network.apply(X)
    numbers = {
        **polar(Y[new], angles[new], sizes[new]),
        "angle_told": _explained_variance(Y[old], angles[old], Y[new], angles[new]),
        "size_told": _explained_variance(Y[old], sizes[old], Y[new], sizes[new]),
        "iterations": float(last.iteration),
    }
    places = [
        [float(f"{value:.4g}") for value in (*place, angle)] for place, angle in zip(Y[new], angles[new], strict=True)
    ]
    codes = [int(size >= 30) for size in sizes[new]]
    return Outcome(numbers, N_TRAIN, N_TEST, ended=trajectory.reason, places=places, codes=codes)


def polar(Y: np.ndarray, angles: np.ndarray, sizes: np.ndarray) -> dict[str, float]:
    """How well polar coordinates about the best of many centres follow turn and size.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, 2)
        Places.
    angles, sizes : ndarray of shape (n_samples,)
        What is to be read off.

    Returns
    -------
    dict
        "angle": the greatest |correlation| of the unwrapped polar angle with `angles` over the centres tried; "size":
        |correlation| of the radius with `sizes` about that centre.
    """
    low, high = Y.min(axis=0), Y.max(axis=0)
    reach = high - low
    best = (0.0, 0.0)
    for x in np.linspace(low[0] - 2 * reach[0], high[0] + 2 * reach[0], 41):
        for y in np.linspace(low[1] - 2 * reach[1], high[1] + 2 * reach[1], 41):
            away = Y - (x, y)
            turn = np.arctan2(away[:, 1], away[:, 0])
            turn = np.angle(np.exp(1j * (turn - np.angle(np.exp(1j * turn).sum()))))  # cut opposite to their mean
            found = abs(np.corrcoef(turn, angles)[0, 1]) if np.ptp(turn) > 0 else 0.0
            if found > best[0]:
                radius = np.linalg.norm(away, axis=1)
                best = (float(found), float(abs(np.corrcoef(radius, sizes)[0, 1])))
    return {"angle": best[0], "size": best[1]}


def _explained_variance(Y: np.ndarray, known: np.ndarray, queries: np.ndarray, values: np.ndarray) -> float:
    near = np.argsort(cdist(queries, Y), axis=1)[:, :_NEAR]
    return float(1.0 - np.mean((values - known[near].mean(axis=1)) ** 2) / np.var(values))


TASKS: dict[str, Callable[[Cell, Slot], Outcome]] = {"turned_faces": turned_faces_outcome}
