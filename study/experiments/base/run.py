"""run_tasks: compute the cells that are not stored yet, here, in several processes or on a Dask cluster."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from nca_core.training.problem import TrainingStopped
from nca_core.training.run import Slot
from study.cluster import VARIABLE
from study.experiments.base.carry_out import carry_out
from study.experiments.base.cell import Cell, Outcome
from study.experiments.base.data import FOLDER, Data
from study.experiments.base.experiment import Experiment
from study.experiments.base.store import OutcomeStore, key_of

if TYPE_CHECKING:
    from study.cluster.connection import Connection

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CellTask:
    """A cell to compute, and where to store its outcome."""

    experiment: str
    cell: Cell
    key: str
    store: OutcomeStore
    data: Data


Outcomes = Generator[tuple[CellTask, Outcome], None, None]
Elsewhere = Callable[[list[CellTask]], Outcomes]


@dataclass(frozen=True)
class RunStatus:
    """The progress of a run."""

    done: int  # cells computed now
    found: int  # cells stored before
    wanted: int  # all cells
    missing: tuple[str, ...] = ()  # how to get each data set that is missing
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
            key = key_of(cell, data.mark(cell), experiment.version)
            if (sentence := data.lacks(cell)) and store.get(key) is None:
                missing[sentence] = None
            else:
                tasks.setdefault(key, CellTask(experiment.key, cell, key, store, data))
    return list(tasks.values()), tuple(missing)


def run_tasks(
    tasks: list[CellTask],
    missing: tuple[str, ...] = (),
    jobs: int = 1,
    slot: Slot = nullcontext,
    elsewhere: Elsewhere | None = None,
) -> Generator[RunStatus, None, None]:
    """Compute the cells that are not stored yet; yield the progress before the first and after each.

    Parameters
    ----------
    jobs : int
        Processes of one thread each, as joblib counts them; 1 for this one.
    slot : callable
        Entered around each piece of work in this process; raises to cancel.
    elsewhere : callable, optional
        Computes and stores them in another way.
    """
    open_tasks = [task for task in tasks if task.store.get(task.key) is None]
    began = time.monotonic()
    at = RunStatus(0, len(tasks) - len(open_tasks), len(tasks), missing)
    yield at
    with closing(elsewhere(open_tasks) if elsewhere else _here(open_tasks, jobs, slot)) as outcomes:
        for task, outcome in outcomes:
            failed = at.failed + outcome.failed
            done = at.done + 1
            left = (time.monotonic() - began) / done * (len(open_tasks) - done)
            at = replace(at, done=done, failed=failed, last=task, outcome=outcome, left=left)
            yield at


def _here(tasks: list[CellTask], jobs: int, slot: Slot) -> Outcomes:
    if jobs == 1 or not tasks:
        yield from (_perform(task, slot) for task in tasks)
        return
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
        yield from parallel(delayed(_perform)(task) for task in tasks)


def _perform(task: CellTask, slot: Slot = nullcontext) -> tuple[CellTask, Outcome]:
    """Compute a cell and store its outcome, in whatever process this is."""
    return _stored(task, outcome_of(task.cell, lambda: task.data.of(task.cell), slot))


def _stored(task: CellTask, outcome: Outcome) -> tuple[CellTask, Outcome]:
    """OutcomeStore an outcome; a failed cell is not stored, so that the next run tries it again."""
    if not outcome.failed:
        task.store.put(task.key, outcome)
    return task, outcome


def outcome_of(cell: Cell, load: Callable[[], Dataset], slot: Slot = nullcontext) -> Outcome:
    """Compute a cell on the data that `load` gives; an error ends the cell, not the run."""
    try:
        return carry_out(cell, load(), slot)
    except TrainingStopped:
        raise
    except DataError as error:
        return Outcome(problem=str(error), failed=True)
    except Exception as error:
        _log.exception("a cell ended by an error in the program")
        return Outcome(problem=f"failed by an error in the program: {error!r}", failed=True)


def on_cluster(tasks: list[CellTask], connection: Connection, slot: Slot = nullcontext) -> Outcomes:
    """Compute cells on the workers and store the outcomes here.

    Each table of a folder is sent once; generated data are generated there. The cells of a lost worker run again
    elsewhere. Workers need the same version of this program. `slot` as for `finished`.

    Raises
    ------
    Unreachable
        When no scheduler answers.
    """
    from study.cluster.pieces import finished

    tables: dict[tuple[str, tuple[str, ...], int], Dataset] = {}

    def table_of(task: CellTask) -> Dataset | None:
        which = (task.cell.recipe.data.key, task.cell.classes, task.cell.bins)
        if which[0].startswith(FOLDER) and which not in tables:
            tables[which] = task.data.of(task.cell)
        return tables.get(which)

    inputs = [(table_of(task), task.cell) for task in tasks]
    with closing(finished(connection, _there, inputs, slot)) as outcomes:
        for number, outcome in outcomes:
            yield _stored(tasks[number], outcome)


def on_cluster_at(tasks: list[CellTask], address: str) -> Outcomes:
    """Connect to the scheduler at `address` for `on_cluster`.

    Raises
    ------
    ValueError
        When Dask is not installed, or no scheduler answers.
    """
    if ":" not in address:
        raise ValueError(
            f"{address} is no address of a scheduler, like tcp://host:8786; it is from --dask or {VARIABLE}."
        )
    try:
        from study.cluster.connection import Connection, Unreachable
    except ImportError:
        raise ValueError("Dask is not installed: pip install distributed, or leave --dask out to run here.") from None
    connection = Connection(address)
    try:
        yield from on_cluster(tasks, connection)
    except Unreachable as problem:
        raise ValueError(f"{problem} Leave --dask out, or {VARIABLE} where that names it, to run here.") from None
    finally:
        connection.close()


def _there(table: Dataset | None, cell: Cell, slot: Slot) -> Outcome:
    return outcome_of(cell, lambda: Data().of(cell) if table is None else table, slot)
