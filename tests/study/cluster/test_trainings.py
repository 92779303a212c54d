"""A training on a worker is the one it would be here: same iterations, held, stepped and stopped from here."""

import itertools
import os
import signal
import time
from functools import partial

import numpy as np
import pytest

from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.problem import TrainingStopped
from nca_core.training.run import TrainingRun
from study.cluster.connection import Connection, Unreachable, task_result
from study.cluster.work import train_on_worker
from tests.nca_core import textbook
from tests.tracked_files import ROOT
from tests.waiting import until

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.dask

PATIENCE = 30.0
DESERIALIZATION = "Error during deserialization of the task graph. This frequently occurs if the Scheduler and Client"
X, Y = textbook.blobs(n=120, classes=3)
CONFIG = TrainingConfig(max_iter=25, tol=0.0)
made = 0  # iterations of `endless`, whose worker is in this process


def endless(X, y, config, keep, *, slot, **_):
    """Makes an iteration whenever it may, and counts them."""
    global made
    made = 0
    try:
        for iteration in itertools.count():
            with slot():
                time.sleep(0.02)
            made += 1
            keep(Snapshot(iteration, np.eye(2), objective=0.0, gradient_norm=0.0))
    except (StopIteration, TrainingStopped):  # told between iterations, or while it waits for its turn
        made = -1
    return Trajectory((), "stopped", "Stopped.")


def slowly(X, y, config, keep, **options):
    """NCA at a pace at which its worker can be lost on the way."""

    def later(snapshot):
        time.sleep(0.05)
        keep(snapshot)

    return train(X, y, config, later, **options)


def breaks(X, y, config, keep, **_):
    raise ValueError("Nothing can be learnt from this.")


@pytest.fixture
def there(connection):
    runs = []

    def start(runner=None, **options):
        run = TrainingRun(X, Y, CONFIG, runner=runner or partial(train_on_worker, connection), **options)
        runs.append(run)
        run.start()
        return run

    yield start
    for run in runs:
        run.stop()


@pytest.fixture(scope="module")
def at_home():
    run = TrainingRun(X, Y, CONFIG)
    run.start()
    assert run.wait_for_end(PATIENCE)
    return run.trajectory


_COLD = 1e-5  # a process that has not loaded the compiled loops yet sums in numpy, and iterations magnify last digits


def made_at_rest():
    """Iterations of `endless`, once there are no new ones for half a second."""
    deadline, before = time.monotonic() + PATIENCE, -1
    while made != before:
        assert time.monotonic() < deadline
        before = made
        time.sleep(0.5)
    return made


def working(connection):
    """Address of the worker that has the one task."""
    (busy,) = [address for address, keys in connection.client().processing().items() if keys]
    return busy


def same(run, other, rtol=1e-9):
    assert [s.iteration for s in run.trajectory.snapshots] == [s.iteration for s in other.snapshots]
    for mine, its in zip(run.trajectory.snapshots, other.snapshots, strict=True):
        np.testing.assert_allclose(mine.transformation, its.transformation, rtol=rtol, atol=1e-12)
        assert not mine.transformation.flags.writeable
    assert (run.ended, run.ended_reason) == (other.ended, other.reason)


def test_the_same_training_as_here(there, at_home):
    run = there()
    assert run.wait_for_end(PATIENCE)
    same(run, at_home)
    assert run.note == ""


def test_pause_step_and_stop_reach_the_worker(there):
    run = there(train=endless)
    assert run.wait_for(5, PATIENCE)
    run.pause()
    shown = len(run.trajectory.snapshots)
    held = made_at_rest()  # after AHEAD messages the worker holds, too
    assert held <= shown + 25
    assert len(run.trajectory.snapshots) <= shown + 1
    shown = len(run.trajectory.snapshots)
    run.step()
    until(lambda: len(run.trajectory.snapshots) == shown + 1)
    time.sleep(0.1)
    assert len(run.trajectory.snapshots) == shown + 1
    run.resume()
    assert run.wait_for(shown + 30, PATIENCE)  # it goes on
    asked = time.monotonic()
    run.stop()
    assert time.monotonic() - asked < 1.0
    assert run.ended == "stopped"
    until(lambda: made == -1)


def test_what_cannot_be_trained_is_the_same_sentence(there):
    run = there(train=breaks)
    assert run.wait_for_end(PATIENCE)
    assert (run.ended, run.ended_reason) == ("failed", "Nothing can be learnt from this.")


def test_many_share_the_workers_and_each_is_shown_at_once(there):
    runs = [there(train=endless) for _ in range(6)]  # on two workers of one thread
    for run in runs:
        assert run.wait_for(2, PATIENCE)


def test_a_worker_that_goes_costs_time_only(cluster, connection, there, at_home):
    """The last one of this file that needs both workers: it takes one away."""
    run = there(train=slowly)
    assert run.wait_for(6, PATIENCE)
    busy = working(connection)
    (worker,) = [each for each in cluster.workers.values() if each.address == busy]
    cluster.sync(worker.close, nanny=False)
    assert run.wait_for_end(PATIENCE)
    same(run, at_home)
    assert f"The Dask worker at {busy} was lost at iteration" in run.note


@pytest.mark.thorough
def test_a_killed_worker_and_then_a_killed_scheduler_cost_time_only(there, at_home):
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options, env={"PYTHONPATH": str(ROOT)}) as real:
        connection = Connection(real.scheduler_address)
        where = partial(train_on_worker, connection)
        run = there(where, train=slowly)
        assert run.wait_for(6, PATIENCE)
        pids = connection.client().run(os.getpid)
        busy = working(connection)
        os.kill(pids[busy], signal.SIGKILL)
        assert run.wait_for_end(PATIENCE)
        same(run, at_home, _COLD)
        assert f"The Dask worker at {busy} was lost at iteration" in run.note
        last = there(where, train=slowly)
        assert last.wait_for(6, PATIENCE)
    assert last.wait_for_end(PATIENCE)
    same(last, at_home, _COLD)
    assert last.note.endswith("is gone. This training continues on this server.")
    connection.close()


@pytest.mark.parametrize(("fault", "goes_on"), [(RuntimeError(DESERIALIZATION), True), (RuntimeError("mine"), False)])
def test_a_scheduler_without_the_program_ends_no_training(fault, goes_on):
    class Failed:
        def result(self, timeout):
            raise fault

    with pytest.raises(Unreachable if goes_on else RuntimeError):
        task_result(Failed())
