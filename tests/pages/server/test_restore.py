"""Everything that takes long to have again is in the store: networks, short runs, embeddings, drawings, lessons."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import StopException

from datasets.catalogue import load_dataset
from datasets.drawn import Drawing
from lessons.base.lesson import StepDone
from lessons.base.own import OwnLesson, OwnStep
from pages.controls import comparison as comparison_module
from pages.server import embeddings, session, trainings
from pages.server import saver as saver_module
from pages.server.trainings import restore_runs
from study.link import to_link
from study.panel import PanelRecipe


def showing(hub, panel, data="wine"):
    """Ann's workspace with one panel on the stage."""
    space = hub.open("ann")
    recipe = space.document.recipe
    space.document.change(replace(recipe, data=replace(recipe.data, key=data), panels=(panel,), pace="normal"))
    trainings.show(space, load_dataset(data))
    return space


def trained(hub, panel, count=4):
    space = showing(hub, panel)
    trainings.train(space, load_dataset("wine"))
    run = space.runs[panel.key].run
    assert run.wait_for(1, 60)
    run.pause()
    run.min_interval = 0.0
    for there in range(2, count + 1):  # by steps, after which none is under way
        run.step()
        assert run.wait_for(there, 60)
    return space


def after_a_restart(started, saver, space):
    """The workspace at the next server, looked at, and what is said there; the same after one more restart before."""
    saver.save_all()
    assert saver.problem == ""
    link = to_link(space.document.recipe)
    _, saver2 = started()
    assert saver2.take_up("ann", link, "a") is not None
    saver2.save_all()  # killed before the page was run
    _, saver3 = started()
    back = saver3.take_up("ann", link, "a")
    data = load_dataset("wine")
    return back, restore_runs(back, trainings.show(back, data))


def test_a_network_comes_back_with_its_places_and_goes_on_from_where_it_was(started):
    hub, saver = started()
    panel = PanelRecipe("neural_nca", settings=(("n_hidden", 7), ("max_iter", 40)))
    space = trained(hub, panel)
    before = space.runs["neural_nca"].run.snapshots_since(0)
    back, words = after_a_restart(started, saver, space)
    assert words.endswith(f"Neural NCA {before[-1].iteration}.")
    run = back.runs["neural_nca"].run
    there = run.snapshots_since(0)
    for old, new in zip(before, there, strict=True):
        for name in ("W", "b", "V", "centre", "spread", "units"):
            assert np.array_equal(getattr(new.network, name), getattr(old.network, name))
        assert np.allclose(new.coordinates, old.coordinates, rtol=1e-12, atol=1e-12)
        assert new.objective == old.objective
    run.min_interval = 0.0
    run.resume()
    assert run.wait_for(len(there) + 2, 60)
    later = run.snapshots_since(len(there) - 1)
    assert later[1].iteration == before[-1].iteration + 1
    assert later[1].objective > later[0].objective


def test_the_short_runs_that_led_to_the_start_come_back(started):
    hub, saver = started()
    space = trained(hub, PanelRecipe("nca", start="best_of_several"), count=1)
    before = space.runs["nca"].run.starts
    assert len(before) == 5
    back, _ = after_a_restart(started, saver, space)
    for old, new in zip(before, back.runs["nca"].run.starts, strict=True):
        assert (new.initialisation, new.scale, new.mean_p) == (old.initialisation, old.scale, old.mean_p)
        assert np.array_equal(new.transformation, old.transformation)
        assert [at.objective for at in new.path] == [at.objective for at in old.path]
        assert all(np.array_equal(a.transformation, b.transformation) for a, b in zip(new.path, old.path, strict=True))


made = []


def quick_embed(panel, n_components, check):
    made.append(panel)
    places = np.random.default_rng(5).normal(size=(len(panel.X), n_components))
    return replace(panel, waits=False, problem="", embedding=places, note="a remark", seconds=3.5)


def embedded(space, data):
    """Show, wait for the embeddings, and show them."""
    trainings.show(space, data)
    assert all(job.wait(10) for job in embeddings.embedding_jobs(space.document))
    return trainings.show(space, data)


@pytest.fixture
def quick_embeddings(monkeypatch):
    """A process that finds places would take seconds."""
    monkeypatch.setattr(embeddings, "embed", quick_embed)
    made.clear()


@pytest.mark.usefixtures("quick_embeddings")
def test_an_embedding_is_not_computed_again(started):
    hub, saver = started()
    space = showing(hub, PanelRecipe("tsne"))
    there = embedded(space, load_dataset("wine")).panel("tsne")
    back, words = after_a_restart(started, saver, space)
    panel = back.document.comparison.panel("tsne")
    assert np.array_equal(panel.embedding, there.embedding)
    assert (panel.note, panel.seconds, panel.problem) == ("a remark", 3.5, "")
    assert len(made) == 1
    assert words == ""
    # What stood on the stage goes on being kept, and only while it is of the same.
    recipe = back.document.recipe
    assert not back.document.saved_embeddings
    back.document.change(replace(recipe, preparation=replace(recipe.preparation, step="none")))
    embedded(back, load_dataset("wine"))
    assert len(made) == 2


@pytest.mark.usefixtures("quick_embeddings")
@pytest.mark.parametrize("other", ["rows", "dimensions", "seed"])
def test_an_embedding_of_something_else_is_computed(started, other):
    hub, saver = started()
    space = showing(hub, PanelRecipe("tsne"))
    embedded(space, load_dataset("wine"))
    saver.save_all()
    _, saver2 = started()
    back = saver2.take_up("ann", to_link(space.document.recipe), "a")
    own, data = back.document, load_dataset("wine")
    if other == "rows":
        data = replace(data, X=data.X * np.linspace(1, 2, data.X.size).reshape(data.X.shape))
    elif other == "dimensions":
        own.recipe = replace(own.recipe, n_components=3)
    else:
        own.recipe = replace(own.recipe, panels=(replace(own.recipe.panels[0], random_state=7),))
    embedded(back, data)
    assert len(made) == 2


def test_a_drawing_and_what_was_done_in_lessons_come_back(started):
    hub, saver = started()
    space = hub.open("ann")
    space.document.drawing = Drawing((-1333, 1000, 0, 5, -7, 8))
    lessons = hub.open_lessons(space).document
    lessons.progress = {("shadow", 0): StepDone(2, True), ("shadow", 1): StepDone()}
    lessons.own_lesson = OwnLesson("Mine", (OwnStep("Look."),), locked=frozenset({"data"}))
    lessons.own_step_shown = lessons.own_lesson, 0
    lessons.recipe = replace(lessons.recipe, n_components=3)
    saver.save_all()
    _, saver2 = started()
    assert saver2.take_up("ann", {}, "a") is None  # an address without settings
    assert saver2.take_up("bob", None, "b") is None
    back = saver2.take_up("ann", None, "a")
    assert back.document.drawing == space.document.drawing
    there = back.lessons.document
    assert there.progress == {}  # the browser keeps it
    for name in ("own_lesson", "own_step_shown", "recipe"):
        assert getattr(there, name) == getattr(lessons, name)
    assert there.own_data is back.document.own_data
    assert saver2.take_up("ann", None, "b") is None  # it is here already


def test_a_training_in_a_lesson_comes_back_where_the_step_is_the_same(started):
    hub, saver = started()
    first, data = hub.open("ann"), load_dataset("wine")
    space = hub.open_lessons(first)
    own = space.document
    own.recipe = replace(own.recipe, data=replace(own.recipe.data, key="wine"), panels=(PanelRecipe("nca"),))
    trainings.show(space, data)
    trainings.train(space, data)
    assert space.runs["nca"].run.wait_for(3, 60)
    space.runs["nca"].run.pause()
    saver.save_all()
    _, saver2 = started()
    back = saver2.take_up("ann", None, "a").lessons
    assert restore_runs(back, trainings.show(back, data)).startswith("The server restarted. Trainings restored")
    assert len(back.runs["nca"].run.snapshots_since(0)) >= 3
    _, saver3 = started()
    other = saver3.take_up("ann", None, "a").lessons
    trainings.reset(other)  # another step
    assert restore_runs(other, trainings.show(other, data)) == ""


def test_a_training_that_was_looking_for_its_start_begins_anew_with_resume(started):
    hub, saver = started()
    space = showing(hub, PanelRecipe("nca"))
    run = space.document.comparison.new_run("nca")  # waits for its turn
    space.set_run("nca", run)
    space.document.started["nca"] = space.document.recipe.panel("nca")
    back, words = after_a_restart(started, saver, space)
    assert words.endswith("as they had no iteration yet: NCA.")
    again = back.runs["nca"].run
    assert (again.state, again.latest()) == ("paused", None)
    assert not trainings.differs(back)
    trainings.go_on(back)
    assert again.wait_for(2, 60)
    assert np.array_equal(
        again.snapshots_since(0)[0].transformation, space.document.comparison.panels[0].transformation
    )


def in_two_threads(one):
    """What `one` gives a first and, begun while that is under way, a second time."""
    with ThreadPoolExecutor(2) as both:
        return [each.result(30) for each in [both.submit(one), both.submit(one)]]


def slow(function):
    def slowly(*args, **options):
        time.sleep(0.2)
        return function(*args, **options)

    return slowly


def test_a_page_that_is_run_twice_at_once_finds_its_workspace_once(started, monkeypatch):
    hub, saver = started()
    space = trained(hub, PanelRecipe("nca"))
    saver.save_all()
    hub2, saver2 = started()
    monkeypatch.setattr(session, "HUB", hub2)
    monkeypatch.setattr(session, "SAVER", saver2)
    monkeypatch.setattr(saver_module, "read_documents", slow(saver_module.read_documents))
    link = to_link(space.document.recipe)
    first, second = in_two_threads(lambda: session.found("ann", link, "a", lambda: True))
    assert first is second
    assert first.document.saved_runs
    assert len(hub2.tabs()) == 1


def test_a_page_that_is_run_twice_at_once_shows_what_came_back_both_times(started, monkeypatch):
    hub, saver = started()
    space = trained(hub, PanelRecipe("nca"))
    saver.save_all()
    back = started()[1].take_up("ann", to_link(space.document.recipe), "a")
    toasts = []
    monkeypatch.setattr(trainings, "rows_id", slow(trainings.rows_id))  # after the saved runs were taken
    monkeypatch.setattr(comparison_module.st, "toast", lambda words, **_: toasts.append(words))

    def once():
        comparison_module.put_on_stage(back, load_dataset("wine"))
        return list(back.runs)

    assert in_two_threads(once) == [["nca"], ["nca"]]
    assert toasts
    assert set(toasts) == {toasts[0]}


def test_what_came_back_is_said_by_the_next_run_where_the_first_was_ended_before(started, monkeypatch):
    hub, saver = started()
    space = trained(hub, PanelRecipe("nca"))
    saver.save_all()
    back = started()[1].take_up("ann", to_link(space.document.recipe), "a")

    def ended(*_, **__):
        raise StopException

    monkeypatch.setattr(comparison_module.st, "toast", ended)
    with pytest.raises(StopException):
        comparison_module.put_on_stage(back, load_dataset("wine"))
    said = []
    monkeypatch.setattr(comparison_module.st, "toast", lambda words, **_: said.append(words))
    comparison_module.put_on_stage(back, load_dataset("wine"))
    comparison_module.put_on_stage(back, load_dataset("wine"))
    assert len(said) == 1
    assert "The server restarted" in said[0]
