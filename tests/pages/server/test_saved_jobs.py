"""Results of jobs are restored after a restart, also of jobs that were under way."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from pages.server.records import LOST
from study.link import to_link
from study.measure import NAMES
from study.panel import PanelRecipe
from study.panel_changes import unnamed
from study.recipe import DataRecipe, Recipe
from study.splits import Splits
from tests.pages.server.test_codec import same

RECIPE = Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("pca"), PanelRecipe("nca", title="Mine")))
OF = (unnamed(RECIPE), "nca")


def splits(done):
    values = np.arange(done * 2 * len(NAMES), dtype=float).reshape(done, 2, len(NAMES)) / 7
    values[:, 0, 1] = np.nan
    return Splits(RECIPE, 9, values, 100, 50)


class Work:
    """Gives results one by one, then ends or waits."""

    def __init__(self, *results, ends=False):
        self.results, self.ends = results, ends
        self.given, self.goes_on = threading.Event(), threading.Event()

    def __call__(self, slot):
        yield from self.results
        self.given.set()
        if not self.ends:
            self.goes_on.wait(20)


@pytest.fixture
def begun(started):
    """A function that begins work on Ann's page of comparisons; (space, saver)."""
    works = []

    def begin(of, work):
        hub, saver = started()
        space = hub.open("ann")
        space.document.change(RECIPE)
        second = hub.open_second(space)
        second.document.jobs.start("work", of, work)
        works.append(work)
        assert work.given.wait(5)
        if work.ends:
            assert second.document.jobs["work"].wait(5)
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


def test_what_was_found_comes_back(started, begun):
    _, saver = begun(OF, Work(splits(8), splits(9), ends=True))
    second = restarted(started, saver)
    job = second.document.jobs.find("work", OF)
    assert (job.state, job.error) == ("done", "")
    assert same(job.result, splits(9))
    assert second.document.jobs.find("work", "something else") is None
    assert second.document.jobs.panel("work") == "nca"
    second.document.jobs.start("work", OF, Work(ends=True))
    assert second.document.jobs.find("work", OF).result is None


@pytest.mark.parametrize("results", [(), (splits(3),)])
def test_what_was_under_way_comes_back_as_far_as_it_was(started, begun, results):
    _, saver = begun(OF, Work(*results))
    job = restarted(started, saver).document.jobs.find("work", OF)
    assert job.state == "interrupted"
    assert job.wait(0)
    assert (job.result is None) == (not results)
    assert not results or same(job.result, splits(3))


@pytest.mark.parametrize("ends", [False, True])
def test_what_cannot_be_saved_is_said_where_it_was_under_way(started, begun, ends):
    _, saver = begun(("film", object()), Work(ends=ends))
    saver.save_all()
    second = started()[1].take_up("ann", to_link(RECIPE), "a").second
    assert not second.document.jobs
    assert second.document.notice == ("" if ends else LOST)


def test_a_result_that_cannot_be_saved_does_not_hinder_the_rest(started, begun):
    _, saver = begun(OF, Work(object(), ends=True))
    assert restarted(started, saver).document.jobs.find("work", OF).result is None


def test_numbers_of_other_columns_are_refused_in_a_sentence_and_all_else_comes_back(started, begun, monkeypatch):
    _, saver = begun(OF, Work(splits(3), ends=True))
    saver.save_all()
    monkeypatch.setattr("study.measure.NAMES", ("new", *NAMES))
    back = started()[1].take_up("ann", to_link(RECIPE), "a")
    job = back.second.document.jobs.find("work", OF)
    assert (job.state, job.result) == ("failed", None)
    assert "start again" in job.error
    assert back.document.recipe == RECIPE
