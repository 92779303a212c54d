"""What was trained comes back onto the rows that it was trained on, and onto no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from datasets.catalogue import load_dataset
from pages.server import records, trainings
from pages.server.trainings import restore_runs
from study.link import to_link
from study.panel import PanelRecipe

LOST = "The server restarted. These no longer fit the panels and the data, so train them again: NCA."


def trained(space, data):
    """Train a few iterations and hold; gives what the tab has."""
    own = space.document
    own.change(replace(own.recipe, data=replace(own.recipe.data, key="iris"), panels=(PanelRecipe("nca"),)))
    trainings.show(space, data)
    trainings.train(space, data)
    assert space.runs["nca"].run.wait_for(3, 60)
    space.runs["nca"].run.pause()
    return own


@pytest.fixture
def back(started):
    """Ann's workspace after a restart, with a training on iris; her page has not been run yet."""
    hub, saver = started()
    space = hub.open("ann")
    own = trained(space, load_dataset("iris"))
    saver.save_all()
    _, between = started()
    between.take_up("ann", to_link(own.recipe), "a")
    between.save_all()  # killed before the page was run
    return started()[1].take_up("ann", to_link(own.recipe), "a")


def others(name):
    """Iris with other content under the same name."""
    iris = load_dataset("iris")
    array = getattr(iris, name).copy()
    array[[3, 100]] = array[[100, 3]]
    return replace(iris, **{name: array})


def brought(space, data):
    return restore_runs(space, trainings.show(space, data))


@pytest.mark.parametrize("changed", ["X", "y"])
def test_a_table_that_was_replaced_has_no_training(back, changed):
    assert brought(back, others(changed)) == LOST
    assert not back.runs
    assert not back.document.started


@pytest.mark.parametrize("changed", ["noise", "preparation"])
def test_an_older_address_with_other_rows_has_no_training(back, changed):
    own = back.document
    other = {
        "noise": replace(own.recipe.noise, flipped_share=0.5),
        "preparation": replace(own.recipe.preparation, random_state=7),
    }
    own.recipe = replace(own.recipe, **{changed: other[changed]})
    assert brought(back, load_dataset("iris")) == LOST
    assert not back.runs


def test_what_an_earlier_version_kept_comes_back_onto_no_rows(back):
    own = back.document
    own.saved_runs = {"nca": replace(own.saved_runs["nca"], rows="")}
    assert brought(back, load_dataset("iris")) == LOST


def test_the_same_rows_read_anew_have_their_training(back):
    iris = load_dataset("iris")
    again = replace(iris, X=iris.X.copy(), y=iris.y.copy(), notes=("read anew",))
    assert "restored up to their last saved iteration: NCA" in brought(back, again)
    assert len(back.runs["nca"].run.snapshots_since(0)) >= 3


def test_rows_that_come_while_a_training_is_written_are_not_taken_for_its_own(started, monkeypatch):
    hub, saver = started()
    space, iris = hub.open("ann"), load_dataset("iris")
    own = trained(space, iris)
    real = records.rows_id

    def late(own, comparison):
        own.comparison = replace(comparison)
        return real(own, comparison)

    monkeypatch.setattr(records, "rows_id", late)
    saver.save_all()
    there = started()[1].take_up("ann", to_link(own.recipe), "a")
    assert there.document.saved_runs["nca"].rows == ""
