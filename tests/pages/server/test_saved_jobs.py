"""Repetitions, permutations and the search from many starts come back after a restart of the server, also half done."""

from __future__ import annotations

import threading
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from pages.server import saved_jobs
from pages.server.jobs import job_of, panel_asked, start_job
from pages.server.saved_jobs import LOST
from study.chance import Chance
from study.link import to_link
from study.optima import Optima, Reached, Trial
from study.panel import PanelRecipe
from study.panel_changes import unnamed
from study.recipe import DataRecipe, Recipe
from study.scores import NAMES
from study.splits import Splits

RECIPE = Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("pca"), PanelRecipe("nca", title="Mine")))
OF = unnamed(RECIPE)


def splits(done, wanted=9):
    values = np.arange(done * 2 * len(NAMES), dtype=float).reshape(done, 2, len(NAMES)) / 7
    values[:, 0, 1] = np.nan
    return Splits(OF, wanted, values, 100, 50)


def chance(done, wanted=9):
    return Chance(RECIPE, "nca", wanted, 0.9, float("nan"), np.arange(done) / 9, np.full(done, np.nan))


def optima(done, wanted=9):
    draw = np.random.default_rng(done).normal
    reached = tuple(
        Reached(
            *(Trial("random", k, 0.3), draw(size=(2, 4)), draw(size=(2, 4))),
            *(0.1 * k + 0.05, 10 + k, k == 1, draw(size=(2, 3)), np.arange(5, dtype=np.int32)),
        )
        for k in range(done)
    )
    return Optima("Mine", wanted, reached, tuple(range(done)), np.arange(5), True)


KINDS = {"splits": (OF, splits), "chance": ((OF, "nca"), chance), "optima": ((OF, "nca"), optima)}


def same(one, other):
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one)
        )
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)


class Work:
    """Gives results one by one, as the test says; and waits for what comes next."""

    def __init__(self, *results, ends=False):
        self.results, self.ends, self.goes_on = list(results), ends, threading.Event()
        self.given = threading.Event()

    def __call__(self, slot):
        yield from self.results
        self.given.set()
        if not self.ends:
            self.goes_on.wait(20)


@pytest.fixture
def begun(started):
    """A function that begins work on Ann's page of comparisons; (space, saver)."""
    works = []

    def begin(name, of, work):
        hub, saver = started()
        space = hub.open("ann")
        space.belongings.change(RECIPE)
        second = hub.open_second(space)
        start_job(second, name, of, work)
        works.append(work)
        assert work.given.wait(5)
        if work.ends:
            assert second.belongings.jobs[name].wait(5)
        return space, saver

    yield begin
    for work in works:
        work.goes_on.set()


def restarted(started, saver):
    """The page of comparisons after a restart, and after another one before anybody looked."""
    for _ in range(2):
        saver.save_all()
        assert saver.problem == ""
        _, saver = started()
        space = saver.take_up("ann", to_link(RECIPE), "a")
    return space.second


@pytest.mark.parametrize("name", KINDS)
def test_what_was_found_comes_back(started, begun, name):
    of, made = KINDS[name]
    _, saver = begun(name, of, Work(made(8), made(9), ends=True))
    second = restarted(started, saver)
    job = job_of(second, name, of)
    assert (job.state, job.error) == ("done", "")
    assert same(job.result, made(9))
    assert job_of(second, name, "something else") is None
    assert panel_asked(second, name) == ("" if name == "splits" else "nca")
    start_job(second, name, of, Work(ends=True))
    assert second.belongings.saved_jobs == {}
    assert job_of(second, name, of).result is None


@pytest.mark.parametrize("name", KINDS)
def test_what_was_under_way_comes_back_as_far_as_it_was(started, begun, name):
    of, made = KINDS[name]
    _, saver = begun(name, of, Work(made(3)))
    job = job_of(restarted(started, saver), name, of)
    assert job.state == "interrupted"
    assert job.wait(0)
    assert same(job.result, made(3))


def test_work_that_had_found_nothing_yet_is_told_and_that_nobody_can_name_too(started, begun):
    _, saver = begun("splits", OF, Work())
    job = job_of(restarted(started, saver), "splits", OF)
    assert (job.state, job.result) == ("interrupted", None)
    _, saver = begun("export", ("film", object()), Work())
    second = restarted(started, saver)
    assert second.belongings.saved_jobs == {}
    _, saver = begun("export", ("film", object()), Work(ends=True))
    saver.save_all()
    assert started()[1].take_up("ann", to_link(RECIPE), "a").second.belongings.came_back == ""


def test_what_cannot_be_kept_is_said_once(started, begun):
    _, saver = begun("export", ("film", object()), Work())
    saver.save_all()
    _, saver2 = started()
    second = saver2.take_up("ann", to_link(RECIPE), "a").second
    assert second.belongings.came_back == LOST


def test_numbers_of_other_columns_are_refused_in_a_sentence_and_all_else_comes_back(started, begun, monkeypatch):
    _, saver = begun("splits", OF, Work(splits(3), ends=True))
    saver.save_all()
    monkeypatch.setattr(saved_jobs, "NAMES", ("new", *NAMES))
    _, saver2 = started()
    back = saver2.take_up("ann", to_link(RECIPE), "a")
    job = job_of(back.second, "splits", OF)
    assert (job.state, job.result) == ("failed", None)
    assert "begin it anew" in job.error
    assert back.belongings.recipe == RECIPE


def test_what_is_large_is_written_anew_only_once_it_has_grown(begun, monkeypatch):
    space, saver = begun("optima", (OF, "nca"), Work(optima(8)))
    job, packs = space.second.belongings.jobs["optima"], []
    kind = saved_jobs._KINDS["optima"]
    monkeypatch.setitem(
        saved_jobs._KINDS,
        "optima",
        saved_jobs._Kind(Optima, lambda found: (packs.append(found.done), kind.pack(found))[1], kind.unpack, True),
    )
    for done in (8, 9, 9, 10, 11, 3):
        job._result = optima(done)
        saver.save_all()
    assert packs == [8, 10, 3]  # the last is another one
    job._state = "done"
    job._result = optima(4)
    saver.save_all()
    assert packs == [8, 10, 3, 4]
