"""Explore's panels: every method of the registry with its settings, and trainings side by side."""

import time

from nca_core.methods import METHODS
from stage import wording
from study.recipe import MOST_PANELS
from tests.pages.app_page import address, button, press, run_of, space, table


def test_every_method_of_the_registry_is_a_panel_a_row_and_a_link_and_has_its_settings(page):
    """Without another edit: what the registry holds can be chosen, set, drawn, measured and linked."""
    asked_of_numbers_only = {"target_similarity"}
    page.number_input(key="explore.rows").set_value(90).run()
    every = list(METHODS)
    for keys in (every[first : first + MOST_PANELS] for first in range(0, len(every), MOST_PANELS)):
        page.multiselect(key="explore.panels").set_value(keys).run()
        end = time.monotonic() + 60
        while any(panel.waits for panel in space(page).document.comparison.panels) and time.monotonic() < end:
            time.sleep(0.1)  # an embedding comes by itself, from a process of its own
            page.run()
        assert address(page)["panels"].split(",") == keys
        for key in keys:
            if METHODS[key].settings and any(box.key == "explore.settings_of" for box in page.selectbox):
                page.selectbox(key="explore.settings_of").set_value(key).run()
            widgets = {widget.key for widget in [*page.sidebar.selectbox, *page.sidebar.number_input]}
            settings = {setting.key for setting in METHODS[key].settings} - asked_of_numbers_only
            assert {f"explore.{key}.{setting}" for setting in settings} <= widgets
        trained = [key for key in keys if METHODS[key].kind == "trained"]
        if trained:
            press(page, "Train")
            assert all(run_of(page, key).wait_for(2, 60) for key in trained)
            page.run()
        rows = list(table(page)["Projection"])
        for key in keys:  # DCV on rows that vary in every direction: a card with its reason, and no numbers
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
