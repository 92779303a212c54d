"""WORKERS: run trainings and long work here, or on a Dask cluster if the environment names a scheduler.

Dask is imported only with that setting. If the scheduler does not answer, work is done here and a message says so.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from nca_core.training.run import Runner, run_locally
from study.cluster import VARIABLE
from study.pieces import Spread, in_turn

if TYPE_CHECKING:
    from study.cluster.connection import Connection

RUNS_HERE = "Its work runs on this server."


class Workers:
    """The app's own process, or a cluster once started with an address."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._problem = ""
        self.runner: Runner = run_locally
        self.spread: Spread = in_turn

    def start(self, address: str | None = None) -> None:
        """Connect to the scheduler at `address`, or of the environment, in the background."""
        address = os.environ.get(VARIABLE, "").strip() if address is None else address
        if not address:
            return
        try:
            from study.cluster.connection import Connection
            from study.cluster.work import spread_on_workers, train_on_worker
        except ImportError:
            self._problem = f"{VARIABLE} is set, but Dask is not installed: pip install distributed."
            return
        self._connection = found = Connection(address)
        self.runner, self.spread = partial(train_on_worker, found), partial(spread_on_workers, found)

    def close(self) -> None:
        """Leave the cluster; work is done here from now on."""
        connection, self._connection = self._connection, None
        self.runner, self.spread, self._problem = run_locally, in_turn, ""
        if connection is not None:
            connection.close()

    @property
    def problem(self) -> str:
        """Why the cluster does nothing; "" if it works or none is set."""
        problem = self._problem if self._connection is None else self._connection.problem
        return f"{problem} {RUNS_HERE}" if problem else ""


WORKERS = Workers()
