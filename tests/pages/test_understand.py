"""The page of questions without a browser: the pinned row, its link, tables, figures, noise."""

from types import SimpleNamespace

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.noise_lab import NoiseConfig
from pages.controls import point as pinned
from pages.server import trainings
from pages.server.workspace import Hub
from stage import streamlit_host
from study.coping import noise_response
from study.learnt import k_curve, metric_history
from study.one_point import doubtful_rows, predicted_classes
from study.panel import PanelRecipe
from tests.pages.app_page import address, bring, button, lines, press, run_of, said, space, train
from tests.study.some_data import overlapping, recipe_of
from tests.waiting import has_ended

WINE = {"data": "wine", "panels": "pca,nca", "nca.max_iter": "6"}


@pytest.fixture
def understand(open_page):
    return open_page(WINE, "understand.py")


def test_a_link_names_the_row_and_the_question(open_page):
    page = open_page({**WINE, "point": "37", "ask": "k"})
    press(page, "Step")
    run = run_of(page)
    page.switch_page("understand.py").run()  # the recipe of Explore and its runs
    assert run_of(page) is run
    assert page.get("bidi_component")
    for address_now, question, row in (("37", "k", "37"), ("9999", "why", None)):
        page = open_page({**WINE, "point": address_now, "ask": question}, "understand.py")
        assert not page.warning
        asked = question if row else "point"
        assert page.button_group(key="understand.ask").value == asked
        assert (address(page).get("point"), address(page)["ask"], address(page)["data"]) == (row, asked, "wine")
        page.button_group(key="understand.ask").set_value("point").run()
        assert address(page)["ask"] == "point"
        assert ("Row 37 is of class" if row else "Press a point on the stage") in lines(page)


def test_every_page_shows_the_same_accuracy_below_solved_panels(open_page, monkeypatch):
    shown, live_stage = {}, streamlit_host.live_stage

    def recorded(*of, **more):
        shown[more["key"]] = more.get("solved")
        return live_stage(*of, **more)

    monkeypatch.setattr(streamlit_host, "live_stage", recorded)
    page = open_page(WINE, "understand.py")
    page.switch_page("explore.py").run()
    assert shown["understand.stage"]["pca"][0] > 0.5
    assert shown["understand.stage"] == shown["explore.stage"]
    assert "held-out rows, its accuracy" not in lines(page)  # nothing is chosen before a training
    train(page)
    assert "choose a panel or λ by these held-out rows, its accuracy on them is too good." in lines(page)


def test_every_rule_says_what_it_takes_the_row_for_and_doubtful_rows_are_listed_at_the_iteration_chosen(open_page):
    page = open_page({**WINE, "point": "62"}, "understand.py")
    assert "Press Train or Step first" in lines(page)
    train(page)
    comparison, snapshots = space(page).document.comparison, run_of(page).trajectory.snapshots
    row = int(np.flatnonzero(comparison.prepared.raw.row_numbers == 62)[0])
    told = {
        "All features": predicted_classes(comparison, None, row),
        "PCA": predicted_classes(comparison, "pca", row),
        "NCA": predicted_classes(comparison, "nca", row, run_of(page).latest()),
    }
    names = comparison.prepared.raw.class_names

    def listed(column="Rule"):
        return next(frame.value for frame in page.dataframe if column in frame.value)

    assert listed("p_i")["p_i"].tolist() == pytest.approx(doubtful_rows(comparison, "nca", snapshots[-1]).p)
    for title, codes in told.items():
        assert listed()[title].tolist() == ["–" if code is None else names[code] for code in codes.values()]
    page.slider[0].set_value(1).run()  # the list at the left and this table are of one iteration
    earlier = predicted_classes(comparison, "nca", row, snapshots[1])
    assert earlier != told["NCA"]
    assert listed()["NCA"].tolist() == [names[code] for code in earlier.values()]
    page.slider[0].set_value(0).run()
    first = doubtful_rows(comparison, "nca", snapshots[0])
    assert listed("p_i")["p_i"].tolist() == pytest.approx(first.p)
    assert listed("p_i")["row"].tolist() == comparison.prepared.raw.row_numbers[first.rows].tolist()
    field = page.text_input(key="understand.find")
    field.set_value("37").run()
    assert next(frame.value for frame in page.dataframe)["row "].tolist() == [37]
    field.set_value("nothing like it").run()
    assert "No row matches" in lines(page)


NAMED = "who,code,a,b,kind\n" + "".join(f"Ann {k},KD-{k},{k * k % 17},{k % 5},{'xy'[k % 2]}\n" for k in range(60))


def test_rows_of_a_table_are_named_and_found_by_any_cell(open_page):
    page = open_page({}, "data.py")
    bring(page, "named.csv", NAMED.encode())
    press(page, "Explore this data")
    page.switch_page("understand.py").run()
    page.session_state["stage.pinned"] = 1, space(page).document.recipe.data, 39  # a line of the file
    page.run()
    assert "How does each classifier label Ann 37 (line 39)?" in lines(page).replace("\\", "")
    assert "Ann 37 (line 39) is of class" in lines(page).replace("\\", "")
    for text, row in (("KD-41", [43, "Ann 41", "KD-41"]), ("ann 41", [43, "Ann 41", "y"])):
        page.text_input(key="understand.find").set_value(text).run()
        assert page.dataframe[0].value.iloc[:, :3].to_numpy().tolist() == [row]


def test_k_and_the_metric_have_two_figures_and_a_sentence(understand):
    sentences = {
        "k": lambda: k_curve(space(understand).document.comparison, "nca", run_of(understand).latest()).sentence,
        "metric": lambda: metric_history("NCA", run_of(understand).trajectory).sentence,
    }
    for trained in (False, True):
        for question, sentence in sentences.items():
            understand.button_group(key="understand.ask").set_value(question).run()
            assert any("Press Train or Step" in text for text in said(understand.caption)) != trained
            if trained:
                assert sentence() in said(understand.markdown)
                assert len(understand.get("plotly_chart")) == 2
        if not trained:
            train(understand)


def test_many_starts_are_tried_and_one_is_shown_on_the_stage(understand):
    understand.button_group(key="understand.ask").set_value("optima").run()
    understand.number_input(key="understand.n_starts").set_value(8).run()
    press(understand, "Try them all")
    job = space(understand).document.jobs["optima"]
    assert has_ended(job, 60)
    understand.run()
    found = job.result
    assert f"{found.sentence} {found.worth} {found.unfinished}".strip() in said(understand.markdown)
    assert len(understand.get("plotly_chart")) >= 2
    comparison = space(understand).document.comparison
    trainings.train(space(understand), comparison.dataset, "nca", found.reached[5].initial)
    run = run_of(understand)
    assert run.wait_for_end(60)
    np.testing.assert_array_equal(run.latest().transformation, found.reached[5].transformation)
    press(understand, "Train")
    assert run_of(understand).wait_for_end(60)
    start = run_of(understand).trajectory.snapshots[0].transformation
    np.testing.assert_array_equal(start, comparison.panel("nca").transformation)


def test_a_training_goes_on_from_where_a_hand_put_it_and_back(understand, monkeypatch):
    drawn = streamlit_host.live_stage

    def grabbed(*what):
        """A run of the page in which the stage says so."""
        told = streamlit_host.StageState((), 0, None, what)
        with monkeypatch.context() as patch:
            patch.setattr(streamlit_host, "live_stage", lambda *a, **k: (drawn(*a, **k), told)[1])
            understand.run()

    understand.button_group(key="understand.ask").set_value("grab").run()
    assert any("Train first, then move an arrow" in text for text in said(understand.caption))
    train(understand)
    first = run_of(understand).latest()
    run = run_of(understand)
    for senseless in (("nca", (1.0, 2.0)), ("pca", (1.0,)), ("unknown", (1.0,))):
        grabbed(*senseless)
        assert run_of(understand) is run
    moved = tuple((first.transformation * 0.3).ravel().tolist())
    grabbed("nca", moved)
    assert run_of(understand).wait_for_end(60)
    np.testing.assert_allclose(run_of(understand).trajectory.snapshots[0].transformation.ravel(), moved)
    understand.run()
    assert any("you moved it to" in text and "climbed to" in text for text in said(understand.markdown))
    understand.button(key="understand.grab_undo").click().run()
    assert run_of(understand).wait_for(1, 30)
    start = run_of(understand).trajectory.snapshots[0].transformation
    np.testing.assert_array_equal(start, first.transformation)


# -- the point that is pinned


@pytest.fixture
def session(monkeypatch):
    """A session of its own: `pinned` without a page."""
    state = SimpleNamespace(session_state={}, query_params={})
    monkeypatch.setattr(pinned, "st", state)
    return state


def workspace_on(data):
    return SimpleNamespace(document=SimpleNamespace(recipe=SimpleNamespace(data=data)))


def test_what_is_pressed_counts_until_the_page_asks_for_another_row(session):
    wine, raw = workspace_on("wine"), SimpleNamespace(row_numbers=np.array([4, 8, 15, 16]))
    assert pinned.pin_request(wine, raw) == (0, None)
    pressed = streamlit_host.StageState((), 0, 2)
    assert pinned.pinned_row(wine, raw, pressed) == 2
    assert session.query_params == {"point": "15"}
    assert pinned.pin_request(wine, raw) == (0, 2)  # the stage knows: no new wish
    assert pinned.pinned_row(wine, raw, streamlit_host.StageState((), 0)) == 2
    pinned.pin(wine, 8)
    assert pinned.pin_request(wine, raw) == (1, 1)
    assert pinned.pinned_row(wine, raw, streamlit_host.StageState((), 0, -1)) is None  # let go
    assert session.query_params == {}
    pinned.pin(wine, 16)
    assert pinned.pin_request(workspace_on("iris"), raw)[1] is None  # a row of other data
    assert pinned.pin_request(wine, SimpleNamespace(row_numbers=np.array([4])))[1] is None  # not among the sample
    assert pinned.pin_request(wine, raw) == (2, 3)
    for named, request in (("15", (1, 2)), ("-3e", (0, None))):  # by a link, once
        session.session_state.clear()
        session.query_params["point"] = named
        assert pinned.pin_request(wine, raw) == request
    pinned.pin(wine, None)
    assert pinned.pin_request(wine, raw) == (1, None)


def test_noise_comes_while_the_training_goes_on_and_is_taken_back_change_by_change(open_page, monkeypatch):
    page = open_page({"data": "wine", "panels": "pca,nca", "nca.max_iter": "6", "ask": "cope"}, "understand.py")

    def start_of(label):
        """A of the training that goes on after this press."""
        press(page, label)
        assert run_of(page).wait_for_end(60)
        page.run()
        return run_of(page).trajectory.snapshots[0].transformation

    assert button(page, "Add noise").disabled
    assert "Press Train first" in lines(page)
    start_of("Train")
    before, first = run_of(page), space(page).document.comparison
    last = before.latest()
    page.number_input(key="understand.cope_columns").set_value(4).run()
    start = start_of("Add noise")
    assert run_of(page) is not before
    assert address(page)["noise.columns"] == "4"
    snapshots = run_of(page).trajectory.snapshots
    np.testing.assert_allclose(start[:, :13], last.transformation, rtol=1e-12)
    assert not start[:, 13:].any()
    assert snapshots[0].mean_p == pytest.approx(last.mean_p, rel=1e-9)
    assert snapshots[-1].transformation[:, 13:].any()
    assert f"its f/n stayed at {last.mean_p:.3f}" in lines(page)
    table = page.dataframe[-1].value.set_index("Panel")
    comparison = space(page).document.comparison
    for key, title, then, since in (("pca", "PCA", None, None), ("nca", "NCA", last, snapshots[-1])):
        row = table.loc[title]
        assert row["held-out 1-NN before"] == pytest.approx(noise_response(first, key, then).held_out_1nn)
        assert row["held-out 1-NN now"] == pytest.approx(noise_response(comparison, key, since).held_out_1nn)
    assert table.loc["NCA", "K̂ now"] == pytest.approx(snapshots[-1].k_mean_entropy)
    assert button(page, "Add noise").disabled  # so many columns are there
    start_of("Flip labels")
    np.testing.assert_array_equal(start_of("Undo"), snapshots[-1].transformation)
    assert (space(page).document.recipe.noise.noise_columns, space(page).document.recipe.noise.flipped_share) == (4, 0)
    assert "change is undone" in lines(page)
    assert not any("flipped" in text for text in said(page.markdown))
    np.testing.assert_array_equal(start_of("Undo"), last.transformation)
    assert "noise.columns" not in address(page)
    assert button(page, "Undo").disabled
    run, recipe = run_of(page), space(page).document.recipe

    def refused(*_):
        raise DataError("This is too large to compute with. Choose a smaller factor.")

    monkeypatch.setattr(trainings, "prepare_rows", refused)
    press(page, "Rescale")
    assert "Choose a smaller factor" in said(page.error)[0]
    assert run_of(page) is run
    assert space(page).document.recipe == recipe
    page.run()
    assert not page.error


def test_one_that_cannot_be_carried_over_begins_anew_beside_one_that_can():
    workspace, few = Hub().open(), {"max_iter": 4}
    panels = PanelRecipe("nca", few), PanelRecipe("nca-2", few, features="rbf"), PanelRecipe("lda")
    workspace.document.recipe = recipe_of(*panels)
    trainings.train(workspace, overlapping())
    assert all(held.run.wait_for_end(60) for held in workspace.runs.values())
    last = workspace.latest("nca").transformation
    starts = trainings.continue_with(workspace, overlapping(), NoiseConfig(flipped_share=0.3))
    assert starts["nca-2"] is None
    assert all(held.run.wait_for(1, 60) for held in workspace.runs.values())
    np.testing.assert_allclose(workspace.runs["nca"].run.trajectory.snapshots[0].transformation, last, rtol=1e-12)
    start = workspace.document.comparison.panel("nca-2").transformation
    np.testing.assert_array_equal(workspace.runs["nca-2"].run.trajectory.snapshots[0].transformation, start)
    workspace.discard()
