"""The Explore page without a browser: data, starts, runs and their table, and panels of every method side by side."""

import time

import pytest

from datasets.base.words import percent
from nca_core.methods import METHODS
from pages.server.records import record_of
from stage import wording
from study.codec import decode, encode
from study.measure import measure
from study.recipe import MOST_PANELS
from tests.pages.app_page import FOLDED, address, button, keys, lines, press, run_of, said, space, table, train


def test_a_training_sends_the_settings_as_they_were_so_that_the_browser_leaves_them_alone(page):
    names = {"data", "scale", "held_out", "panels", "dimensions", "pace", "nca.start", "nca.max_iter", "reduction"}
    kinds = ("selectbox", "slider", "number_input", "multiselect", "button_group")

    def settings():
        """What was sent of each, and of which the value: that one is rendered even if it is as before."""
        there = {each.key: each.proto for kind in kinds for each in page.get(kind)}
        sent = {name: there[f"explore.{name}"] for name in names}
        return {name: str(proto) for name, proto in sent.items()}, {name for name in names if sent[name].set_value}

    at_first, _ = settings()
    press(page, "Train")
    assert settings() == (at_first, set())
    page.selectbox(key="explore.scale").set_value("none").run()
    assert settings()[0] != at_first
    press(page, "Undo")
    assert page.selectbox(key="explore.scale").value == "standardise"
    assert settings()[1] == {"scale"}  # the browser still shows the other
    page.run()
    assert settings() == (at_first, set())


def test_the_first_page_has_data_to_train_on_pause_resume_step_and_reset(open_page):
    page = open_page({"data": "wine", "held_out": "0", "pace": "calm"})
    assert page.get("bidi_component")
    assert list(table(page)["Projection"]) == ["PCA", "LDA"]
    assert [button(page, label).disabled for label in ("Train", "Pause", "Reset")] == [False, True, True]
    assert space(page).shown.version == 1
    assert not page.error
    press(page, "Step")
    run = run_of(page)
    assert run.wait_for(2, 30)
    page.run()
    assert "held-out" not in lines(page)
    press(page, "Resume")
    assert run.state == "running"
    press(page, "Pause")
    assert run.state == "paused"
    press(page, "Reset")
    assert run_of(page) is None
    assert run.wait_for_end(30)
    assert list(table(page)["Projection"]) == ["PCA", "LDA"]


def test_changed_settings_are_said_such_as_the_penalty_that_a_scale_that_runs_away_is_offered(page):
    train(page)
    assert run_of(page).latest().mean_p > 0.999
    page.run()
    assert button(page, "Step").disabled  # it would replace the training
    assert "settings have changed" not in lines(page)
    press(page, "Set the penalty of NCA to λ = 0.1")
    assert dict(space(page).document.recipe.panel("nca").settings) == {"regularisation": 0.1}
    assert not button(page, "Step").disabled
    assert "settings have changed" in lines(page)
    assert "The penalty of NCA is now λ = 0.1. Train again to use it." in lines(page)  # where the button was
    press(page, "Train with λ = 0.1")
    assert run_of(page).wait_for_end(60)
    page.run()
    assert "Train again to use it" not in lines(page)
    assert not [one for one in page.button if one.label.startswith("Set the penalty")]


def test_how_f_is_summed_and_accuracies_are_sampled_is_said(page):
    page.selectbox(key="explore.nca.summation").set_value("truncated").run()
    last = train(page).latest().iteration
    assert f"Summed at iteration {last}: truncated: near pairs." in lines(page)
    page.selectbox(key="explore.data").set_value("rings").run()
    page.slider(key="explore.rings.n_samples").set_value(2_500).run()
    assert "use a random 2,000 of the 2,500" in lines(page)


def test_each_accuracy_stands_in_its_column(open_page):
    """On data where training rows and new rows, one neighbour and several, all differ."""
    page = open_page(
        {"recipe": "2", "data": "pure_noise", "data.n_samples": "60", "held_out": "0.3", "nca.max_iter": "2"}
    )
    train(page)
    comparison, last = space(page).document.comparison, run_of(page).latest()
    shown = table(page).set_index("Projection")
    k = int(shown["K = rounded K̂"]["NCA"])
    assert k == round(last.k_mean_entropy)
    names = [f"{k}-NN, {rows}" for rows in ("training rows (optimistic)", "held-out rows") for k in ("1", "K")]
    for title, key, at in (("NCA", "nca", last), ("PCA", "pca", None)):
        found = measure(comparison, key, at, k=k)
        expected = [found.accuracy_1nn, found.accuracy_knn, found.held_out_1nn, found.held_out_knn]
        assert len(set(expected)) > 2  # else a wrong column would pass for a right one
        assert list(shown.loc[title, names]) == pytest.approx(expected)
    in_curves = [last.accuracy_1nn, last.accuracy_knn, last.held_out_1nn, last.held_out_knn]
    assert list(shown.loc["NCA", names]) == in_curves


def test_every_control_is_explained_where_it_stands(page):
    page.selectbox(key="explore.reduction").set_value("pca").run()
    page.number_input(key="explore.rows").set_value(100).run()  # asks for the way of sampling
    kinds = ("selectbox", "number_input", "slider", "toggle", "button_group")
    widgets = [widget for kind in kinds for widget in page.sidebar.get(kind)]
    assert len(widgets) >= 18
    assert [widget.proto.label for widget in widgets if not widget.proto.help] == []


def test_held_out_rows_are_spoken_of_only_where_there_are_some(page, open_page):
    other = open_page({"data": "wine"})
    assert wording.HOLLOW_POINTS in lines(other)
    assert "these held-out rows" not in lines(other)  # nothing to choose from before a training
    assert "explore.open_test" not in keys(other)
    assert not any("held out" in one or "Hollow" in one for one in said(page.caption))


def test_what_is_folded_makes_no_widget(page):
    """Each costs half a millisecond at every press, though nobody sees it."""
    for key in FOLDED:
        page.session_state[key] = False
    page.run()
    there = {one.key for kind in ("number_input", "slider", "selectbox", "text_area") for one in page.get(kind)}
    assert "explore.data" in there
    assert not {"explore.seed", "explore.rings.noise", "explore.test", "learn.make.text"} & there
    assert "explore.undo" not in keys(page)


@pytest.mark.parametrize("screen", [None, "compare.py"])
def test_the_page_counts_how_often_the_test_rows_were_opened(open_page, screen):
    page = open_page({"data": "wine", "held_out": "0.3", "test": "0.2"}, screen)
    assert "for validation, 36 for testing" in lines(page)
    assert "Not opened yet; chosen by validation rows." in lines(page)
    assert "test row" not in lines(page).replace("test rows", "")
    press(page, "Open the test rows")
    assert "Opened once; chosen by validation rows." in lines(page)
    here = space(page) if screen is None else space(page).second
    scores = here.document.test_scores[1]
    assert [score.panel.key for score in scores] == ["pca", "lda"]
    assert percent(scores[0].accuracy_1nn) in lines(page)
    press(page, "Open the test rows")
    assert "Opened 2 times; chosen by validation rows. The numbers are no longer a clean test." in lines(page)
    (saved,) = decode(encode(record_of(space(page), {})[0])).pages["first"].openings.values()
    assert saved == 2
    page.slider(key="explore.test").set_value(30).run()
    assert "Not opened yet" in lines(page)
    page.slider(key="explore.test").set_value(20).run()
    assert "Opened 2 times" in lines(page)


def test_every_method_of_the_registry_is_a_panel_a_row_and_a_link_and_has_its_settings(page):
    """Without another edit: what the registry holds can be chosen, set, drawn, measured and linked."""
    asked_of_numbers_only = {"target_similarity"}
    page.number_input(key="explore.rows").set_value(90).run()
    every = list(METHODS)
    for panels in (every[first : first + MOST_PANELS] for first in range(0, len(every), MOST_PANELS)):
        page.multiselect(key="explore.panels").set_value(panels).run()
        end = time.monotonic() + 60
        while any(panel.waits for panel in space(page).document.comparison.panels) and time.monotonic() < end:
            time.sleep(0.1)  # embeddings are computed in another process
            page.run()
        assert address(page)["panels"].split(",") == panels
        for key in panels:
            if METHODS[key].settings and any(box.key == "explore.settings_of" for box in page.selectbox):
                page.selectbox(key="explore.settings_of").set_value(key).run()
            widgets = {widget.key for widget in [*page.sidebar.selectbox, *page.sidebar.number_input]}
            settings = {setting.key for setting in METHODS[key].settings} - asked_of_numbers_only
            assert {f"explore.{key}.{setting}" for setting in settings} <= widgets
        trained = [key for key in panels if METHODS[key].kind == "trained"]
        if trained:
            press(page, "Train")
            assert all(run_of(page, key).wait_for(2, 60) for key in trained)
            page.run()
        rows = list(table(page)["Projection"])
        for key in panels:  # DCV on rows that vary in every direction: a card with its reason, and no numbers
            shown = space(page).document.comparison.panel(key)
            assert bool(shown.problem) == (key == "dcv")
            assert (shown.recipe.shown_title in rows) == (key != "dcv"), key


def test_panels_come_and_go_and_trainings_go_on(page):
    press(page, "Step")
    run = run_of(page)
    assert run.wait_for(2, 30)
    panels = page.multiselect(key="explore.panels")
    panels.set_value([*panels.value, "whitening"]).run()
    assert run_of(page) is run
    assert list(table(page)["Projection"]) == ["PCA", "LDA", "NCA", "Whitening"]
    page.multiselect(key="explore.panels").set_value(["nca", "whitening"]).run()
    assert run_of(page) is run
    page.multiselect(key="explore.panels").set_value(["whitening"]).run()
    assert run_of(page) is None
    assert run.wait_for_end(30)
    assert button(page, "Train").disabled
    page.multiselect(key="explore.panels").set_value([]).run()  # one has to stay
    assert page.multiselect(key="explore.panels").value == ["whitening"]
    assert [each.value for each in page.toast]
    page.multiselect(key="explore.panels").set_value(["nca", "whitening"]).run()
    page.selectbox(key="explore.nca.objective").set_value("g").run()
    page.multiselect(key="explore.panels").set_value(["nca", "pca", "nca-2"]).run()
    for key in ("nca", "nca-2"):  # one more begins as a copy of the last one
        assert space(page).document.recipe.panel(key).all_settings()["objective"] == "g"


def test_the_titles_of_a_setting_and_the_words_of_a_choice_have_room_in_its_box():
    for words, room in ((wording.INITIALISATIONS, 28), (wording.PREPROCESSING, 28), (wording.SAMPLING, 22)):
        assert max(map(len, words.values())) <= room
    for setting in (each for method in METHODS.values() for each in method.settings):
        assert len(setting.title) <= 28
        assert all(len(title) <= 22 for title in getattr(setting.domain, "titles", ()))
