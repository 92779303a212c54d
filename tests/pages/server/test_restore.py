"""Restored work: networks, short runs, embeddings, drawings, lessons; trainings only onto the rows they belong to."""

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
from pages.server import embeddings, records, session, trainings
from pages.server import saver as saver_module
from pages.server.jobs import EndedJob
from pages.server.records import LOST as LOST_JOB
from pages.server.trainings import restore_runs
from study.link import to_link
from study.measure import NAMES
from study.panel import PanelRecipe
from study.panel_changes import without_names
from study.recipe import DataRecipe, Recipe
from study.repetitions import Splits
from tests.study.test_codec import same
from tests.waiting import has_ended

LOST = "The server restarted. These no longer fit the panels and the data, so train them again: NCA."
WINE = load_dataset("wine")


def showing(space, panel):
    """The workspace with one panel on the stage."""
    recipe = space.document.recipe
    space.document.change(replace(recipe, data=replace(recipe.data, key="wine"), panels=(panel,), pace="normal"))
    trainings.show(space, WINE)
    return space


def trained(space, panel, count=4):
    showing(space, panel)
    trainings.train(space, WINE)
    run = space.runs[panel.key].run
    assert run.wait_for(1, 60)
    run.pause()
    run.min_interval = 0.0
    for there in range(2, count + 1):  # by steps, after which none is under way
        run.step()
        assert run.wait_for(there, 60)
    return space


@pytest.fixture
def restored(started):
    """A function that saves a workspace of Ann's and restores it after two restarts, the first without a page run."""

    def restore(saver, space):
        for _ in range(2):
            saver.save_all()
            assert saver.problem == ""
            _, saver = started()
            back = saver.restore("ann", to_link(space.document.recipe), "a")
        return back

    return restore


@pytest.fixture
def ann(started):
    """Ann's workspace and its saver."""
    hub, saver = started()
    return hub.open("ann"), saver


@pytest.fixture
def nca(ann, restored):
    """Ann's restored workspace with a training on wine."""
    return restored(ann[1], trained(ann[0], PanelRecipe("nca")))


def shown(space, data=WINE):
    return restore_runs(space, trainings.show(space, data))


def test_a_network_is_restored_with_its_coordinates_and_continues(ann, restored):
    panel = PanelRecipe("neural_nca", settings=(("n_hidden", 7), ("max_iter", 40)))
    before = trained(ann[0], panel).runs["neural_nca"].run.snapshots_since(0)
    back = restored(ann[1], ann[0])
    assert shown(back).endswith(f"Neural NCA {before[-1].iteration}.")
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


@pytest.fixture
def embedded(monkeypatch):
    """A function that shows data until the embeddings are there; the panels that were computed."""
    made = []

    def quick(panel, n_components, check):
        made.append(panel)
        places = np.random.default_rng(5).normal(size=(len(panel.X), n_components))
        return replace(panel, waits=False, problem="", embedding=places, note="a remark", seconds=3.5)

    def show(space, data):
        trainings.show(space, data)
        assert all(has_ended(job, 10) for job in embeddings.embedding_jobs(space.document))
        return trainings.show(space, data).panel("tsne")

    monkeypatch.setattr(embeddings, "embed", quick)
    return show, made


@pytest.mark.parametrize("other", ["", "rows", "dimensions", "seed"])
def test_an_embedding_is_restored_and_one_of_something_else_is_computed(ann, restored, embedded, other):
    show, made = embedded
    there = show(showing(ann[0], PanelRecipe("tsne")), WINE)
    back = restored(ann[1], ann[0])
    own, data = back.document, WINE
    if other == "rows":
        data = replace(data, X=data.X * np.linspace(1, 2, data.X.size).reshape(data.X.shape))
    elif other == "dimensions":
        own.recipe = replace(own.recipe, n_components=3)
    elif other == "seed":
        own.recipe = replace(own.recipe, panels=(replace(own.recipe.panels[0], random_state=7),))
    else:
        assert shown(back) == ""
    panel = show(back, data)
    assert len(made) == (2 if other else 1)
    assert other or np.array_equal(panel.embedding, there.embedding)
    assert (panel.note, panel.seconds, panel.problem) == ("a remark", 3.5, "")


def test_a_drawing_an_own_lesson_and_its_training_are_restored_unless_the_step_is_another(ann, started):
    space, saver = ann
    space.document.drawing = Drawing((-1333, 1000, 0, 5, -7, 8))
    lessons = trained(saver._hub.open_lessons(space), PanelRecipe("nca")).document
    lessons.progress = {("shadow", 0): StepDone(2, True), ("shadow", 1): StepDone()}
    lessons.own_lesson = OwnLesson("Mine", (OwnStep("Look."),), locked=frozenset({"data"}))
    lessons.own_step_shown = lessons.own_lesson, 0
    saver.save_all()
    _, saver2 = started()
    assert saver2.restore("ann", {}, "a") is None  # an address without settings
    assert saver2.restore("bob", None, "b") is None
    back = saver2.restore("ann", None, "a")
    assert back.document.drawing == space.document.drawing
    there = back.lessons.document
    assert there.progress == {}  # the browser keeps it
    for name in ("own_lesson", "own_step_shown", "recipe"):
        assert getattr(there, name) == getattr(lessons, name)
    assert there.own_data is back.document.own_data
    assert saver2.restore("ann", None, "b") is None  # it is here already
    assert shown(back.lessons).startswith("The server restarted. Trainings restored")
    assert len(back.lessons.runs["nca"].run.snapshots_since(0)) >= 3
    other = started()[1].restore("ann", None, "a").lessons
    trainings.reset(other)  # another step
    assert shown(other) == ""


def test_a_training_without_an_iteration_begins_anew_with_resume(ann, restored):
    space = showing(ann[0], PanelRecipe("nca"))
    space.set_run("nca", space.document.comparison.new_run("nca"))  # waits for its turn
    space.document.started["nca"] = space.document.recipe.panel("nca")
    back = restored(ann[1], space)
    assert shown(back).endswith("as they had no iteration yet: NCA.")
    again = back.runs["nca"].run
    assert (again.state, again.latest()) == ("paused", None)
    assert not trainings.differs(back)
    trainings.resume(back)
    assert again.wait_for(2, 60)
    start = space.document.comparison.panels[0].transformation
    assert np.array_equal(again.snapshots_since(0)[0].transformation, start)


# -- other rows


def swapped(name):
    array = getattr(WINE, name).copy()
    array[[3, 100]] = array[[100, 3]]
    return replace(WINE, **{name: array})


@pytest.mark.parametrize(
    ("data", "part", "settings"),
    [
        (swapped("X"), "noise", {}),
        (swapped("y"), "noise", {}),
        (WINE, "noise", {"flipped_share": 0.5}),
        (WINE, "preparation", {"random_state": 7}),
    ],
    ids=["features", "labels", "noise", "split"],
)
def test_a_replaced_table_and_an_older_address_with_other_rows_have_no_training(nca, data, part, settings):
    own = nca.document
    own.recipe = replace(own.recipe, **{part: replace(getattr(own.recipe, part), **settings)})
    assert shown(nca, data) == LOST
    assert not nca.runs
    assert not own.started


def test_rows_that_change_while_a_training_is_written_are_not_taken_for_its_own(ann, started, monkeypatch):
    space, saver = ann
    trained(space, PanelRecipe("nca"))
    real = records.rows_id

    def late(own, comparison):
        own.comparison = replace(comparison)
        return real(own, comparison)

    with monkeypatch.context() as patch:
        patch.setattr(records, "rows_id", late)
        saver.save_all()
    back = started()[1].restore("ann", to_link(space.document.recipe), "a")
    assert back.document.saved_runs["nca"].rows == ""
    assert shown(back) == LOST  # of unknown rows


# -- pages that overlap


def in_two_threads(one):
    """What `one` gives a first and, begun while that is under way, a second time."""
    with ThreadPoolExecutor(2) as both:
        return [each.result(30) for each in [both.submit(one), both.submit(one)]]


def slow(function):
    def slowly(*args, **options):
        time.sleep(0.2)
        return function(*args, **options)

    return slowly


def test_a_page_that_runs_twice_at_once_finds_its_workspace_once(ann, started, monkeypatch):
    space, saver = ann
    trained(space, PanelRecipe("nca"))
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


@pytest.fixture
def toasts(monkeypatch):
    said = []
    monkeypatch.setattr(comparison_module.st, "toast", lambda words, **_: said.append(words))
    return said


def test_a_page_that_runs_twice_at_once_shows_restored_trainings_both_times(nca, toasts, monkeypatch):
    monkeypatch.setattr(trainings, "rows_id", slow(trainings.rows_id))  # after the saved runs were taken

    def once():
        comparison_module.put_on_stage(nca, WINE)
        return list(nca.runs)

    assert in_two_threads(once) == [["nca"], ["nca"]]
    assert set(toasts) == {toasts[0]}


def test_restored_trainings_are_named_by_the_next_run_if_the_first_was_ended(nca, toasts, monkeypatch):
    def ended(*_, **__):
        raise StopException

    with monkeypatch.context() as patch:
        patch.setattr(comparison_module.st, "toast", ended)
        with pytest.raises(StopException):
            comparison_module.put_on_stage(nca, WINE)
    comparison_module.put_on_stage(nca, WINE)
    comparison_module.put_on_stage(nca, WINE)
    assert len(toasts) == 1
    assert "The server restarted" in toasts[0]


# -- jobs


RECIPE = Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("pca"), PanelRecipe("nca", title="Mine")))
OF = (without_names(RECIPE), "nca")


def splits(done):
    values = np.arange(done * 2 * len(NAMES), dtype=float).reshape(done, 2, len(NAMES)) / 7
    values[:, 0, 1] = np.nan
    return Splits(RECIPE, 9, values, 100, 50)


@pytest.fixture
def of_comparisons(started):
    """A function that restores Ann's page of comparisons, which had a job, after so many restarts; its document."""

    def restore(of, state, result, restarts=2):
        hub, saver = started()
        space = hub.open("ann")
        space.document.change(RECIPE)
        hub.open_second(space).document.jobs["work"] = EndedJob(of, state, result)
        for _ in range(restarts):  # before anybody looked
            saver.save_all()
            assert saver.problem == ""
            _, saver = started()
            space = saver.restore("ann", to_link(RECIPE), "a")
        assert space.document.recipe == RECIPE
        return space.second.document

    return restore


@pytest.mark.parametrize(
    ("state", "result", "there"),
    [
        ("done", splits(9), "done"),
        ("running", splits(3), "interrupted"),
        ("running", None, "interrupted"),
        ("running", object(), "interrupted"),  # cannot be saved
    ],
)
def test_what_was_found_comes_back_as_far_as_it_was(of_comparisons, state, result, there):
    jobs = of_comparisons(OF, state, result).jobs
    job = jobs.find("work", OF)
    assert (job.state, job.error) == (there, "")
    assert same(job.result, result) if isinstance(result, Splits) else job.result is None
    assert jobs.find("work", "something else") is None
    assert jobs.panel("work") == "nca"


@pytest.mark.parametrize(("state", "notice"), [("running", LOST_JOB), ("done", "")])
def test_what_cannot_be_saved_is_said_where_it_was_under_way(of_comparisons, state, notice):
    second = of_comparisons(("film", object()), state, None, restarts=1)
    assert not second.jobs
    assert second.notice == notice


def test_numbers_of_other_columns_are_refused_in_a_sentence_and_all_else_comes_back(of_comparisons, monkeypatch):
    read = saver_module.read_documents

    def by_another_version(*of):
        with monkeypatch.context() as patch:
            patch.setattr("study.measure.NAMES", ("new", *NAMES))
            return read(*of)

    monkeypatch.setattr(saver_module, "read_documents", by_another_version)
    job = of_comparisons(OF, "done", splits(3), restarts=1).jobs.find("work", OF)
    assert (job.state, job.result) == ("failed", None)
    assert "start again" in job.error
