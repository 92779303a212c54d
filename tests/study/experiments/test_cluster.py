"""Cells on a Dask cluster: the same numbers, and a lost worker costs time only."""

import os
import signal
from dataclasses import replace

import pytest

from study.experiments.base.command import main, on_cluster_at
from study.experiments.base.experiment import Line, method_cell
from study.experiments.base.run import run_tasks, tasks_of
from study.experiments.base.store import Data, OutcomeStore
from tests.study.experiments.tiny import ALL, TINY
from tests.tracked_files import ROOT

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.dask


@pytest.fixture
def cluster():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options, env={"PYTHONPATH": str(ROOT)}) as there:
        yield there


@pytest.fixture
def experiment(tmp_path):
    """Cells on a table of a folder beside those of the catalogue."""
    rows = "\n".join(f"{i % 7},{i % 5},{'xy'[(i * i) % 7 > 2]}" for i in range(100))
    (tmp_path / "table.csv").write_text(f"a,b,label\n{rows}\n")
    table = Line("table", "PCA", method_cell("folder:table.csv", "pca", 0.3))
    return replace(TINY, lines=(*TINY.lines, table), claims=(), splits=6)


def numbers(store, tasks):
    outcomes = [store.get(task.key) for task in tasks]
    return [None if outcome is None else outcome.numbers for outcome in outcomes]


@pytest.mark.thorough
def test_a_lost_worker_costs_no_cell_and_the_numbers_are_the_same(cluster, experiment, tmp_path):
    data, here, there = Data(str(tmp_path)), OutcomeStore(tmp_path / "here"), OutcomeStore(tmp_path / "there")
    tasks, missing = tasks_of([experiment], there, data)
    assert not missing
    with distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
    killed = False
    for at in run_tasks(tasks, spread=on_cluster_at(cluster.scheduler_address)):
        if at.done == 3 and not killed:
            os.kill(pids[0], signal.SIGKILL)
            killed = True
    assert (at.done, at.failed) == (24, 0)
    own = tasks_of([experiment], here, data)[0]
    list(run_tasks(own))
    assert numbers(there, tasks) == numbers(here, own)
    assert None not in numbers(here, own)


def test_a_scheduler_that_is_not_there_is_said_at_once(tmp_path, capsys):
    assert main(["run", "tiny", "--store", str(tmp_path), "--dask", "tcp://127.0.0.1:9"], ALL) == 2
    assert "No Dask scheduler answers. Leave --dask out" in capsys.readouterr().err
    assert main(["run", "tiny", "--store", str(tmp_path), "--dask", "nonsense"], ALL) == 2
    assert "nonsense is no address" in capsys.readouterr().err
