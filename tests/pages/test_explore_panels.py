"""Explore's panels: every method of the registry with its settings, and trainings side by side."""

import time

from nca_core.methods import METHODS
from tests.pages.app_page import address, button, press, run_of, space, table


def test_every_method_of_the_registry_is_a_panel_a_row_and_a_link_and_has_its_settings(page):
    """Without another edit: what the registry holds can be chosen, set, drawn, measured and linked."""
    asked_of_numbers_only = {"target_similarity"}
    page.number_input(key="explore.rows").set_value(90).run()
    for key, method in METHODS.items():
        page.multiselect(key="explore.panels").set_value(["pca", key] if key != "pca" else ["pca"]).run()
        if method.kind == "embedding":  # which comes by itself, from a process of its own
            until = time.monotonic() + 60
            while space(page).document.comparison.panel(key).waits and time.monotonic() < until:
                time.sleep(0.1)
                page.run()
        shown = space(page).document.comparison.panel(key)
        assert key in address(page)["panels"].split(",")
        if any(box.key == "explore.settings_of" for box in page.selectbox):
            page.selectbox(key="explore.settings_of").set_value(key).run()
        widgets = {widget.key for widget in [*page.sidebar.selectbox, *page.sidebar.number_input]}
        settings = {setting.key for setting in method.settings} - asked_of_numbers_only
        assert {f"explore.{key}.{setting}" for setting in settings} <= widgets
        if shown.problem:  # as DCV on rows that vary in every direction: a card with its reason, and no numbers
            assert key == "dcv"
            assert shown.recipe.shown_title not in list(table(page)["Projection"])
            continue
        if method.kind == "trained":
            press(page, "Train")
            assert run_of(page, key).wait_for(2, 60)
            page.run()
        assert shown.recipe.shown_title in list(table(page)["Projection"]), key


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


def test_panels_keep_their_settings_when_others_come(page):
    page.selectbox(key="explore.nca.objective").set_value("g").run()
    panels = page.multiselect(key="explore.panels")
    panels.set_value([*panels.value, "whitening", "nca-2"]).run()
    recipe = space(page).document.recipe
    for key in ("nca", "nca-2"):  # one more begins as a copy of the last one
        assert recipe.panel(key).all_settings()["objective"] == "g"


def test_the_titles_of_a_setting_have_room_in_its_box():
    for setting in (each for method in METHODS.values() for each in method.settings):
        assert len(setting.title) <= 28
        assert all(len(title) <= 22 for title in getattr(setting.domain, "titles", ()))
