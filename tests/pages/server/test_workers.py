"""Where trainings and long work are done: here, or on workers; without these here, with a sentence."""

import os
import subprocess
import sys
import time

import pytest

from nca_core.training.run import here
from pages.server import trainings
from pages.server.workers import WORKERS, Workers
from pages.server.workspace import Workspace
from study.cluster import VARIABLE
from study.panel import PanelRecipe
from study.pieces import in_turn
from tests.study.some_data import overlapping, recipe_of
from tests.tracked_files import ROOT

PROGRAM = """
import sys
from pages.server.workers import WORKERS
from pages.server import trainings, live
from pages.controls import experiments
from study.experiments.base import command
WORKERS.start()
print([name for name in sys.modules if name.split(".")[0] in ("dask", "distributed")])
"""


def test_without_the_setting_nothing_of_dask_is_imported():
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    told = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[-1] == "[]"


def test_without_the_setting_all_is_done_here():
    workers = Workers()
    workers.start("")
    assert (workers.where, workers.spread, workers.problem) == (here, in_turn, "")


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
        assert held.run.note == f"{said} This training goes on here."
        assert WORKERS.problem == f"{said} What it should do is done here."
    finally:
        space.forget()
        WORKERS.close()
    assert WORKERS.where is here
    assert WORKERS.problem == ""


def test_where_dask_is_not_installed_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "study.cluster.connection", None)
    workers = Workers()
    workers.start("tcp://127.0.0.1:9")
    assert workers.where is here
    assert "Dask is not installed: pip install distributed." in workers.problem
