"""The Explore page without a browser: every control, run and message, by Streamlit's AppTest."""

from __future__ import annotations

import time

import numpy as np
import pytest

from datasets.catalogue import DATASETS, load_dataset
from nca_core.initialisation import INITIALISATIONS
from nca_core.methods import METHODS
from nca_core.methods.setting import Choice
from pages.server.data import READY_KINDS
from pages.server.hub import HUB
from pages.text import wording
from study.link import to_json
from study.panel import free_key
from tests.nca_core.methods.test_methods import some_values
from tests.pages.app_page import TABLE, address, measured, prepared, run_of, said, space, workbook

BAD = b"a,b,label\n1,2,x\n2,3,4,y\n"


def press(page, label):
    next(button for button in page.button if button.label == label).click()
    page.run()
    assert not page.exception


def button(page, label):
    return next(b for b in page.button if b.label == label)


def table(page):
    return page.dataframe[0].value


def test_first_open_shows_a_data_set_and_one_thing_to_press(page):
    assert page.get("bidi_component")
    assert list(table(page)["Projection"]) == ["PCA", "LDA"]
    assert not button(page, "Train").disabled
    assert button(page, "Pause").disabled
    assert button(page, "Reset").disabled
    assert space(page).scene_version == 1
    assert not page.error


def test_train_gives_a_run_and_its_table(page):
    press(page, "Train")
    assert not button(page, "Reset").disabled
    run = run_of(page)
    assert run.wait_for_end(60)
    page.run()
    assert list(table(page)["Projection"]) == ["PCA", "LDA", "NCA"]
    assert table(page).set_index("Projection")["1-NN, training rows (optimistic)"]["NCA"] > 0.95
    assert "K = rounded K̂" in table(page)


def test_pause_resume_step_reset(page):
    press(page, "Step")
    run = run_of(page)
    assert run.wait_for(2, 30)
    page.run()
    assert button(page, "Resume")
    press(page, "Resume")
    assert run.state == "running"
    press(page, "Pause")
    assert run.state == "paused"
    press(page, "Reset")
    assert run_of(page) is None
    assert run.wait_for_end(30)
    assert list(table(page)["Projection"]) == ["PCA", "LDA"]


def test_training_again_replaces_the_run(page):
    press(page, "Train")
    first = run_of(page)
    press(page, "Train")
    assert run_of(page) is not first
    assert first.wait_for_end(30)


def test_another_data_set_ends_the_run(page):
    press(page, "Train")
    run = run_of(page)
    page.selectbox(key="explore.data").set_value("iris").run()
    assert not page.exception
    assert run.wait_for_end(30)
    assert run_of(page) is None
    assert space(page).scene_version == 2


@pytest.mark.parametrize("key", [key for key, entry in DATASETS.items() if entry.kind in READY_KINDS])
def test_every_data_set_of_the_catalogue_opens(page, key):
    page.selectbox(key="explore.data").set_value(key).run()
    assert not page.exception
    assert not page.error
    at_first = {parameter.name: parameter.default for parameter in DATASETS[key].parameters}
    assert prepared(page)[0] is load_dataset(key, **at_first)


@pytest.mark.parametrize("start", list(INITIALISATIONS))
def test_every_start_can_be_chosen_and_trained_from(page, start):
    page.selectbox(key="explore.nca.start").set_value(start).run()
    assert not page.exception
    press(page, "Train")
    assert run_of(page).wait_for(2, 60)


def test_changed_settings_are_said(page):
    press(page, "Train")
    assert not any("settings have changed" in caption.value for caption in page.caption)
    page.selectbox(key="explore.nca.objective").set_value("g").run()
    assert any("settings have changed" in caption.value for caption in page.caption)


def test_held_out_rows_get_their_columns(page):
    page.slider(key="explore.held_out").set_value(30).run()
    assert any("held-out" in name for name in table(page).columns)


def test_an_uploaded_table_is_chosen_and_its_label_can_be_changed(page):
    page.file_uploader(key="explore.upload").set_value(("mine.csv", TABLE.encode(), "text/csv")).run()
    assert not page.exception
    assert page.selectbox(key="explore.data").value == "own:mine.csv"
    assert page.selectbox(key="explore.upload.label").value == "kind"
    assert any("mine.csv" in caption for caption in said(page.caption))
    page.selectbox(key="explore.upload.label").set_value("width").run()
    assert not page.exception
    own = space(page).belongings.own_data["own:mine.csv"]
    assert own.class_names == ("0", "1", "3", "4", "5", "9")
    assert prepared(page)[0] is own


def test_of_several_sheets_one_can_be_chosen(page):
    data = workbook(first=measured("ab"), second=measured("xyz"))
    page.file_uploader(key="explore.upload").set_value(("two.xlsx", data, "application/xlsx")).run()
    assert not page.exception
    assert space(page).belongings.own_data["own:two.xlsx"].class_names == ("a", "b")
    page.selectbox(key="explore.upload.sheet").set_value("second").run()
    assert not page.exception
    assert space(page).belongings.own_data["own:two.xlsx"].class_names == ("x", "y", "z")


def test_a_broken_table_gets_a_sentence_and_nothing_is_lost(page):
    page.selectbox(key="explore.data").set_value("iris").run()
    page.file_uploader(key="explore.upload").set_value(("bad.csv", BAD, "text/csv")).run()
    assert not page.exception
    assert "line 3" in page.error[0].value
    assert page.selectbox(key="explore.data").value == "iris"
    press(page, "Train")
    assert run_of(page).wait_for_end(60)


def test_too_few_columns_are_one_sentence(page):
    data = b"a,label\n" + b"".join(b"%d,%d\n" % (i * i, i % 2) for i in range(9))
    page.file_uploader(key="explore.upload").set_value(("one.csv", data, "text/csv")).run()
    assert not page.exception
    assert "1 feature" in page.error[0].value


def test_hostile_names_are_shown_as_text(page):
    data = b"![x](http://evil/p.png),<b>w</b>,label\n" + b"".join(
        b"%d,%d,$k%d$\n" % (i, 9 - i, i % 2) for i in range(10)
    )
    page.file_uploader(key="explore.upload").set_value(("a.csv", data, "text/csv")).run()
    assert not page.exception
    for element in [*page.caption, *page.error]:
        assert "![x](http" not in element.value


def test_a_reload_finds_settings_and_trajectory_again(page, open_page):
    press(page, "Train")
    old = space(page)
    assert old.runs["nca"].run.wait_for_end(60)
    old.release_session(page.session_state["session.id"])
    again = open_page({"run": old.token})
    assert space(again) is old
    assert list(table(again)["Projection"]) == ["PCA", "LDA", "NCA"]


def test_a_link_opened_while_the_first_tab_lives_gets_its_own_workspace(page, open_page):
    other = open_page({"run": space(page).token})
    assert space(other) is not space(page)
    assert HUB.find(space(other).token) is space(other)


def test_the_way_of_summing_is_chosen_and_said(page):
    page.selectbox(key="explore.nca.summation").set_value("truncated").run()
    press(page, "Train")
    assert run_of(page).wait_for_end(60)
    page.run()
    assert any("near pairs" in caption.value for caption in page.caption)


def oracle(comparison, A, k):
    """Accuracies by plain loops, with one and with k neighbours: (leave-one-out, held-out) of each."""
    rows, tested, y = comparison.prepared.train, comparison.prepared.held_out, comparison.prepared.dataset.y
    Y = comparison.prepared.dataset.X @ A.T
    found = []
    for asked in (rows, tested):
        for n in (1, k):
            right = 0
            for i in np.flatnonzero(asked):
                others = [j for j in np.flatnonzero(rows) if j != i]
                nearest = sorted(others, key=lambda j: float(np.sum((Y[i] - Y[j]) ** 2)))[:n]
                votes = [int(y[j]) for j in nearest]
                most = max(votes.count(v) for v in votes)
                right += next(v for v in votes if votes.count(v) == most) == y[i]
            found.append(right / asked.sum())
    return found


def test_the_table_holds_what_plain_counting_gives(open_page):
    """On data where training rows and new rows, one neighbour and several, all differ."""
    page = open_page(
        {"recipe": "2", "data": "pure_noise", "data.n_samples": "60", "held_out": "0.3", "nca.max_iter": "2"}
    )
    press(page, "Train")
    assert run_of(page).wait_for_end(60)
    page.run()
    comparison, last = space(page).belongings.comparison, run_of(page).latest()
    shown = table(page).set_index("Projection")
    k = int(shown["K = rounded K̂"]["NCA"])
    assert k == round(last.k_mean_entropy)
    names = [f"{k}-NN, {rows}" for rows in ("training rows (optimistic)", "held-out rows") for k in ("1", "K")]
    for title, A in {"NCA": last.transformation, "PCA": comparison.panel("pca").transformation}.items():
        expected = oracle(comparison, A, k)
        assert len(set(expected)) > 2  # else a wrong column would pass for a right one
        assert list(shown.loc[title, names]) == pytest.approx(expected)
    in_curves = [last.accuracy_1nn, last.accuracy_knn, last.held_out_1nn, last.held_out_knn]
    assert list(shown.loc["NCA", names]) == in_curves


def test_of_many_rows_a_sample_is_asked_and_said(page):
    page.selectbox(key="explore.data").set_value("rings").run()
    page.slider(key="explore.rings.n_samples").set_value(2_500).run()
    assert any("Of the 2,500 training rows, 2,000 drawn at random" in one for one in said(page.caption))


def test_every_control_is_explained_where_it_stands(page):
    page.toggle(key="explore.pca_first").set_value(True).run()
    page.number_input(key="explore.rows").set_value(100).run()  # asks for the way of sampling
    kinds = ("selectbox", "number_input", "slider", "toggle", "button_group")
    widgets = [widget for kind in kinds for widget in page.sidebar.get(kind)]
    assert len(widgets) >= 18
    assert [widget.proto.label for widget in widgets if not widget.proto.help] == []


@pytest.mark.parametrize(
    ("words", "room"),
    [
        (wording.INITIALISATIONS, 28),
        (wording.PREPROCESSING, 28),
        (wording.SAMPLING, 22),
    ],
)
def test_the_words_of_a_choice_have_room_in_its_box(words, room):
    assert max(map(len, words.values())) <= room


@pytest.mark.parametrize("setting", [s for m in METHODS.values() for s in m.settings], ids=lambda s: s.key)
def test_the_titles_of_a_setting_have_room_in_its_box(setting):
    assert len(setting.title) <= 28
    assert all(len(title) <= 22 for title in getattr(setting.domain, "titles", ()))


@pytest.mark.parametrize("key", list(METHODS))
def test_every_method_of_the_registry_is_a_panel_a_row_and_a_link(page, key):
    """Without another edit: what the registry holds can be chosen, is drawn, measured and linked."""
    panels = page.multiselect(key="explore.panels")
    added = free_key(key, {"pca", "lda", "nca"}) if key == "nca" else key
    if added not in panels.value:
        panels.set_value([*panels.value, added]).run()
    assert not page.exception
    if METHODS[key].kind == "embedding":  # which comes by itself, from a process of its own
        until = time.monotonic() + 60
        while space(page).belongings.comparison.panel(added).waits and time.monotonic() < until:
            time.sleep(0.2)
            page.run()
    shown = space(page).belongings.comparison.panel(added)
    assert added in address(page).get("panels", "pca,lda,nca").split(",")
    if shown.problem:  # as DCV on rows that vary in every direction: a card with its reason, and no numbers
        assert key == "dcv"
        assert shown.recipe.shown_title not in list(table(page)["Projection"])
        return
    if METHODS[key].kind == "trained":
        press(page, "Train")
        assert run_of(page, added).wait_for_end(60)
        page.run()
    assert shown.recipe.shown_title in list(table(page)["Projection"])


@pytest.mark.parametrize("key", [key for key, method in METHODS.items() if method.settings])
def test_every_setting_of_the_registry_has_its_widget(open_page, key):
    """Of a method that is solved in one go too."""
    page = open_page({"data": "wine", "panels": f"pca,nca,{key}" if key != "nca" else "pca,nca"})
    if key != "nca":
        page.selectbox(key="explore.settings_of").set_value(key).run()
    widgets = {widget.key for widget in [*page.sidebar.selectbox, *page.sidebar.number_input]}
    asked_of_numbers_only = {"target_similarity"}
    settings = {setting.key for setting in METHODS[key].settings} - asked_of_numbers_only
    assert {f"explore.{key}.{setting}" for setting in settings} <= widgets


def test_without_a_training_the_settings_of_a_solved_method_remain(open_page):
    key = next(key for key, method in METHODS.items() if method.settings and method.kind == "solved")
    setting = METHODS[key].settings[0]
    page = open_page({"data": "wine", "panels": key})
    assert any("Nothing trains" in one for one in said(page.caption))
    kind = page.selectbox if isinstance(setting.domain, Choice) else page.number_input
    other = next(value for value in some_values(setting.domain) if value != setting.default)
    kind(key=f"explore.{key}.{setting.key}").set_value(other).run()
    assert not page.exception
    assert space(page).belongings.comparison.panel(key).recipe.all_settings()[setting.key] == other


def test_held_out_rows_are_spoken_of_only_where_there_are_some(page, open_page):
    assert wording.HOLLOW_POINTS in " ".join(said(open_page({"data": "wine"}).caption))
    assert not any("held out" in one or "Hollow" in one for one in said(page.caption))
    press(page, "Step")
    assert not any("held-out" in one for one in said(page.caption))


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
    assert any("The panels stay as they were" in caption for caption in said(page.caption))


def test_panels_keep_their_settings_when_others_come(page):
    page.selectbox(key="explore.nca.objective").set_value("g").run()
    panels = page.multiselect(key="explore.panels")
    panels.set_value([*panels.value, "whitening", "nca-2"]).run()
    recipe = space(page).belongings.recipe
    for key in ("nca", "nca-2"):  # one more begins as a copy of the last one
        assert recipe.panel(key).all_settings()["objective"] == "g"


def test_two_trainings_have_settings_of_their_own(page):
    panels = page.multiselect(key="explore.panels")
    panels.set_value([*panels.value, "nca-2"]).run()
    page.selectbox(key="explore.settings_of").set_value("nca-2").run()
    page.selectbox(key="explore.nca-2.objective").set_value("g").run()
    assert address(page)["nca-2.objective"] == "g"
    press(page, "Train")
    for key, objective in (("nca", "f"), ("nca-2", "g")):
        assert run_of(page, key).wait_for_end(60)
        assert run_of(page, key).config.objective == objective
    page.run()
    assert list(table(page)["Projection"]) == ["PCA", "LDA", "NCA", "NCA 2"]


def test_undo_brings_the_settings_before_back(page):
    page.selectbox(key="explore.nca.objective").set_value("g").run()
    page.selectbox(key="explore.data").set_value("iris").run()
    press(page, "Undo")
    assert page.selectbox(key="explore.data").value == "wine"
    press(page, "Undo")
    assert page.selectbox(key="explore.nca.objective").value == "f"
    assert button(page, "Undo").disabled


def test_a_saved_recipe_opens_again_and_a_broken_one_changes_nothing(page, open_page):
    page.selectbox(key="explore.data").set_value("iris").run()
    page.selectbox(key="explore.nca.start").set_value("lda").run()
    text = to_json(space(page).belongings.recipe)
    other = open_page()
    other.file_uploader(key="explore.open_recipe").set_value(("r.json", text.encode(), "application/json")).run()
    assert space(other).belongings.recipe == space(page).belongings.recipe
    assert other.selectbox(key="explore.nca.start").value == "lda"
    broken = text[: len(text) // 2].encode()
    other.file_uploader(key="explore.open_recipe").set_value(("r.json", broken, "application/json")).run()
    assert not other.exception
    assert "line" in other.error[0].value
    assert space(other).belongings.recipe == space(page).belongings.recipe


def test_a_link_that_asks_for_it_trains_at_once_and_no_other(open_page):
    page = open_page({"data": "iris", "train": "1"})
    assert not page.warning
    assert run_of(page) is not None
    assert "train" not in address(page)
    press(page, "Reset")
    assert run_of(page) is None
    page.run()
    assert run_of(page) is None  # once
    assert run_of(open_page({"data": "iris"})) is None


def test_settings_that_go_along_to_other_data_are_said_there(page):
    page.slider(key="explore.held_out").set_value(40).run()
    assert not any("Kept from the data before" in one for one in said(page.caption))
    page.selectbox(key="explore.data").set_value("iris").run()
    assert any("Kept from the data before: 40% held out." in one for one in said(page.caption))
    assert page.slider(key="explore.held_out").value == 40
    page.selectbox(key="explore.nca.start").set_value("lda").run()
    assert not any("Kept from the data before" in one for one in said(page.caption))


def test_a_scale_that_runs_away_is_offered_a_penalty(page):
    press(page, "Train")
    assert run_of(page).wait_for_end(60)
    page.run()
    assert run_of(page).latest().mean_p > 0.999
    press(page, "Set the penalty of NCA to λ = 0.1")
    assert dict(space(page).belongings.recipe.panel("nca").settings) == {"regularisation": 0.1}
    press(page, "Train")
    assert run_of(page).wait_for_end(60)
    page.run()
    assert not [one for one in page.button if one.label.startswith("Set the penalty")]


def test_what_a_link_says_that_nobody_understands_is_said_and_the_rest_is_kept(open_page):
    page = open_page({"recipe": "2", "data": "iris", "nca.objective": "zz", "nca.seed": "7", "held_out": "0.2"})
    assert "nca.objective is zz" in said(page.warning)[0]
    recipe = space(page).belongings.recipe
    assert (recipe.data.key, recipe.panel("nca").random_state) == ("iris", 7)
    assert recipe.preparation.held_out_fraction == 0.2
    press(page, "Dismiss")
    assert not page.warning


def test_every_setting_of_the_page_goes_into_the_address_and_back(page, open_page):
    page.selectbox(key="explore.data").set_value("digits").run()
    page.slider(key="explore.held_out").set_value(25).run()
    page.toggle(key="explore.pca_first").set_value(True).run()
    page.number_input(key="explore.noise.columns").set_value(3).run()
    page.selectbox(key="explore.nca.start").set_value("random").run()
    page.number_input(key="explore.seed").set_value(11).run()
    other = open_page(address(page))
    assert space(other).belongings.recipe == space(page).belongings.recipe
    assert not other.warning


def test_a_link_to_a_table_of_ones_own_asks_for_it_and_keeps_the_settings(page, open_page):
    page.file_uploader(key="explore.upload").set_value(("mine.csv", TABLE.encode(), "text/csv")).run()
    page.selectbox(key="explore.nca.objective").set_value("g").run()
    assert "kind" not in str(address(page))
    other = open_page(address(page))
    assert "mine" in said(other.error)[0]
    assert not other.get("bidi_component")  # nothing else is shown in its place
    other.file_uploader(key="explore.upload").set_value(("mine.csv", TABLE.encode(), "text/csv")).run()
    assert not other.error
    assert space(other).belongings.recipe == space(page).belongings.recipe
