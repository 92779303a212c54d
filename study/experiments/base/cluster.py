"""on_cluster: cells on the workers of a Dask cluster that is there already; nothing of Dask is imported without it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING

from datasets.base.dataset import Dataset
from nca_core.where import Slot
from study.cluster import VARIABLE
from study.experiments.base.cell import Cell
from study.experiments.base.data import FOLDER, Data
from study.experiments.base.outcome import Outcome
from study.experiments.base.run import Task, keep, outcome_of

if TYPE_CHECKING:
    from study.cluster.connection import Connection


def on_cluster(
    tasks: list[Task], connection: Connection, slot: Slot = nullcontext, gives_way: bool = False
) -> Generator[tuple[Task, Outcome], None, None]:
    """Carry out cells on the workers; what comes back is stored here, at once.

    Tables of a folder are sent along, each once; what is generated is generated there. The cells of a worker that is
    lost run again elsewhere. Workers need the same version of this program. `slot` and `gives_way` as for `finished`.

    Raises
    ------
    Unreachable
        Where no scheduler answers, or not any more.
    """
    from study.cluster.pieces import finished

    tables: dict[tuple[str, tuple[str, ...], int], Dataset] = {}

    def table_of(task: Task) -> Dataset | None:
        which = (task.cell.recipe.data.key, task.cell.classes, task.cell.bins)
        if which[0].startswith(FOLDER) and which not in tables:
            tables[which] = task.data.of(task.cell)
        return tables.get(which)

    asked = [(table_of(task), task.cell) for task in tasks]
    with closing(finished(connection, _there, asked, slot, gives_way)) as outcomes:
        for number, outcome in outcomes:
            keep(tasks[number], outcome)
            yield tasks[number], outcome


def on_cluster_at(tasks: list[Task], address: str) -> Generator[tuple[Task, Outcome], None, None]:
    """The same on the scheduler at `address`, which is left afterwards.

    Raises
    ------
    ValueError
        Where Dask is not installed, or no scheduler answers.
    """
    if ":" not in address:
        raise ValueError(
            f"{address} is no address of a scheduler, like tcp://host:8786; it is from --dask or {VARIABLE}."
        )
    try:
        from study.cluster.connection import Connection, Unreachable
    except ImportError:
        raise ValueError("Dask is not installed: pip install distributed, or leave --dask out to go on here.") from None
    connection = Connection(address)
    try:
        yield from on_cluster(tasks, connection)
    except Unreachable as problem:
        raise ValueError(f"{problem} Leave --dask out, or {VARIABLE} where that names it, to go on here.") from None
    finally:
        connection.close()


def _there(table: Dataset | None, cell: Cell, slot: Slot) -> Outcome:
    return outcome_of(cell, lambda: Data().of(cell) if table is None else table, slot)
