"""Embeddings that are fitted apart: shown when they are there, ended when nobody waits any more."""

import threading
import time
from dataclasses import replace

import numpy as np
import psutil
import pytest

from nca_core.methods import METHODS
from pages.server import embeddings, trainings
from pages.server.embeddings import embedding_jobs, try_again
from pages.server.workspace import Hub
from study.compare import compare
from study.embed import embed
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of
from tests.waiting import until


@pytest.fixture
def space():
    hub = Hub()
    held = hub.open()
    held.document.recipe = recipe_of(PanelRecipe("pca"), PanelRecipe("tsne", random_state=4))
    yield held
    hub.shutdown()


def all_fitted(space):
    until(lambda: all(job.fitted is not None for job in embedding_jobs(space.document)))


def test_the_page_shows_at_once_and_the_embedding_when_it_is_there(space):
    dataset = overlapping()
    first = trainings.show(space, dataset)
    waiting = first.panel("tsne")
    assert waiting.waits
    assert waiting.problem == "t-SNE is being computed; it appears here by itself."
    assert first.panel("pca").transformation is not None
    assert trainings.show(space, dataset) is first or not embedding_jobs(space.document)  # nothing begins twice
    version = space.shown.version
    all_fitted(space)
    then = trainings.show(space, dataset)
    assert space.shown.version == version + 1
    panel = then.panel("tsne")
    assert (panel.waits, panel.problem) == (False, "")
    expected = METHODS["tsne"].fit(panel.X, np.full(90, -1), 2, 4).embedding
    np.testing.assert_allclose(panel.embedding, expected)
    assert panel.note == compare(space.document.recipe, dataset).panel("tsne").note
    assert embedding_jobs(space.document) == []
    assert trainings.show(space, dataset) is then


def test_other_rows_and_dimensions_begin_anew_and_a_panel_that_goes_ends_its_process(space, monkeypatch):
    begun, left = [], []

    def slow(panel, n_components, check):
        begun.append(panel.X)
        try:
            while True:
                check()
                time.sleep(0.01)
        except Exception:
            left.append(n_components)
            raise

    monkeypatch.setattr(embeddings, "embed", slow)
    dataset, own = overlapping(), space.document
    trainings.show(space, dataset)
    own.recipe = recipe_of(*own.recipe.panels, n_components=3)
    trainings.show(space, dataset)
    until(lambda: left == [2])
    own.recipe = recipe_of(PanelRecipe("pca"), n_components=3)
    trainings.show(space, dataset)
    until(lambda: left == [2, 3])
    own.recipe = recipe_of(PanelRecipe("tsne"))
    trainings.show(space, dataset)
    until(lambda: len(begun) == 3)
    then = trainings.show(space, overlapping(100)).panel("tsne")
    until(lambda: len(begun) == 4)
    assert begun[3] is then.X
    assert [job.panel.X is then.X for job in embedding_jobs(own)] == [True]
    space.discard()
    until(lambda: left == [2, 3, 2, 2])


def test_two_are_computed_at_once_and_the_others_wait(space, monkeypatch):
    at_work, most, go_on = set(), [], threading.Event()

    def counted(panel, n_components, check):
        at_work.add(panel.key)
        most.append(len(at_work))
        go_on.wait(30)
        at_work.discard(panel.key)
        return panel

    monkeypatch.setattr(embeddings, "embed", counted)
    space.document.recipe = recipe_of(*(PanelRecipe(key) for key in ("tsne", "tsne-2", "tsne-3", "tsne-4")))
    trainings.show(space, overlapping())
    until(lambda: len(at_work) == 2)
    time.sleep(0.5)
    go_on.set()
    until(lambda: len(most) == 4)
    assert max(most) == 2


def test_what_was_broken_off_begins_anew_when_that_is_asked_for_and_only_then(space, monkeypatch):
    dataset, asked, goes_on = overlapping(), [], threading.Event()

    def ends(panel, n_components, check):
        asked.append(panel.waits)
        if len(asked) == 1:
            raise ZeroDivisionError
        goes_on.wait(30)
        return replace(panel, waits=False, problem="It was ended.", broken_off=True)

    monkeypatch.setattr(embeddings, "embed", ends)
    trainings.show(space, dataset)
    all_fitted(space)
    ended = trainings.show(space, dataset).panel("tsne")
    assert ended.problem.startswith("t-SNE was not computed. This failed by an error")
    assert ended.broken_off
    assert trainings.show(space, dataset).panel("tsne") is ended
    assert embedding_jobs(space.document) == []
    for _ in range(2):  # a double press
        try_again(space.document, ended)
    waiting = trainings.show(space, dataset).panel("tsne")
    assert (waiting.waits, waiting.broken_off) == (True, False)
    goes_on.set()
    all_fitted(space)
    assert asked == [True, True]


def test_a_process_ends_at_a_check_that_raises_and_says_so_where_it_is_killed():
    waiting = compare(recipe_of(PanelRecipe("tsne")), overlapping(), apart=True).panel("tsne")

    def processes():  # and not a browser of other tests
        return [child for child in psutil.Process().children() if "study.embed" in child.cmdline()]

    def leave():
        raise KeyboardInterrupt

    def kill():
        for child in processes():
            child.kill()

    with pytest.raises(KeyboardInterrupt):
        embed(waiting, 2, leave)
    assert not processes()
    done = embed(waiting, 2, kill)
    assert (done.waits, done.broken_off) == (False, True)
    assert done.problem == "t-SNE was ended by the system; try it again, or take a sample of the rows."
