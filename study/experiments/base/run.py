"""run_tasks: what is not in the store yet is carried out and stored at once, here or in several processes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from nca_core.run import Slot
from nca_core.training import TrainingStopped
from study.experiments.base.carry_out import carry_out
from study.experiments.base.cell import Cell
from study.experiments.base.data import Data
from study.experiments.base.experiment import Experiment
from study.experiments.base.outcome import Outcome
from study.experiments.base.store import Store, key_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Task:
    """A cell that is to be carried out, and where its outcome goes."""

    experiment: str
    cell: Cell
    key: str
    store: Store
    data: Data


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes
    ----------
    done, found, wanted : int
        Cells carried out now, found in the store, and all there shall be.
    missing : tuple of str
        For each data set that is not here, how to get it.
    last : Task or None
        What was finished last.
    outcome : Outcome or None
        What came of it.
    failed : int
        Cells that an error ended, of `done`.
    left : float
        Seconds that the rest should take, NaN before anything is known.
    """

    done: int
    found: int
    wanted: int
    missing: tuple[str, ...] = ()
    last: Task | None = None
    outcome: Outcome | None = None
    failed: int = 0
    left: float = float("nan")


def tasks_of(
    experiments: Iterable[Experiment], store: Store, data: Data, splits: int = 0, fast: bool = False
) -> tuple[list[Task], tuple[str, ...]]:
    """Every cell once, and how to get the data that are missing; the cells of these are left out."""
    tasks: dict[str, Task] = {}
    missing: dict[str, None] = {}
    for experiment in experiments:
        for cell in experiment.cells(splits, fast):
            key = key_of(cell, data.mark(cell))
            if (sentence := data.lacks(cell)) and store.get(key) is None:
                missing[sentence] = None
                continue
            tasks.setdefault(key, Task(experiment.key, cell, key, store, data))
    return list(tasks.values()), tuple(missing)


Elsewhere = Callable[[list[Task]], Generator[tuple[Task, Outcome], None, None]]


def run_tasks(
    tasks: list[Task],
    missing: tuple[str, ...] = (),
    jobs: int = 1,
    slot: Slot = nullcontext,
    elsewhere: Elsewhere | None = None,
) -> Generator[Progress, None, None]:
    """Carry out what is not stored yet; gives how far it is after each, and once before the first.

    Parameters
    ----------
    jobs : int
        Processes, of one thread each; 1 for this one, as joblib counts them.
    slot : callable
        Entered around each piece of work in this process; what it raises to end the work comes out of here.
    elsewhere : callable, optional
        Carries them out in another way, and gives each with its outcome, stored already.
    """
    open_tasks = [task for task in tasks if task.store.get(task.key) is None]
    left = _TimeLeft(open_tasks, jobs)
    at = Progress(0, len(tasks) - len(open_tasks), len(tasks), missing)
    yield at
    with closing(elsewhere(open_tasks) if elsewhere else _carried_out(open_tasks, jobs, slot)) as outcomes:
        for task, outcome in outcomes:
            left.note(task, outcome.seconds)
            failed = at.failed + outcome.failed
            at = replace(at, done=at.done + 1, failed=failed, last=task, outcome=outcome, left=left.seconds)
            yield at


def _carried_out(tasks: list[Task], jobs: int, slot: Slot) -> Generator[tuple[Task, Outcome], None, None]:
    if jobs == 1 or not tasks:
        for task in tasks:
            yield task, one(task, slot)
        return
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
        found: Iterator[tuple[Task, Outcome]] = parallel(delayed(_told)(task) for task in tasks)
        yield from found


def _told(task: Task) -> tuple[Task, Outcome]:
    return task, one(task)


def one(task: Task, slot: Slot = nullcontext) -> Outcome:
    """Carry out a cell and store what came of it, in whatever process this is."""
    outcome = outcome_of(task.cell, lambda: task.data.of(task.cell), slot)
    keep(task, outcome)
    return outcome


def keep(task: Task, outcome: Outcome) -> None:
    """Store what came of a cell; nothing of one that an error ended, so that it is tried again next time."""
    if not outcome.failed:
        task.store.put(task.key, outcome)


def outcome_of(cell: Cell, load: Callable[[], Dataset], slot: Slot = nullcontext) -> Outcome:
    """What comes of a cell on the data that `load` gives; an error ends the cell and not the run."""
    try:
        return carry_out(cell, load(), slot)
    except TrainingStopped:
        raise
    except DataError as error:
        return Outcome(problem=str(error), failed=True)
    except Exception as error:
        _log.exception("a cell ended by an error in the program")
        return Outcome(problem=f"failed by an error in the program: {error!r}", failed=True)


class _TimeLeft:
    """Seconds that the rest takes: each cell as long as its like on other splits, else as its experiment's cells."""

    def __init__(self, tasks: list[Task], jobs: int) -> None:
        self._open = {task.key: (task.cell.seeded(0), task.experiment) for task in tasks}
        self._known: dict[object, list[float]] = {}
        self._jobs = max(1, jobs)
        self._began, self._busy = time.monotonic(), 0.0

    def note(self, task: Task, seconds: float) -> None:
        like, experiment = self._open.pop(task.key)
        for kind in (like, experiment, None):
            known = self._known.setdefault(kind, [0.0, 0.0])
            known[0] += seconds
            known[1] += 1
        self._busy += seconds

    @property
    def seconds(self) -> float:
        total = 0.0
        for like, experiment in self._open.values():
            known = next(self._known[kind] for kind in (like, experiment, None) if kind in self._known)
            total += known[0] / known[1]
        # What passes by the clock for a second of work: loading, other programs, several processes.
        pace = (time.monotonic() - self._began) / self._busy if self._busy else 1.0
        return total * pace
