"""Background jobs: results, cancel, failures, priority; downloads."""

import os
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from datasets.base.dataset import Source
from datasets.base.entry import Entry
from datasets.catalogue import load_dataset
from nca_core.training import gate
from nca_core.training.gate import NICENESS, Gate
from nca_core.training.run import run_locally
from pages.server import jobs, trainings
from pages.server.data import Download
from pages.server.jobs import Job
from pages.server.trainings import train
from pages.server.workers import WORKERS, Workers
from pages.server.workspace import Hub, Workspace
from study.cluster import VARIABLE
from study.panel import PanelRecipe
from study.pieces import in_turn
from study.recipe import DataRecipe, Recipe
from study.repetitions import repeat_splits
from tests.study.some_data import overlapping, recipe_of
from tests.tracked_files import ROOT
from tests.waiting import has_ended


def counted(slot):
    for k in range(3):
        with slot():
            pass
        yield k


def endless(slot):
    k = 0
    while True:
        with slot():
            time.sleep(0.01)
        k += 1
        yield k


def test_work_without_a_result_ends_too():
    def one_long_piece(slot):
        while True:
            with slot():
                time.sleep(0.01)
        yield

    job = Job("it", one_long_piece)
    time.sleep(0.1)
    job.cancel()
    assert has_ended(job, 1)
    assert (job.state, job.result) == ("cancelled", None)


def test_it_waits_for_its_turn_at_the_gate(monkeypatch):
    monkeypatch.setattr(jobs, "GATE", gate := Gate())
    with gate.step():
        job = Job("it", counted)
        assert not has_ended(job, 0.2)
        assert job.result is None
    assert has_ended(job, 10)


def test_another_one_ends_the_one_before_and_the_workspace_ends_all():
    hub = Hub()
    jobs = hub.open_second(hub.open()).document.jobs
    jobs.start("splits", "a", endless)
    first = jobs.find("splits", "a")
    assert jobs.find("splits", "b") is None
    jobs.start("splits", "b", endless)
    assert has_ended(first, 1)
    assert jobs.find("splits", "a") is None
    second = jobs.find("splits", "b")
    assert second.state == "running"
    hub.shutdown()
    assert has_ended(second, 1)
    assert not [thread for thread in threading.enumerate() if thread.name == "nca-job"]


def test_a_failure_is_said_and_an_unexpected_one_is_logged_without_details_on_the_page(caplog):
    def failing(slot):
        yield 1
        raise ValueError("It cannot be done.")

    job = Job("it", failing)
    assert has_ended(job, 10)
    assert (job.state, job.error, job.result) == ("failed", "It cannot be done.", 1)

    def download(watch):
        watch.tell("Coming.", 5, 10)
        raise ZeroDivisionError("secret path")

    job = Download(Entry("t", "T", "A test.", "download", Source("t"), lambda: None, download=download))
    assert has_ended(job, 20)
    assert job.state == "failed"
    assert "secret" not in job.error
    assert "ZeroDivisionError" in caplog.text
    assert job.progress == ("Coming.", 5, 10)


@pytest.mark.parametrize("key", ["tsne", "mcml"])
def test_one_fit_is_ended_before_it_is_done(key):
    digits = load_dataset("digits")
    recipe = Recipe(data=DataRecipe("digits"), panels=(PanelRecipe(key),))
    fitted = []

    def work(slot):
        for splits in repeat_splits(recipe, digits, 20, slot):
            fitted.append(splits)
            yield splits

    job = Job(key, work)
    time.sleep(1.5)
    assert job.state == "running"  # it is in the first split
    job.cancel()
    assert has_ended(job, 60)
    assert (job.state, fitted) == ("cancelled", [])


@pytest.mark.skipif(sys.platform != "linux", reason="the system has no priority for a single thread")
def test_jobs_and_trainings_give_way_and_the_thread_that_serves_does_not(monkeypatch):
    monkeypatch.setattr(gate, "NICENESS", NICENESS)

    def niceness(thread):
        return os.getpriority(os.PRIO_PROCESS, thread)

    def work(slot):
        yield niceness(threading.get_native_id())

    job = Job("splits", work)
    assert has_ended(job, 20)
    assert job.result == NICENESS
    space = Workspace("token", time.monotonic)
    space.document.recipe = replace(recipe_of(PanelRecipe("nca", {"max_iter": 4})), pace="calm")
    train(space, overlapping())
    try:
        run = space.runs["nca"].run
        assert run.wait_for(1, 30)
        assert niceness(run._thread.native_id) == NICENESS
        assert niceness(threading.get_native_id()) < NICENESS
    finally:
        space.discard()


PROGRAM = """
import sys
from pages.server.workers import WORKERS
from pages.server import trainings, routes
from pages.controls import experiments
from study.experiments.base import command
WORKERS.start()
print([name for name in sys.modules if name.split(".")[0] in ("dask", "distributed")])
"""


def test_without_the_setting_nothing_of_dask_is_imported_and_without_dask_it_is_said(monkeypatch):
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    told = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[-1] == "[]"
    workers = Workers()
    workers.start("")
    assert (workers.runner, workers.spread, workers.problem) == (run_locally, in_turn, "")
    monkeypatch.setitem(sys.modules, "study.cluster.connection", None)
    workers.start("tcp://127.0.0.1:9")
    assert workers.runner is run_locally
    assert "Dask is not installed: pip install distributed." in workers.problem


def test_without_a_scheduler_a_training_goes_on_here_and_the_stage_says_so(monkeypatch):
    connection_module = pytest.importorskip("study.cluster.connection")
    monkeypatch.setattr(connection_module, "ANSWERS_WITHIN", 0.2)
    WORKERS.start("tcp://127.0.0.1:9")
    space = Workspace("t" * 16, time.monotonic)
    try:
        space.document.recipe = recipe_of(PanelRecipe("nca", {"max_iter": 3}))
        trainings.train(space, overlapping())
        held = space.runs["nca"]
        assert held.run.wait_for_end(30)
        assert len(held.run.trajectory.snapshots) == 4
        said = "No Dask scheduler answers."
        assert held.run.note == f"{said} This training continues on this server."
        assert WORKERS.problem == f"{said} Its work runs on this server."
    finally:
        space.discard()
        WORKERS.close()
    assert WORKERS.runner is run_locally
    assert WORKERS.problem == ""
