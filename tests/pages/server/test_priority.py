"""Trainings and long work give way to the page and to the browser; what serves does not."""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import replace

import pytest

from nca_core.training.gate import NICENESS
from pages.server.jobs import Job
from pages.server.trainings import train
from pages.server.workspace import Workspace
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of

linux = pytest.mark.skipif(sys.platform != "linux", reason="the system has no priority for a single thread")


def niceness():
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@linux
def test_long_work_gives_way():
    def work(slot):
        yield niceness()

    job = Job("splits", work)
    assert job.wait(20)
    assert job.result == NICENESS


@linux
def test_a_training_gives_way_and_the_thread_that_serves_does_not():
    space = Workspace("token", time.monotonic)
    space.document.recipe = replace(recipe_of(PanelRecipe("nca", {"max_iter": 4})), pace="calm")
    train(space, overlapping())
    try:
        run = space.runs["nca"].run
        assert run.wait_for(1, 30)
        assert os.getpriority(os.PRIO_PROCESS, run._thread.native_id) == NICENESS
        assert niceness() < NICENESS
    finally:
        space.forget()
