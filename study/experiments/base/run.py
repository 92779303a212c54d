"""Compute cells: their numbers, by the same fitting and measuring as everywhere else, and what is not stored yet.

Work is done here, in several processes or on a Dask cluster.
"""

import logging
import platform
import time
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsRegressor

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.base.stratified import stratified_rows
from datasets.generators.turned_faces import draw_faces, pair_weights
from nca_core.features.covariance import truncated
from nca_core.neighbours.base.threads import at_most, one_blas_thread
from nca_core.snapshot import Snapshot
from nca_core.training.network import NetworkConfig, train_network
from nca_core.training.problem import TrainingStopped
from nca_core.training.run import Slot
from study.compare import Comparison, compare
from study.experiments.base.experiment import ALL_FEATURES, Cell, Experiment, Outcome
from study.experiments.base.store import FOLDER, Data, OutcomeStore, key_of
from study.measure import measure_rules, projection, scale_at
from study.pieces import Inputs, PieceResults, Spread, Work, in_turn

_log = logging.getLogger(__name__)
MOST_PLACES = 500  # rows in a picture
_ACCURACIES = ("own_1nn", "own_knn", "test_1nn", "test_knn")  # in the order of ACCURACIES


def compute_cell(cell: Cell, dataset: Dataset, slot: Slot = nullcontext) -> Outcome:
    """The numbers of one cell, on one thread; why there are none, where the method cannot run.

    dataset: the rows, as `Data.of` gives them.
    """
    began = time.perf_counter()
    with at_most(1), one_blas_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcome = TASKS[cell.task](cell, slot) if cell.task else _projection(cell, dataset, slot)
    return replace(outcome, seconds=time.perf_counter() - began, versions=_versions())


def _projection(cell: Cell, dataset: Dataset, slot: Slot) -> Outcome:
    dimensions = cell.dimensions
    if dimensions == ALL_FEATURES:
        dimensions = cell.recipe.preparation.components or dataset.n_features + cell.recipe.noise.noise_columns
    try:
        with slot():
            comparison = compare(cell.recipe, dataset, n_components=dimensions)
    except DataError as error:
        return Outcome(problem=str(error))
    (panel,), prepared = comparison.panels, comparison.prepared
    counts = int(prepared.train.sum()), int(prepared.held_out.sum())
    if panel.problem:
        return Outcome({}, *counts, problem=panel.problem)
    last, ended, numbers = None, "", {}
    if panel.trains:
        trajectory = comparison.trained(panel.key, slot)
        last, ended = trajectory.snapshots[-1], trajectory.reason
        numbers["iterations"] = float(last.iteration)
    with slot():
        numbers |= _numbers(cell, comparison, last)
        y = prepared.dataset.y
        shown = np.arange(len(y) if cell.places else 0)
        if len(shown) > MOST_PLACES:
            shown = stratified_rows(y, MOST_PLACES, np.random.default_rng(cell.recipe.preparation.random_state))
        places = _rounded(panel.projected(last)[shown])
    return Outcome(numbers, *counts, ended=ended, places=places, codes=y[shown].tolist())


def _rounded(places: np.ndarray) -> list[list[float]]:
    return [[float(f"{value:.4g}") for value in row] for row in places]


def _numbers(cell: Cell, comparison: Comparison, last: Snapshot | None) -> dict[str, float]:
    panel = comparison.panels[0]
    A = panel.transformation if last is None else last.transformation
    at = projection(comparison, panel.key, last)
    numbers = dict(zip(_ACCURACIES, at.accuracies(cell.knn).values(), strict=True))
    if last is not None:
        numbers["mean_p"], numbers["k"] = scale_at(comparison, panel.key, last)[:2]
    if cell.rules:
        scores = measure_rules(comparison, panel.key, last, cell.rules)
        numbers |= {f"test_{rule}": classified.accuracy for rule, classified in scores.by_rule.items()}
    if cell.truncate and A is not None:
        Q = A.T @ A
        for d in cell.truncate:
            numbers[f"test_1nn@{d}"] = replace(at, Y=panel.X @ truncated(Q, d)[0].T).accuracies()["held_out_1nn"]
    return {name: float(value) for name, value in numbers.items() if np.isfinite(value)}


@lru_cache(maxsize=1)
def _versions() -> dict[str, str]:
    """Of Python and the libraries that the numbers come from."""
    libraries = ("numpy", "scipy", "scikit-learn", "numba")
    return {"python": platform.python_version(), **{library: version(library) for library in libraries}}


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
    named = {name: panel.all_settings()[name] for name in ("max_iter", "n_hidden")}
    config = NetworkConfig(objective="pair_weights", random_state=panel.random_state, **named)
    trajectory = train_network(
        X[old], np.zeros(N_TRAIN, dtype=int), config, target_similarity=w, measure_accuracy=False, slot=slot
    )
    last = trajectory.snapshots[-1]
    assert last.network is not None
    Y = last.network.apply(X)
    numbers = {
        **polar(Y[new], angles[new], sizes[new]),
        "angle_told": KNeighborsRegressor(_NEAR).fit(Y[old], angles[old]).score(Y[new], angles[new]),
        "size_told": KNeighborsRegressor(_NEAR).fit(Y[old], sizes[old]).score(Y[new], sizes[new]),
        "iterations": float(last.iteration),
    }
    places = _rounded(np.column_stack([Y[new], angles[new]]))
    codes = [int(size >= 30) for size in sizes[new]]
    return Outcome(numbers, N_TRAIN, N_TEST, ended=trajectory.reason, places=places, codes=codes)


def polar(Y: np.ndarray, angles: np.ndarray, sizes: np.ndarray) -> dict[str, float]:
    """How well polar coordinates about the best of many centres follow turn and size.

    Y: places, (n_samples, 2).
    angles, sizes: what is to be read off, (n_samples,).

    Returns "angle": the greatest |correlation| of the unwrapped polar angle with `angles` over the centres tried;
    "size": |correlation| of the radius with `sizes` about that centre.
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


TASKS: dict[str, Callable[[Cell, Slot], Outcome]] = {"turned_faces": turned_faces_outcome}


@dataclass(frozen=True)
class CellTask:
    """A cell to compute, and where to store its outcome."""

    experiment: str
    cell: Cell
    key: str
    store: OutcomeStore
    data: Data


@dataclass(frozen=True)
class RunStatus:
    """The progress of a run."""

    done: int  # cells computed now
    found: int  # cells stored before
    wanted: int  # all cells
    last: CellTask | None = None  # the task finished last
    outcome: Outcome | None = None  # its outcome
    failed: int = 0  # cells of `done` that ended in an error
    left: float = float("nan")  # estimated seconds until the end, NaN before anything is known


def tasks_of(
    experiments: Iterable[Experiment], store: OutcomeStore, data: Data, splits: int = 0, fast: bool = False
) -> tuple[list[CellTask], tuple[str, ...]]:
    """Every cell once, and how to get the data that are missing; cells without data are left out."""
    tasks: dict[str, CellTask] = {}
    missing: dict[str, None] = {}
    for experiment in experiments:
        for cell in experiment.cells(splits, fast):
            key = key_of(cell, data.data_id(cell), experiment.version)
            if (sentence := data.why_missing(cell)) and store.get(key) is None:
                missing[sentence] = None
            else:
                tasks.setdefault(key, CellTask(experiment.key, cell, key, store, data))
    return list(tasks.values()), tuple(missing)


def run_tasks(
    tasks: list[CellTask], slot: Slot = nullcontext, spread: Spread = in_turn
) -> Generator[RunStatus, None, None]:
    """Compute the cells that are not stored yet; yield the progress before the first and after each.

    slot: entered around each piece of work in this process; raises to cancel.
    """
    open_tasks = [task for task in tasks if task.store.get(task.key) is None]
    began = time.monotonic()
    at = RunStatus(0, len(tasks) - len(open_tasks), len(tasks))
    yield at
    inputs = ((_local_rows(task), task.cell) for task in open_tasks)
    with closing(spread(outcome_of, inputs, slot)) as outcomes:
        for number, outcome in outcomes:
            task = open_tasks[number]
            if not outcome.failed:  # else the next run tries it again
                task.store.put(task.key, outcome)
            failed, done = at.failed + outcome.failed, at.done + 1
            left = (time.monotonic() - began) / done * (len(open_tasks) - done)
            at = replace(at, done=done, failed=failed, last=task, outcome=outcome, left=left)
            yield at


def _local_rows(task: CellTask) -> Dataset | Exception | None:
    """The rows from a file of this machine, or why there are none; None where any process can load the data."""
    if not task.cell.recipe.data.key.startswith(FOLDER):
        return None
    try:
        return task.data.of(task.cell)
    except Exception as error:  # of this cell only
        return error


def outcome_of(rows: Dataset | Exception | None, cell: Cell, slot: Slot = nullcontext) -> Outcome:
    """Compute a cell on `rows`, by default those of the catalogue; an error ends the cell, not the run."""
    try:
        if isinstance(rows, Exception):
            raise rows
        return compute_cell(cell, Data().of(cell) if rows is None else rows, slot)
    except TrainingStopped:
        raise
    except DataError as error:
        return Outcome(problem=str(error), failed=True)
    except Exception as error:
        _log.exception("a cell ended by an error in the program")
        return Outcome(problem=f"failed by an error in the program: {error!r}", failed=True)


def in_processes(jobs: int, work: Work, inputs: Inputs, slot: Slot) -> PieceResults:
    """A `study.pieces.Spread` over processes of one thread each; `jobs` as joblib counts them."""
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
        yield from parallel(delayed(_numbered)(number, work, *given) for number, given in enumerate(inputs))


def _numbered(number: int, work: Work, shared: Any, piece: Any) -> tuple[int, Any]:
    return number, work(shared, piece, nullcontext)
