"""The Explore page without a browser: every control, run and message, by Streamlit's AppTest."""

from __future__ import annotations

import pytest

from datasets.catalogue import DATASETS, load_dataset
from nca_core import recorder
from nca_core.initialisation import INITIALISATIONS
from pages.controls.data_choice import READY_KINDS
from pages.server.hub import HUB
from pages.shared import comparison, wording
from tests.pages.app_page import TABLE, measured, prepared, said, space, workbook

BAD = b"a,b,label\n1,2,x\nbroken,3,y\n4,5,x\n"


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
    run = space(page).runs["nca"].run
    assert run.wait_for_end(60)
    page.run()
    assert list(table(page)["Projection"]) == ["PCA", "LDA", "NCA"]
    assert table(page).iloc[2, 1] > 0.95
    assert "K = " in table(page).columns[2]


def test_pause_resume_step_reset(page):
    press(page, "Step")
    run = space(page).runs["nca"].run
    assert run.wait_for(2, 30)
    page.run()
    assert button(page, "Resume")
    press(page, "Resume")
    assert run.state == "running"
    press(page, "Pause")
    assert run.state == "paused"
    press(page, "Reset")
    assert not space(page).runs
    assert run.wait_for_end(30)
    assert list(table(page)["Projection"]) == ["PCA", "LDA"]


def test_training_again_replaces_the_run(page):
    press(page, "Train")
    first = space(page).runs["nca"].run
    press(page, "Train")
    assert space(page).runs["nca"].run is not first
    assert first.wait_for_end(30)


def test_another_data_set_ends_the_run(page):
    press(page, "Train")
    run = space(page).runs["nca"].run
    page.selectbox(key="explore.data").set_value("iris").run()
    assert not page.exception
    assert run.wait_for_end(30)
    assert not space(page).runs
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
    page.selectbox(key="explore.start").set_value(start).run()
    assert not page.exception
    press(page, "Train")
    assert space(page).runs["nca"].run.wait_for(2, 60)


def test_changed_settings_are_said(page):
    press(page, "Train")
    assert not any("settings have changed" in caption.value for caption in page.caption)
    page.number_input(key="explore.seed").set_value(5).run()
    assert any("settings have changed" in caption.value for caption in page.caption)


def test_held_out_rows_get_their_columns(page):
    page.slider(key="explore.held_out").set_value(30).run()
    assert any(name.startswith("Held-out") for name in table(page).columns)


def test_an_uploaded_table_is_chosen_and_its_label_can_be_changed(page):
    page.file_uploader(key="explore.upload").set_value(("mine.csv", TABLE.encode(), "text/csv")).run()
    assert not page.exception
    assert page.selectbox(key="explore.data").value == "own:mine.csv"
    assert page.selectbox(key="explore.upload.label").value == "kind"
    assert any("mine.csv" in caption for caption in said(page.caption))
    page.selectbox(key="explore.upload.label").set_value("width").run()
    assert not page.exception
    own = space(page).saved["own_data"]["own:mine.csv"]
    assert own.class_names == ("0", "1", "3", "4", "5", "9")
    assert prepared(page)[0] is own


def test_of_several_sheets_one_can_be_chosen(page):
    data = workbook(first=measured("ab"), second=measured("xyz"))
    page.file_uploader(key="explore.upload").set_value(("two.xlsx", data, "application/xlsx")).run()
    assert not page.exception
    assert space(page).saved["own_data"]["own:two.xlsx"].class_names == ("a", "b")
    page.selectbox(key="explore.upload.sheet").set_value("second").run()
    assert not page.exception
    assert space(page).saved["own_data"]["own:two.xlsx"].class_names == ("x", "y", "z")


def test_a_broken_table_gets_a_sentence_and_nothing_is_lost(page):
    page.selectbox(key="explore.data").set_value("iris").run()
    page.file_uploader(key="explore.upload").set_value(("bad.csv", BAD, "text/csv")).run()
    assert not page.exception
    assert "line 3" in page.error[0].value
    assert page.selectbox(key="explore.data").value == "iris"
    press(page, "Train")
    assert space(page).runs["nca"].run.wait_for_end(60)


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
    page.selectbox(key="explore.sums").set_value("truncated").run()
    press(page, "Train")
    assert space(page).runs["nca"].run.wait_for_end(60)
    page.run()
    assert any("near pairs" in caption.value for caption in page.caption)


def test_table_and_curves_agree_or_the_page_says_why_not(page):
    press(page, "Train")
    assert space(page).runs["nca"].run.wait_for_end(60)
    page.run()
    last = space(page).runs["nca"].run.latest()
    nca = table(page).iloc[2]
    assert [nca.iloc[1], nca.iloc[2]] == pytest.approx([last.accuracy_1nn, last.accuracy_knn])
    assert not any("differ a little" in caption.value for caption in page.caption)
    page.selectbox(key="explore.data").set_value("rings").run()
    page.slider(key="explore.rings.n_samples").set_value(2_500).run()
    assert comparison.CURVE_QUERIES == recorder._ACCURACY_QUERIES
    assert any("Of the 2,500 training rows, 2,000 drawn at random" in one for one in said(page.caption))


def test_every_control_is_explained_where_it_stands(page):
    page.toggle(key="explore.pca_first").set_value(True).run()
    page.number_input(key="explore.max_rows").set_value(100).run()  # asks for the way of sampling
    kinds = ("selectbox", "number_input", "slider", "toggle", "button_group")
    widgets = [widget for kind in kinds for widget in page.sidebar.get(kind)]
    assert len(widgets) >= 18
    assert [widget.proto.label for widget in widgets if not widget.proto.help] == []


@pytest.mark.parametrize(
    ("words", "room"),
    [
        (wording.INITIALISATIONS, 28),
        (wording.PREPROCESSING, 28),
        (wording.OBJECTIVES, 22),
        (wording.OPTIMISERS, 22),
        (wording.SAMPLING, 22),
    ],
)
def test_the_words_of_a_choice_have_room_in_its_box(words, room):
    assert max(map(len, words.values())) <= room
