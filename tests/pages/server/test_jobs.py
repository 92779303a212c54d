"""Work beside the page: results as they come, cancel within a second, failures in a sentence, an end with its owner."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from datasets.catalogue import load_dataset
from nca_core.training.gate import Gate
from pages.server.jobs import Job
from pages.server.workspace import Hub, Workspace
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.splits import repeat_splits
from tests.study.some_data import overlapping, recipe_of


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


def one_long_piece(slot):
    while True:
        with slot():
            time.sleep(0.01)
    yield


def failing(slot):
    yield 1
    raise ValueError("It cannot be done.")


def broken(slot):
    yield 1
    raise RuntimeError("secret")


@pytest.fixture
def space():
    space = Workspace("token", time.monotonic)
    yield space
    space.forget()


def test_it_gives_what_it_has_and_ends():
    job = Job("it", counted)
    assert job.wait(10)
    assert (job.state, job.result, job.error) == ("done", 2, "")


def test_cancel_ends_it_and_keeps_what_there_is():
    job = Job("it", endless)
    while not job.result:
        time.sleep(0.01)
    job.cancel()
    assert job.state == "cancelled"
    assert job.wait(1)
    assert job.result > 0


def test_splits_of_a_long_training_end_within_a_second():
    panels = PanelRecipe("nca", {"max_iter": 2_000, "objective": "g", "regularisation": 0.1})
    recipe = recipe_of(panels)
    job = Job(recipe, lambda slot: repeat_splits(recipe, overlapping(400), 1_000, slot))
    time.sleep(0.3)
    began = time.monotonic()
    job.cancel()
    assert job.wait(5)
    assert time.monotonic() - began < 1
    assert job.state == "cancelled"


def test_work_that_has_no_result_yet_ends_too():
    job = Job("it", one_long_piece)
    time.sleep(0.1)
    job.cancel()
    assert job.wait(1)
    assert (job.state, job.result) == ("cancelled", None)


def test_failures_are_said_and_errors_of_the_program_are_not_shown():
    job = Job("it", failing)
    assert job.wait(10)
    assert (job.state, job.error, job.result) == ("failed", "It cannot be done.", 1)
    job = Job("it", broken)
    assert job.wait(10)
    assert job.state == "failed"
    assert "secret" not in job.error


def test_it_waits_for_its_turn_at_the_gate():
    gate = Gate()
    with gate.step():
        job = Job("it", counted, gate)
        assert not job.wait(0.2)
        assert job.result is None
    assert job.wait(10)


def test_another_one_ends_the_one_before_and_what_it_was_about_counts(space):
    space.document.jobs.start("splits", "a", endless)
    first = space.document.jobs.find("splits", "a")
    assert space.document.jobs.find("splits", "b") is None
    space.document.jobs.start("splits", "b", endless)
    assert first.wait(1)
    assert space.document.jobs.find("splits", "a") is None
    assert space.document.jobs.find("splits", "b").state == "running"


def test_it_ends_with_the_workspace():
    hub = Hub(reap=False)
    space = hub.open()
    second = hub.open_second(space)
    second.document.jobs.start("splits", "a", endless)
    job = second.document.jobs.find("splits", "a")
    hub.shutdown()
    assert job.wait(1)
    assert not [thread for thread in threading.enumerate() if thread.name == "nca-job"]


@pytest.mark.parametrize("key", ["tsne", "mcml"])
def test_one_fit_is_ended_before_it_is_done(key):
    digits = load_dataset("digits")
    recipe = Recipe(data=DataRecipe("digits"), panels=(PanelRecipe(key),))
    job = Job(key, partial(repeat_splits, recipe, digits, 20))
    time.sleep(1.5)
    assert (job.state, job.result) == ("running", None)  # it is in the first split
    job.cancel()
    assert job.wait(10)  # one fit of either takes longer
    assert job.state == "cancelled"
