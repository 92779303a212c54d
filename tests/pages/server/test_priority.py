"""Trainings and long work give way to the page and to the browser; what serves does not."""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import replace

import pytest

from nca_core.priority import NICENESS, give_way
from pages.server.job import Job
from pages.server.trainings import train
from pages.server.workspace import Workspace
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of

linux = pytest.mark.skipif(sys.platform != "linux", reason="the system has no priority for a single thread")


def niceness():
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@linux
def test_a_thread_that_gives_way_takes_those_along_that_it_starts():
    before, found = niceness(), []

    def start_another():
        give_way()
        found.append(niceness())
        another = threading.Thread(target=lambda: found.append(niceness()))
        another.start()
        another.join()

    thread = threading.Thread(target=start_another)
    thread.start()
    thread.join()
    assert found == [NICENESS, NICENESS]
    assert niceness() == before < NICENESS


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
    space.belongings.recipe = replace(recipe_of(PanelRecipe("nca", {"max_iter": 4})), pace="calm")
    train(space, overlapping())
    try:
        run = space.runs["nca"].run
        assert run.wait_for(1, 30)
        assert os.getpriority(os.PRIO_PROCESS, run._thread.native_id) == NICENESS
        assert niceness() < NICENESS
    finally:
        space.forget()
