"""on_cluster: cells on the workers of a Dask cluster that is there already; nothing of Dask is imported without it."""

from __future__ import annotations

from collections.abc import Generator

from datasets.base.dataset import Dataset
from study.experiments.base.cell import Cell
from study.experiments.base.data import FOLDER, Data
from study.experiments.base.outcome import Outcome
from study.experiments.base.run import Task, keep, outcome_of

VARIABLE = "NCA_EXPLORER_DASK"
_SECONDS = 3  # that a scheduler has to answer
_LOST = 10  # workers that may be lost one after the other before a cell is given up


def on_cluster(tasks: list[Task], address: str) -> Generator[tuple[Task, Outcome], None, None]:
    """Carry out cells on the workers of the scheduler at `address`; what comes back is stored here, at once.

    Tables of a folder are sent along, each once; what is generated is generated there. The cells of a worker that is
    lost run again elsewhere. Workers need the same version of this program.

    Raises
    ------
    ValueError
        Where Dask is not installed, or no scheduler answers.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ValueError("Dask is not installed: pip install distributed, or leave --dask out to go on here.") from None
    try:
        client = Client(address, timeout=_SECONDS)
    except (OSError, TimeoutError, ValueError):
        raise ValueError(f"No Dask scheduler answers at {address}. Leave --dask out to go on here.") from None
    with client:
        sent: dict[tuple[str, tuple[str, ...], int], object] = {}
        asked = {}
        for task in tasks:
            table = None
            which = (task.cell.recipe.data.key, task.cell.classes, task.cell.bins)
            if which[0].startswith(FOLDER):
                if which not in sent:
                    # Not scattered: what a lost worker held is then made again by the scheduler.
                    sent[which] = client.submit(_same, task.data.of(task.cell), pure=False)
                table = sent[which]
            asked[client.submit(_there, task.cell, table, key=f"cell-{task.key}", retries=_LOST)] = task
        for future in as_completed(list(asked)):
            task, outcome = asked.pop(future), future.result()
            keep(task, outcome)
            yield task, outcome


def _same(table: Dataset) -> Dataset:
    return table


def _there(cell: Cell, table: Dataset | None) -> Outcome:
    return outcome_of(cell, lambda: Data().of(cell) if table is None else table)
